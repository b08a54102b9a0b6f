/** What a rebuild will run, before it is queued. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { step } from "../../core/described.fixture.ts";
import { testUi, type TestUi } from "../ui.fixture.ts";

let ui: TestUi;
beforeEach(async () => {
  ui = await testUi();
  await ui.register("clean", { steps: [step(["lake.raw"], ["lake.clean"])] });
  await ui.register("sums", {
    partitions: { kind: "monthly", start: "2024-01" },
    steps: [step(["lake.clean", "lake.raw"], ["lake.sums"])],
  });
  await ui.register("other", { steps: [step(["else.raw"], ["else.clean"])] });
});
afterEach(() => ui[Symbol.asyncDispose]());

const page = "/datasets/lake.raw/rebuild";

it("asks first for the partitions, and then for what they will have run: nothing is queued", async () => {
  const asked = await ui.page(page);
  expect(asked).toContain("Partitions that have changed");
  expect(asked).toMatch(/<form class="foot-d" id="rebuild" method="get"[^>]*data-confirm/);
  const planned = await ui.page(`${page}?keys=2024-01-30..2024-02-01`);
  expect(planned).toContain("Runs 2 pipelines anew from 3 partitions of lake.raw");
  expect(planned).toContain('<input type="hidden" name="keys" value="2024-01-30..2024-02-01"');
  expect(planned).toMatch(/<button class="btn pri">\s*Rebuild 2 pipelines/);
  expect(await ui.runs()).toEqual([]);
});

it("has each pipeline once, after all that it reads from, with the partitions of its own kind", async () => {
  expect(await ui.json(`${page}?keys=2024-01-30..2024-02-01`)).toEqual({
    dataset: "lake.raw",
    list: "2024-01-30..2024-02-01",
    partitions: 3,
    pipelines: 2,
    levels: [
      { pipeline: "clean", level: 0, first: "2024-01-30", last: "2024-02-01", partitions: 3 },
      { pipeline: "sums", level: 1, first: "2024-01", last: "2024-02", partitions: 2 },
    ],
  });
});

it("reads of no pipeline that isn't made from the dataset", async () => {
  await ui.test.sql("update orca.pipelines set description = '{}' where name = 'other'"); // which nobody can read
  expect(await ui.json(`${page}?keys=2024-01-30`)).toMatchObject({ pipelines: 2 });
});

it("lists a hundred of more, and refuses more than a thousand", async () => {
  const add = (from: number, to: number) =>
    ui.test.sql(
      `with made as (
         insert into orca.pipelines (name, program, description, version, registered_at)
         select 'p' || n, program, jsonb_set(description, '{pipeline}', to_jsonb('p' || n)), version, registered_at
         from orca.pipelines, generate_series($1::int, $2) n where name = 'clean' returning name)
       insert into orca.pipeline_datasets (pipeline, role, dataset)
       select name, 'reads', 'lake.raw' from made`,
      [from, to],
    );
  await add(1, 150);
  const { pipelines, levels } = (await ui.json(`${page}?keys=2024-01-30`)) as { pipelines: number; levels: unknown[] };
  expect([pipelines, levels.length]).toEqual([152, 100]);
  expect(await ui.page(`${page}?keys=2024-01-30`)).toContain("and 52 pipelines more");
  await add(151, 1_000);
  const refused = await ui.get(`${page}?keys=2024-01-30`);
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("more than 1000 pipelines are made from lake.raw") as unknown,
  ]);
});

it("refuses what nothing is made from, what is no partition, and more partitions than are looked at", async () => {
  for (const [path, words] of [
    ["/datasets/lake.sums/rebuild?keys=2024-01", "no registered pipeline makes anything from 2024-01 of lake.sums"],
    [`${page}?keys=2024-01-30..2024-01-32`, "2024-01-32"],
    [`${page}?keys=2000-01-01..2060-01-01`, "21,916 partitions: here at most 20,000"],
  ] as const) {
    const answer = await ui.get(path);
    expect([path, answer.status]).toEqual([path, 400]);
    expect(await answer.text()).toContain(words);
  }
});
