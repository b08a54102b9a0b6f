/** What statements read does not grow with the history: no table that does is read from end to end, by what a run, a page or a command does. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordCrash } from "./crash.ts";
import type { Database } from "./database.ts";
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
  await state.test.sql("analyze orca.runs, orca.heartbeats, orca.steps, orca.attempts");
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
  ["ask for a cancellation", (d) => askToCancel(d, run.id, 30_000)],
  ["leave a run and take it", (d) => releaseRun(d, run).then(() => state.claim(run, {}, d))],
  ["end a run", (d) => endRun(d, run, "failed", null)],
])("to %s", async (_what, work) => {
  expect(await tablesReadWhole(work)).toEqual([]);
});

it("would be seen if it did", async () => {
  const whole = { name: "whole", text: "select count(*) from orca.steps where attempts = 2" };
  expect(await tablesReadWhole((d) => d.query(whole, []))).toEqual(["steps"]);
});

async function tablesReadWhole(work: (database: Database) => Promise<unknown>): Promise<readonly string[]> {
  const before = await countOfReads();
  await state.whileConnected(work);
  const after = await countOfReads();
  return Object.keys(after).filter((table) => after[table] !== before[table]);
}

async function countOfReads(): Promise<Readonly<Record<string, string>>> {
  const rows = await state.test.sql<{ relname: string; seq_scan: string }>(`
    select relname, seq_scan from pg_stat_user_tables
    where schemaname = 'orca' and relname in ('runs', 'heartbeats', 'steps', 'attempts')`);
  return Object.fromEntries(rows.map(({ relname, seq_scan }) => [relname, seq_scan]));
}
