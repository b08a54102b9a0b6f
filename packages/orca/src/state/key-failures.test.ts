/** The keys that need someone: what the trigger on ends of runs notes. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";

let scheduler: TestScheduler;
beforeEach(async () => {
  scheduler = await testScheduler();
  await scheduler.register("lake");
});
afterEach(() => scheduler[Symbol.asyncDispose]());

/** Makes a run over keys, with the steps that are given as `load/2024-01-01:failed`. */
async function run(keys: readonly string[], ...steps: string[]): Promise<number> {
  const [row] = await scheduler.test.sql<{ id: number }>(
    `insert into orca.runs (token, pipeline, version, status, trigger, keys, started_at)
     select gen_random_uuid(), name, version, 'running', 'manual', $1, clock_timestamp()
     from orca.pipelines where name = 'lake' returning id::int as id`,
    [keys],
  );
  for (const step of steps) {
    const [, name, key, status] = /^(.*)\/(.*):(.*)$/.exec(step)!;
    await scheduler.test.sql(
      `insert into orca.steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
       values ($1, $2, $3, $4, '0xa', case $4 when 'succeeded' then '1' end, 1, clock_timestamp(), clock_timestamp())`,
      [row!.id, name, key, status],
    );
  }
  return row!.id;
}

async function failures(): Promise<readonly string[]> {
  const rows = await scheduler.test.sql(
    "select key, status, step, run::int as run from orca.key_failures order by key",
  );
  return (rows as { key: string; status: string; step: string | null; run: number }[]).map(
    (row) => `${row.key} ${row.status} ${row.step ?? "-"} in ${row.run}`,
  );
}

it("are those of a failed run whose steps didn't all succeed", async () => {
  const id = await run(
    ["2024-01-01", "2024-01-02", "2024-01-03"],
    "load/2024-01-01:succeeded",
    "sum/2024-01-01:succeeded",
    "load/2024-01-02:failed",
    "sum/2024-01-02:skipped",
    "load/2024-01-03:succeeded",
  );
  await scheduler.end(id, "failed");
  expect(await failures()).toEqual([`2024-01-02 failed load in ${id}`, `2024-01-03 failed - in ${id}`]);
});

it("are all of a run that ended before it reached any", async () => {
  const id = await run(["2024-01-01", "2024-01-02"]);
  await scheduler.end(id, "cancelled");
  expect(await failures()).toEqual([`2024-01-01 cancelled - in ${id}`, `2024-01-02 cancelled - in ${id}`]);
});

it("are none any more when a later run has done them, and of the last run that hasn't", async () => {
  const first = await run(["2024-01-01", "2024-01-02"]);
  await scheduler.end(first, "failed");
  const second = await run(["2024-01-02"], "load/2024-01-02:failed");
  await scheduler.end(second, "failed");
  expect(await failures()).toEqual([`2024-01-01 failed - in ${first}`, `2024-01-02 failed load in ${second}`]);
  await scheduler.end(await run(["2024-01-01"], "load/2024-01-01:succeeded"));
  expect(await failures()).toEqual([`2024-01-02 failed load in ${second}`]);
});

it("are not changed by a run that ends after a later one of the same key", async () => {
  const first = await run(["2024-01-01"]);
  const second = await run(["2024-01-01"]);
  await scheduler.end(second, "failed");
  await scheduler.end(first);
  expect(await failures()).toEqual([`2024-01-01 failed - in ${second}`]);
});

it("aren't gather steps of a run that did all its keys", async () => {
  const id = await run(["2024-01-01"], "load/2024-01-01:succeeded", "report/:failed");
  await scheduler.end(id, "failed");
  expect(await failures()).toEqual([]);
});
