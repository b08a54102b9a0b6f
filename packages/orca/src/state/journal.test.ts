import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttemptId, Outcome } from "../core/journal.ts";
import { Database } from "./database.ts";
import { Listener } from "./listen.ts";
import { RECORD, recordValues, type Change } from "./record.ts";
import { askToCancel } from "./cancel.ts";
import { endRun, releaseRun, type OwnedRun } from "./runs.ts";
import { testState, type TestState } from "./state.fixture.ts";

let state: TestState;
beforeAll(async () => void (state = await testState()));
afterAll(async () => await state[Symbol.asyncDispose]());

const first: AttemptId = { step: "load", partition: "a", attempt: 1 };
const second: AttemptId = { ...first, attempt: 2 };
const gather: AttemptId = { step: "sum", partition: undefined, attempt: 1 };
const success = (output: string): Outcome => ({ status: "succeeded", output });
const failure = (message: string): Outcome => ({ status: "failed", error: new Error(message) });

const stepsOf = ({ id }: OwnedRun) =>
  state.test.sql(
    "select step, partition, status, input, output, attempts, failures from orca.steps where run = $1 order by 1, 2",
    [id],
  );
const attemptsOf = ({ id }: OwnedRun) =>
  state.test.sql("select step, partition, attempt, status, error from orca.attempts where run = $1 order by 1, 2, 3", [
    id,
  ]);

describe("the journal", () => {
  it("records a step's attempts with what it took, gave and failed by", async () => {
    const run = await state.begin();
    const journal = await state.journal(run);
    expect(await journal.attemptStarts(first, '"a"')).toBe('"a"');
    expect(await stepsOf(run)).toEqual([
      { step: "load", partition: "a", status: "running", input: '"a"', output: null, attempts: 1, failures: 0 },
    ]);
    await journal.attemptEnded(first, failure("bo\0om"), undefined);
    expect(await stepsOf(run)).toMatchObject([{ status: "waiting", failures: 1 }]);
    await journal.attemptStarts(second, '"a"');
    await journal.attemptEnded(second, success("7"), "succeeded");
    await journal.attemptStarts(gather, "[7]");
    await journal.attemptEnded(gather, failure("no"), "failed");
    await journal.skipped("report", "b");
    expect(await stepsOf(run)).toEqual([
      { step: "load", partition: "a", status: "succeeded", input: '"a"', output: "7", attempts: 2, failures: 1 },
      { step: "report", partition: "b", status: "skipped", input: null, output: null, attempts: 0, failures: 0 },
      { step: "sum", partition: "", status: "failed", input: "[7]", output: null, attempts: 1, failures: 1 },
    ]);
    expect(await attemptsOf(run)).toEqual([
      { step: "load", partition: "a", attempt: 1, status: "failed", error: "bo�om" },
      { step: "load", partition: "a", attempt: 2, status: "succeeded", error: null },
      { step: "sum", partition: "", attempt: 1, status: "failed", error: "no" },
    ]);
  });

  it("keeps every text that an output may have", async () => {
    const run = await state.begin();
    const journal = await state.journal(run);
    const output = JSON.stringify(["\0", "\ud800", -0, 1e300, "🐋", "\\"]);
    await journal.attemptStarts(first, output);
    await journal.attemptEnded(first, success(output), "succeeded");
    const resumed = await state.journal(run);
    expect(await resumed.output("load", "a")).toBe(output);
  });

  it("sends what waits at the same moment together: a statement for any number of changes", async () => {
    const keys = Array.from({ length: 100 }, (_, i) => `k${i}`);
    const run = await state.begin(keys);
    const statements: string[] = [];
    const counted = new Database(state.test.url, { patienceMs: 0, warn: () => {} });
    const query = counted.query.bind(counted);
    counted.query = (statement, values) => {
      statements.push(statement.name);
      return query(statement, values);
    };
    const journal = await state.journal(run, counted);
    statements.length = 0;
    await Promise.all(keys.map((partition) => journal.attemptStarts({ ...first, partition }, "1")));
    await Promise.all(
      keys.map((partition) => journal.attemptEnded({ ...first, partition }, success("1"), "succeeded")),
    );
    expect(statements).toEqual(["record", "record"]);
    expect(await journal.outputs("load")).toEqual(keys.map(() => "1"));
    await counted[Symbol.asyncDispose]();
  });

  it("tells whoever looks that steps have changed, also of those that follow within a moment", async () => {
    const run = await state.begin();
    const journal = await state.journal(run);
    let listens = false;
    let heard = 0;
    await using _ = new Listener(state.test.url, (what) => {
      if (what === "") listens = true;
      if (what === `steps:lake:${run.id}`) heard++;
    });
    await expect.poll(() => listens).toBe(true);
    await journal.attemptStarts(first, '"a"');
    await expect.poll(() => heard).toBe(1);
    await journal.attemptEnded(first, failure("no"), undefined);
    await expect.poll(() => heard).toBe(2);
  });

  it("has its statement planned five times, however often it is sent", async () => {
    const run = await state.begin();
    await using one = new Database(state.test.url, { patienceMs: 0, warn: () => {}, connections: 1 });
    const journal = await state.journal(run, one);
    for (let attempt = 1; attempt <= 10; attempt++) {
      await journal.attemptStarts({ ...first, attempt }, "1");
      await journal.attemptEnded({ ...first, attempt }, failure("no"), undefined);
    }
    const text = "select custom_plans::int as planned from pg_prepared_statements where name = 'record'";
    expect(await one.query({ name: "planned", text }, [])).toEqual([{ planned: 5 }]); // then Postgres keeps a plan
  });

  it("finds what it did, when it is sent again since the reply was lost", async () => {
    const run = await state.begin();
    const start = {
      kind: "start",
      step: "load",
      partition: "a",
      attempt: 1,
      hash: "0xa",
      input: "1",
      log: null,
    } as const;
    const end = {
      kind: "end",
      step: "load",
      partition: "a",
      attempt: 1,
      status: "failed",
      stepStatus: "waiting",
      output: null,
      error: "x",
    } as const;
    const send = (change: Change) => state.database.query(RECORD, recordValues(run.id, run.owner, [change]));
    for (const change of [start, start, end, end])
      expect(await send(change)).toMatchObject([{ kind: change.kind, n: 1, ok: true }]);
    expect(await stepsOf(run)).toMatchObject([{ attempts: 1, failures: 1, status: "waiting" }]);
    for (const attempt of [2, 2]) expect(await send({ ...start, attempt, input: "2" })).toMatchObject([{ input: "1" }]);
    await send({ ...end, attempt: 2 });
    // and takes no other end for it
    expect(
      await state.database.query(RECORD, recordValues(run.id, run.owner, [{ ...end, status: "crashed" }])),
    ).toMatchObject([{ ok: false }]);
  });

  it("finds what it did also where the server was still doing it, over a connection that was lost", async () => {
    const run = await state.begin();
    const journal = await state.journal(run);
    const at = { step: "load", partition: "a", attempt: 1 };
    const sent = (change: Change) => (client: pg.ClientBase) =>
      client.query({ ...RECORD, values: [...recordValues(run.id, run.owner, [change])] });
    const start = sent({ kind: "start", ...at, hash: "0xa", input: "1", log: null });
    await state.whileOpen(start, 1, () => journal.attemptStarts(first, "1"));
    const end = sent({ kind: "end", ...at, status: "succeeded", stepStatus: "succeeded", output: "1", error: null });
    await state.whileOpen(end, 1, () => journal.attemptEnded(first, success("1"), "succeeded"));
    expect(await stepsOf(run)).toMatchObject([{ attempts: 1, status: "succeeded" }]);
  });

  it("records nothing once another process has the run", async () => {
    const run = await state.begin();
    const journal = await state.journal(run);
    await journal.attemptStarts(first, "1");
    await releaseRun(state.database, run);
    const claimed = await state.claim(run);
    const lost = `another process took run ${run.id} over: what this one did since isn't recorded`;
    await expect(journal.attemptEnded(first, success("1"), "succeeded")).rejects.toThrow(lost);
    await expect(journal.attemptStarts(gather, "1")).rejects.toThrow(lost);
    await expect(journal.skipped("sum", undefined)).rejects.toThrow(lost);
    expect(await attemptsOf(run)).toEqual([
      {
        step: "load",
        partition: "a",
        attempt: 1,
        status: "lost",
        error: "its process was gone: the run's heartbeat had stopped",
      },
    ]);
    expect(await stepsOf(run)).toMatchObject([{ status: "waiting" }]);
    await endRun(state.database, claimed, "failed", null);
  });

  it("starts nothing once the run's cancellation was asked for, and records how the rest ends", async () => {
    const run = await state.begin();
    const journal = await state.journal(run);
    await journal.attemptStarts(first, "1");
    await askToCancel(state.database, run.id, 30_000, "me");
    await expect(journal.attemptStarts(gather, "1")).rejects.toMatchObject({ code: "cancelled" });
    await journal.attemptEnded(first, success("1"), "succeeded");
    expect(await stepsOf(run)).toMatchObject([{ step: "load", status: "succeeded" }]);
  });
});

