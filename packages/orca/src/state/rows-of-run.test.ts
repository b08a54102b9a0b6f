/**
 * What statements read does not grow with the run either: rows are looked up by their whole key. The statistics are those of a database in
 * which the run has begun since they were taken: Postgres then takes it to have one row, to which all ways lead equally fast.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordCrash } from "./crash.ts";
import type { Database } from "./database.ts";
import { readRunBefore } from "./run-before.ts";
import { readRun } from "./run-status.ts";
import type { OwnedRun } from "./runs.ts";
import { testState, type TestState } from "./state.fixture.ts";

const DONE = 3_000;
/** What a journal reads to know what was done before: what succeeded, and what didn't. */
const READ_AT_FIRST = 2 * DONE;

let state: TestState;
let run: OwnedRun;
beforeAll(async () => {
  state = await testState();
  await state.test.sql("alter table orca.steps set (autovacuum_enabled = false)");
  await state.test.sql("alter table orca.attempts set (autovacuum_enabled = false)");
  for (let i = 0; i < 3; i++) await fill(await state.begin(), "succeeded", 1_000);
  await state.test.sql("analyze orca.steps, orca.attempts");
});
afterAll(async () => await state[Symbol.asyncDispose]());

const keys = Array.from({ length: 64 }, (_, i) => `k${i}`);

it("when it records attempts", async () => {
  run = await state.begin();
  await fill(run, "succeeded", DONE);
  const rows = await rowsRead(async (database) => {
    const journal = await state.journal(run, database);
    await Promise.all(keys.map((partition) => journal.attemptStarts({ step: "load", partition, attempt: 1 }, "1")));
    await Promise.all(
      keys.map((partition) =>
        journal.attemptEnded(
          { step: "load", partition, attempt: 1 },
          { status: "succeeded", output: "1" },
          "succeeded",
        ),
      ),
    );
  });
  expect(rows).toBeLessThan(READ_AT_FIRST + 10 * keys.length);
});

it("when it reads outputs", async () => {
  const rows = await rowsRead(async (database) => {
    const journal = await state.journal(run, database);
    await Promise.all(keys.map(async (partition) => await journal.output("load", partition)));
  });
  expect(rows).toBeLessThan(READ_AT_FIRST + 10 * keys.length);
});

it("when it reads what failed before", async () => {
  run = await state.begin();
  await fill(run, "failed", DONE);
  expect(await rowsRead((database) => readRunBefore(database, run.id))).toBeLessThan(4 * DONE);
  expect(await rowsRead((database) => readRun(database, run.id, 1))).toBeLessThan(4 * DONE);
});

it("when it records a crash", async () => {
  run = await state.begin();
  await fill(run, "succeeded", DONE);
  const journal = await state.journal(run);
  await Promise.all(keys.map((partition) => journal.attemptStarts({ step: "load", partition, attempt: 1 }, "1")));
  const crash = { status: "crashed", error: "x", culprit: undefined, retries: {} } as const;
  const rows = await rowsRead((database) => recordCrash(database, run, randomUUID(), crash));
  expect(rows).toBeLessThan(DONE + 10 * keys.length); // all attempts are read once, for what became of them
});

/** Gives a run that many steps, with an attempt each. Over a connection of its own: one that goes on tells what it read up to a second later. */
async function fill({ id, owner }: OwnedRun, status: "succeeded" | "failed", count: number): Promise<void> {
  const [output, error] = status === "succeeded" ? ["1", null] : [null, "no"];
  await state.whileConnected(async (database) => {
    await database.query(STEPS, [id, status, output, count]);
    await database.query(ATTEMPTS, [id, owner, error]);
  });
}

const STEPS = {
  name: "fill-steps",
  text: `
    insert into orca.steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
    select $1, 'load', 'done-' || n, $2, '0xa', $3, 1, now(), now() from generate_series(1, $4::int) n`,
};
const ATTEMPTS = {
  name: "fill-attempts",
  text: `
    insert into orca.attempts (run, step, partition, attempt, status, owner, error, started_at, ended_at)
    select run, step, partition, 1, status, $2, $3, now(), now() from orca.steps where run = $1`,
};

async function rowsRead(work: (database: Database) => Promise<unknown>): Promise<number> {
  const before = await countOfRows();
  await state.whileConnected(work);
  return (await countOfRows()) - before;
}

async function countOfRows(): Promise<number> {
  const [row] = await state.test.sql<{ rows: number }>(`
    select sum(seq_tup_read + idx_tup_fetch)::float8 as rows from pg_stat_user_tables
    where schemaname = 'orca' and relname in ('steps', 'attempts')`);
  return row!.rows;
}
