import { afterEach, beforeEach, expect, it } from "vitest";
import { testUi, type TestUi } from "../ui.fixture.ts";

let ui: TestUi;
beforeEach(async () => {
  ui = await testUi();
  const steps = [
    { name: "load", kind: "mapped" as const, hash: "0xa", after: [], reads: ["av2.logs"], writes: ["labels.all"] },
  ];
  await ui.register("labels", { partitions: { kind: "keyed", dataset: "av2.logs", column: "id" }, steps });
  await ui.register("av2_labels");
  for (const keys of [["ab-1", "ab-2"], ["ab-1"], ["b-1"]])
    await ui.test.sql(
      `insert into orca.runs (token, pipeline, version, status, trigger, keys)
       select gen_random_uuid(), name, version, 'queued', 'manual', $1 from orca.pipelines where name = 'labels'`,
      [keys],
    );
});
afterEach(() => ui[Symbol.asyncDispose]());

interface Found {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

async function found(text: string): Promise<readonly string[]> {
  const answer = (await ui.json(`/search?q=${encodeURIComponent(text)}`)) as { readonly found: readonly Found[] };
  return answer.found.map(({ kind, name }) => `${kind} ${name}`);
}

it("finds pipelines and datasets by a part of their names, those that begin with it first", async () => {
  expect(await found("LABELS")).toEqual(["pipeline labels", "pipeline av2_labels", "dataset labels.all"]);
  expect(await found("av2")).toEqual(["pipeline av2_labels", "dataset av2.logs"]);
});

it("finds a run by its number, and keys by how they begin, each once", async () => {
  expect(await found("2")).toContain("run 2");
  expect(await found("ab-")).toEqual(["key ab-1", "key ab-2"]);
  expect(await found("ab-2")).toEqual(["key ab-2"]);
});

it("takes what is asked for as it is: nothing in it means more", async () => {
  for (const text of ["%", "_", "' or 1=1 --", "\\", "99999999999999999999"]) {
    const answer = await ui.get(`/search?q=${encodeURIComponent(text)}`);
    expect(answer.status).toBe(200);
  }
  expect(await found("%")).toEqual([]);
  expect(await found("_")).toEqual(["pipeline av2_labels"]);
});

it("shows what was found, or says that nothing was, with what was asked for escaped", async () => {
  expect(await (await ui.get("/search?q=labels")).text()).toContain('href="/pipelines/labels"');
  const nothing = await (await ui.get("/search?q=%3Cscript%3E")).text();
  expect(nothing).toContain("“&lt;script&gt;”");
  expect(nothing).not.toContain("<script>");
  expect(await (await ui.get("/search")).text()).not.toContain("Nothing found");
});