describe("a run that is resumed", () => {
  it("knows what succeeded, how often the rest was tried, and gives it the input that was recorded", async () => {
    const run = await state.begin();
    const journal = await state.journal(run);
    for (const partition of ["a", "b"]) await journal.attemptStarts({ ...first, partition }, `"${partition}"`);
    await journal.attemptEnded(first, success("1"), "succeeded");
    await journal.attemptEnded({ ...first, partition: "b" }, failure("no"), "failed");
    await journal.skipped("sum", undefined);
    await endRun(state.database, run, "failed", null);

    const resumed = await state.journal(await state.claim(run));
    expect(resumed.before("load", "a")).toMatchObject({ end: "succeeded", attempts: 1, failures: 0 });
    expect(resumed.before("load", "b")).toMatchObject({ end: undefined, attempts: 1, failures: 0 });
    expect(resumed.before("load", "c")).toBeUndefined();
    expect(await resumed.output("load", "a")).toBe("1");
    expect(await resumed.attemptStarts({ step: "load", partition: "b", attempt: 2 }, '"other"')).toBe('"b"');
  });

  it("by other code takes the new input for a step that has changed", async () => {
    const run = await state.begin();
    const journal = await state.journal(run);
    await journal.attemptStarts(first, '"old"');
    await journal.attemptEnded(first, failure("no"), "failed");
    await state.test.sql("update orca.steps set hash = '0xold' where run = $1", [run.id]);
    expect(await journal.attemptStarts(second, '"new"')).toBe('"new"');
  });

  it("reads many outputs that wait at the same moment in one statement", async () => {
    const keys = Array.from({ length: 50 }, (_, i) => `k${i}`);
    const run = await state.begin(keys);
    const journal = await state.journal(run);
    await Promise.all(keys.map((partition) => journal.attemptStarts({ ...first, partition }, "1")));
    await Promise.all(
      keys.map((partition) => journal.attemptEnded({ ...first, partition }, success(`"${partition}"`), "succeeded")),
    );
    const resumed = await state.journal(run);
    expect(await Promise.all(keys.map(async (key) => await resumed.output("load", key)))).toEqual(
      keys.map((key) => `"${key}"`),
    );
    await expect(resumed.output("load", randomUUID())).rejects.toThrow("no output of load/");
  });
});
