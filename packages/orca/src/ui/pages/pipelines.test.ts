import { afterEach, beforeEach, expect, it } from "vitest";
import { pausePipeline } from "../../state/registration.ts";
import { recordAsked } from "../../state/sensing.ts";
import { testUi, type TestUi } from "../ui.fixture.ts";
import type { PipelinesPage } from "./pipelines/read-pipelines.ts";

let ui: TestUi;
beforeEach(async () => {
  ui = await testUi();
});
afterEach(() => ui[Symbol.asyncDispose]());

const page = async (path = "/") => (await ui.json(path)) as PipelinesPage;
const html = async (path = "/") => (await ui.get(path)).text();

async function run(pipeline: string, status: string, key = "2024-05-31"): Promise<void> {
  await ui.test.sql(
    `insert into orca.runs (token, pipeline, version, status, trigger, keys, started_at, ended_at)
     select gen_random_uuid(), name, version, $2, 'manual', array[$3], case when $2 <> 'queued' then clock_timestamp() end,
       case when $2 not in ('queued', 'running') then clock_timestamp() end
     from orca.pipelines where name = $1`,
    [pipeline, status, key],
  );
}

async function doneUntil(pipeline: string, last: string): Promise<void> {
  await ui.test.sql(
    `insert into orca.partition_state select $1, 'load', d::date::text, '0xa', 1
     from generate_series(timestamptz '2024-01-01Z', $2::timestamptz, interval '1 day') d`,
    [pipeline, last],
  );
  await ui.test.sql(
    "insert into orca.keys select distinct pipeline, key from orca.partition_state on conflict do nothing",
  );
}

it("says how to begin while nothing is registered, and hears of it when something is", async () => {
  const empty = await html();
  expect(empty).toContain("No pipelines yet");
  expect(empty).toMatch(/<body data-topics="[^"]*pipeline:\*/);
  expect(empty).toContain("data-whole");
  expect(await html("/register")).not.toContain("data-whole");
  await ui.register("lake");
  expect(await html()).not.toContain("No pipelines yet");
});

it("tells each state by what there is, those that need someone first", async () => {
  for (const name of ["never", "paused", "ok", "running", "late", "waiting", "failing"]) await ui.register(name);
  await ui.register("deaf", { sensor: true });
  await recordAsked(
    ui.database,
    { pipeline: "deaf", program: "/programs/x" },
    "snapshots",
    "/programs/deaf can't say what its datasets hold: it is Monday",
  );
  for (const name of ["paused", "ok", "running", "waiting", "failing"]) await doneUntil(name, "2024-05-31");
  await doneUntil("late", "2024-05-27");
  for (const name of ["paused", "ok", "late", "waiting", "running"]) await run(name, "succeeded");
  await run("running", "running");
  await run("waiting", "queued");
  await run("failing", "failed");
  await run("failing", "failed");
  await pausePipeline(ui.database, "paused", true, "alice");
  const { pipelines, counts } = await page();
  expect(pipelines.map(({ name, state }) => `${name} ${state}`)).toEqual([
    "deaf failing",
    "failing failing",
    "late behind",
    "waiting behind",
    "running running",
    "ok ok",
    "paused paused",
    "never never",
  ]);
  expect(counts).toEqual({ all: 8, failing: 2, behind: 2, running: 1, ok: 1, paused: 1, never: 1 });
  expect(pipelines.find(({ name }) => name === "late")).toMatchObject({ due: 152, lag: 4 });
  const done = async () => (await page()).pipelines.find(({ name }) => name === "late")!.done;
  await expect.poll(done, { timeout: 10_000 }).toBe(148); // it is counted meanwhile
  const shown = await html();
  expect(shown).toContain("2 runs in a row");
  expect(shown).toContain("148 of 152");
  expect(shown).toContain("1 run queued");
  expect(shown).toContain("by alice");
  expect(shown).toContain("can&#39;t be asked what to do");
});

it("says of one that is up to date how much before that isn't done", async () => {
  await ui.register("gaps", { partitions: { kind: "daily", start: "2024-05-28" } });
  await ui.test.sql("insert into orca.partition_state values ('gaps', 'load', '2024-05-31', '0xa', 1)");
  await ui.test.sql("insert into orca.keys values ('gaps', '2024-05-31')");
  await run("gaps", "succeeded");
  await expect
    .poll(async () => (await page()).pipelines[0], { timeout: 10_000 })
    .toMatchObject({ state: "ok", done: 1 });
  expect(await html()).toContain("3 days before not done");
});

it("shows those of one state when asked", async () => {
  for (const name of ["a", "b"]) await ui.register(name);
  await run("b", "failed");
  expect((await page("/?state=failing")).pipelines.map(({ name }) => name)).toEqual(["b"]);
  expect(await html("/?state=failing")).toMatch(/<a href="\/\?state=failing"[^>]* aria-current="true"/);
  expect((await ui.get("/?state=sad")).status).toBe(400);
});

it("is paged by name where there are many, and every pipeline is on one page", async () => {
  for (let n = 0; n < 90; n++) await ui.register(`p${String(n).padStart(3, "0")}`);
  const first = await page();
  const second = await page(`/?after=${first.next}`);
  expect([...first.pipelines, ...second.pipelines].map(({ name }) => name)).toEqual(
    Array.from({ length: 90 }, (_, n) => `p${String(n).padStart(3, "0")}`),
  );
  expect(second.next).toBeNull();
  expect(await html()).toContain(`href="/?after=${first.next}"`);
});

it("draws pipelines with their datasets, dashed where nobody here makes them", async () => {
  const step = (reads: string[], writes: string[]) => [
    { name: "load", kind: "mapped" as const, after: [], hash: "0xa", reads, writes },
  ];
  await ui.register("ingest", { steps: step(["faa.ontime"], ["flights.raw"]) });
  await ui.register("report", { steps: step(["flights.raw"], []) });
  await ui.register("compact", { steps: step(["events.log"], ["events.log"]) });
  expect((await page()).graph.edges).toContainEqual({ from: "dataset:faa.ontime", to: "pipeline:ingest" });
  const shown = await html();
  expect(shown).toContain("<title>Dataset faa.ontime: not made by Orca</title>");
  expect(shown).toContain('href="/datasets/flights.raw"');
  expect(shown.match(/marker-start/g)).toHaveLength(1);
});

it("draws what is two steps around one when asked, and by itself of what is too much", async () => {
  for (let n = 0; n < 120; n++)
    await ui.register(`p${String(n).padStart(3, "0")}`, {
      steps: [
        { name: "load", kind: "mapped", after: [], hash: "0xa", reads: [`lake.d${n}`], writes: [`lake.d${n + 1}`] },
      ],
    });
  const { graph } = await page("/?around=p050");
  expect(graph.nodes.map(({ name }) => name).sort()).toEqual(["lake.d50", "lake.d51", "p049", "p050", "p051"]);
  expect((await page()).graph).toMatchObject({ around: "p000", nodeCount: 241 });
  expect(await html("/?around=gone")).toContain("Nothing is named gone.");
});
