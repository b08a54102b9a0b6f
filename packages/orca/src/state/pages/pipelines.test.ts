import { afterEach, beforeEach, expect, it } from "vitest";
import { pausePipeline } from "../registration.ts";
import { testScheduler, type TestScheduler } from "../scheduler.fixture.ts";
import { countDone } from "./done-keys.ts";
import { pipelineHistories, pipelineSummaries } from "./pipelines.ts";

let scheduler: TestScheduler;
beforeEach(async () => {
  scheduler = await testScheduler();
});
afterEach(() => scheduler[Symbol.asyncDispose]());

const STEPS = [
  { name: "load", kind: "mapped", after: [], hash: "0xa", reads: ["lake.raw"], writes: [] },
  { name: "sum", kind: "mapped", after: ["load"], hash: "0xb", reads: [], writes: ["lake.sums"] },
  { name: "all", kind: "gather", after: ["sum"], hash: "0xc", reads: [], writes: [] },
] as const;

async function run(pipeline: string, status: string, key = "2024-01-01"): Promise<number> {
  const [row] = await scheduler.test.sql<{ id: number }>(
    `insert into orca.runs (token, pipeline, version, status, trigger, keys, started_at, ended_at)
     select gen_random_uuid(), name, version, $2, 'manual', array[$3],
       case when $2 <> 'queued' then timestamptz '2024-06-01 10:00Z' end,
       case when $2 not in ('queued', 'running') then timestamptz '2024-06-01 10:00:30Z' end
     from orca.pipelines where name = $1 returning id::int as id`,
    [pipeline, status, key],
  );
  return row!.id;
}

async function done(step: string, key: string, hash: string): Promise<void> {
  await scheduler.test.sql("insert into orca.partition_state values ('lake', $1, $2, $3, 1)", [step, key, hash]);
}

async function summary(name = "lake") {
  const all = await pipelineSummaries(scheduler.database, { after: "", limit: 10 });
  return all.find((one) => one.name === name)!;
}

it("are summed up with what is going on, what waits, and how the last run ended", async () => {
  await scheduler.register("lake", { steps: STEPS });
  expect(await summary()).toMatchObject({
    partitions: { kind: "daily", start: "2024-01-01" },
    steps: STEPS.map(({ name, kind, hash }) => ({ name, kind, hash })),
    hasRuns: false,
    lastEnd: null,
    live: { count: 0, isMore: false },
    newestDone: null,
  });
  for (const status of ["succeeded", "failed", "cancelled", "running", "queued", "queued"]) await run("lake", status);
  expect(await summary()).toMatchObject({
    hasRuns: true,
    lastEnd: "failed",
    live: { count: 1 },
    queued: { count: 2, isMore: false },
  });
});

it("have as their newest partition the newest that every mapped step has done", async () => {
  await scheduler.register("lake", { steps: STEPS });
  for (const key of ["2024-01-01", "2024-01-02", "2024-01-03"]) await done("load", key, "0xa");
  expect((await summary()).newestDone).toBeNull();
  await done("sum", "2024-01-02", "0xold");
  expect((await summary()).newestDone).toBe("2024-01-02");
});

it("are listed by name, from one on", async () => {
  for (const name of ["b", "c", "a"]) await scheduler.register(name);
  const names = async (after: string, limit: number) =>
    (await pipelineSummaries(scheduler.database, { after, limit })).map((one) => one.name);
  expect(await names("", 2)).toEqual(["a", "b"]);
  expect(await names("b", 2)).toEqual(["c"]);
});

it("have their newest runs, of those that are queued the two that come next", async () => {
  await scheduler.register("lake");
  const runs = [];
  for (let n = 0; n < 25; n++) runs.push(await run("lake", n === 24 ? "failed" : "succeeded"));
  for (let n = 0; n < 30; n++) await run("lake", "queued");
  const { runs: shown } = (await pipelineHistories(scheduler.database, ["lake"])).get("lake")!;
  expect(shown).toHaveLength(20);
  expect(shown.map((one) => one.status).slice(0, 4)).toEqual(["queued", "queued", "failed", "succeeded"]);
  expect(shown[2]).toEqual({
    id: runs.at(-1),
    status: "failed",
    tookMs: 30_000,
    startedAt: new Date("2024-06-01T10:00:00Z"),
  });
});

it("say who paused them, what sensors wait for, and when a failed run starts again", async () => {
  await scheduler.register("lake", { sensor: true, steps: STEPS, runRetries: 3 });
  await pausePipeline(scheduler.database, "lake", true, "alice");
  const id = await run("lake", "queued");
  await scheduler.test.sql("update orca.runs set not_before = '2024-06-01 11:00Z', retries = 2 where id = $1", [id]);
  expect((await pipelineHistories(scheduler.database, ["lake"])).get("lake")).toMatchObject({
    pausedBy: "alice",
    sensed: ["lake.raw"],
    nextStart: { at: new Date("2024-06-01T11:00:00Z"), start: 3, startsMax: 4 },
  });
});

it("have as done the partitions that are due of which every step has its present code", async () => {
  await scheduler.register("lake", { steps: STEPS });
  for (const step of ["load", "sum"])
    for (const key of ["2023-12-31", "2024-01-01", "2024-01-02", "2024-01-03", "2024-02-01"])
      await done(step, key, step === "load" ? "0xa" : "0xb");
  await scheduler.test.sql("update orca.partition_state set hash = '0xold' where step = 'sum' and key = '2024-01-02'");
  const due = { first: "2024-01-01", last: "2024-01-31", count: 31 } as never;
  await scheduler.test.sql("insert into orca.keys select distinct pipeline, key from orca.partition_state");
  const code = { hash: "0x1", steps: STEPS };
  expect(await countDone(scheduler.database, { pipeline: "lake", code, due })).toEqual({ due: 31, done: 2 });
});

it("have as due the names that a run was asked for, and as done those that no run has failed since", async () => {
  const described = { partitions: { kind: "keyed", dataset: "lake.raw", column: "id" } } as const;
  await scheduler.register("lake", described);
  const code = { hash: "0x1", steps: STEPS.slice(0, 1) };
  const count = () => countDone(scheduler.database, { pipeline: "lake", code, due: undefined });
  await run("lake", "failed", "a");
  for (const key of ["b", "c"]) {
    await done("load", key, "0xa");
    await scheduler.end(await run("lake", "running", key), "succeeded");
  }
  expect(await count()).toEqual({ due: 3, done: 2 });
  await scheduler.end(await run("lake", "running", "c"), "failed");
  expect(await count()).toEqual({ due: 3, done: 1 });
});
