/** What statements read does not grow with the history: no table that does is read from end to end, by what a run, a page or a command does. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordCrash } from "./crash.ts";
import type { Database } from "./database.ts";
import { locationOf, madeByRuns, newestSnapshot, walkBack, walkForward } from "./lineage.ts";
import { listRuns, readRun } from "./run-status.ts";
import { askToCancel } from "./cancel.ts";
import { beginRun, endRun, releaseRun, type OwnedRun } from "./runs.ts";
import { testState, version, type TestState } from "./state.fixture.ts";

let state: TestState;
let run: OwnedRun;
beforeAll(async () => {
  state = await testState();
  await state.begin();
  await state.test.sql(`
    insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, started_at, ended_at)
      select gen_random_uuid(), 'lake', 1, 'succeeded', 'manual', '{a}', 1, now(), now() from generate_series(1, 5000)`);
  await state.test.sql("insert into orca.heartbeats select id, now() from orca.runs on conflict do nothing");
  await state.test.sql(`
    insert into orca.steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
      select id, 'load', n::text, 'succeeded', '0xa', '1', 1, now(), now() from orca.runs, generate_series(1, 10) n`);
  await state.test.sql(`
    insert into orca.attempts (run, step, partition, attempt, status, owner, started_at, ended_at)
      select run, step, partition, 1, 'succeeded', gen_random_uuid(), now(), now() from orca.steps`);
  await state.test.sql(`
    insert into orca.commits (run, step, partition, attempt, number, dataset, location, snapshot, operation)
      select run, step, partition, 1, 1, 'lake.clean', '/lake', run * 100 + partition::int, 'append'
      from orca.steps where run > 1`);
  await state.test.sql(`
    insert into orca.reads (run, step, partition, attempt, dataset, location, snapshot)
      select run, step, partition, attempt, 'lake.clean', '/lake', snapshot - 100 from orca.commits`);
  await state.test.sql("analyze orca.runs, orca.heartbeats, orca.steps, orca.attempts, orca.commits, orca.reads");
  await state.test.sql("select pg_stat_force_next_flush()"); // so that what was read for this isn't counted later
  run = await state.begin();
});
afterAll(async () => await state[Symbol.asyncDispose]());

const first = { step: "load", partition: "a", attempt: 1 };

it.each<[string, (database: Database) => Promise<unknown>]>([
  ["begin a run", (d) => beginRun(d, { pipeline: "lake", version, keys: ["a"], owner: randomUUID() })],
  ["list the newest runs", (d) => listRuns(d, { limit: 20, staleMs: 1 })],
  ["list a page of a pipeline's", (d) => listRuns(d, { limit: 20, staleMs: 1, pipeline: "lake", before: 900 })],
  ["read a run's status", (d) => readRun(d, run.id, 1)],
  [
    "record an attempt",
    async (d) => {
      const journal = await state.journal(run, d);
      await journal.attemptStarts(first, "1");
      await journal.attemptEnded(first, { status: "succeeded", output: "1" }, "succeeded");
      await journal.outputs("load").catch(() => {}); // not of all keys
    },
  ],
  [
    "read an output back",
    async (d) => {
      const journal = await state.journal(run, d);
      await journal.output("load", "a");
    },
  ],
  [
    "record a crash",
    async (d) =>
      recordCrash(d, await state.begin(), randomUUID(), {
        status: "crashed",
        error: "x",
        culprit: undefined,
        retries: {},
      }),
  ],
  ["ask for a cancellation", (d) => askToCancel(d, run.id, 30_000, "me")],
  ["leave a run and take it", (d) => releaseRun(d, run).then(() => state.claim(run, {}, d))],
  ["walk lineage back", (d) => walkBack(d, [{ dataset: "lake.clean", snapshot: 300_001n, distance: 0 }])],
  ["walk lineage forward", (d) => walkForward(d, [{ dataset: "lake.clean", snapshot: 300_001n, distance: 0 }])],
  ["find a dataset's newest snapshot", (d) => newestSnapshot(d, "lake.clean")],
  ["find where a dataset is", (d) => locationOf(d, "lake.clean")],
  ["find what runs have made", (d) => madeByRuns(d, "lake.clean", [300_001n, 300_002n])],
  ["end a run", (d) => endRun(d, run, "failed", null)],
  ["end a run of gather steps", async (d) => endRun(d, await state.begin(), "succeeded", null)],
])("to %s", async (_what, work) => {
  expect(await tablesReadWhole(work)).toEqual([]);
});

it("would be seen if it did", async () => {
  const whole = { name: "whole", text: "select count(*) from orca.steps where attempts = 2" };
  expect(await tablesReadWhole((d) => d.query(whole, []))).toEqual(["steps"]);
});

it("a walk's links are found, and no more rows are read than for these", async () => {
  const rowsRead = async (work: (database: Database) => Promise<readonly unknown[]>) => {
    const before = await countOfRows();
    await state.whileConnected(async (d) => expect(await work(d)).toHaveLength(20));
    return (await countOfRows()) - before;
  };
  const from = [{ dataset: "lake.clean", snapshot: 300_001n, distance: 0 }];
  // each link: its commit, read and attempt once or twice, and its run and version
  expect(await rowsRead((d) => walkBack(d, from))).toBeLessThan(20 * 10);
  expect(await rowsRead((d) => walkForward(d, from))).toBeLessThan(20 * 10);
});

async function countOfRows(): Promise<number> {
  const [row] = await state.test.sql<{ rows: string }>(`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows from pg_stat_user_tables
    where schemaname = 'orca' and relname in ('runs', 'steps', 'attempts', 'commits', 'reads')`);
  return Number(row!.rows);
}

async function tablesReadWhole(work: (database: Database) => Promise<unknown>): Promise<readonly string[]> {
  const before = await countOfReads();
  await state.whileConnected(work);
  const after = await countOfReads();
  return Object.keys(after).filter((table) => after[table] !== before[table]);
}

async function countOfReads(): Promise<Readonly<Record<string, string>>> {
  const rows = await state.test.sql<{ relname: string; seq_scan: string }>(`
    select relname, seq_scan from pg_stat_user_tables
    where schemaname = 'orca' and relname in ('runs', 'heartbeats', 'steps', 'attempts', 'commits', 'reads')`);
  return Object.fromEntries(rows.map(({ relname, seq_scan }) => [relname, seq_scan]));
}
