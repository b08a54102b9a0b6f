import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordCrash, type Crash } from "./crash.ts";
import type { Journal } from "../core/journal.ts";
import type { OwnedRun } from "./runs.ts";
import { RECORD, recordValues } from "./record.ts";
import { testState, type TestState } from "./state.fixture.ts";

let state: TestState;
beforeAll(async () => void (state = await testState()));
afterAll(async () => await state[Symbol.asyncDispose]());

const crash = { status: "crashed", error: "out of memory", culprit: undefined, retries: { load: 1, sum: 0 } } as const;

/** Records a crash, and gives the run as the next process has it. */
async function record(run: OwnedRun, what: Crash = crash) {
  const next = randomUUID();
  return { attempts: await recordCrash(state.database, run, next, what), run: { ...run, owner: next } };
}
const at = { step: "load", partition: "a", attempt: 1 };
const start = (journal: Journal, step: string, partition: string | undefined, attempt: number) =>
  journal.attemptStarts({ step, partition, attempt }, "1");
const stepsOf = ({ id }: OwnedRun) =>
  state.test.sql("select step, partition, status, failures from orca.steps where run = $1 order by 1, 2", [id]);

it("ends the attempt that was going on with the cause; its step is tried again, until it was tried often enough", async () => {
  const run = await state.begin();
  const journal = await state.journal(run);
  await start(journal, "load", "b", 1);
  await journal.attemptEnded(
    { step: "load", partition: "b", attempt: 1 },
    { status: "succeeded", output: "1" },
    "succeeded",
  );
  await start(journal, "load", "a", 1);
  const crashed = await record(run);
  expect(crashed.attempts).toEqual([{ step: "load", partition: "a", attempt: 1, log: null }]);
  expect(
    await state.test.sql("select status, error from orca.attempts where run = $1 and partition = 'a'", [run.id]),
  ).toEqual([{ status: "crashed", error: "out of memory" }]);
  expect(await stepsOf(run)).toMatchObject([
    { status: "waiting", failures: 1 },
    { status: "succeeded", failures: 0 },
  ]);
  await start(await state.journal(crashed.run), "load", "a", 2);
  const again = await record(crashed.run);
  expect(again.attempts).toMatchObject([{ attempt: 2 }]);
  expect(await stepsOf(run)).toMatchObject([{ status: "failed", failures: 2 }, { status: "succeeded" }]);
  expect((await record(again.run)).attempts).toEqual([]);
  expect((await state.journal(run)).before("load", "a")).toMatchObject({ end: "failed", attempts: 2 });
});

it("suspects all where several partitions were worked on, and fails none by it, save those suspected before", async () => {
  const run = await state.begin();
  const journal = await state.journal(run);
  await start(journal, "load", "a", 1);
  await start(journal, "sum", undefined, 1);
  const crashed = await record(run);
  expect(crashed.attempts).toHaveLength(2);
  expect(await stepsOf(run)).toMatchObject([
    { status: "waiting", failures: 0 },
    { status: "waiting", failures: 0 },
  ]);
  const again = await state.journal(crashed.run);
  expect(again.suspects).toBe(2);
  expect(again.before("load", "a")).toMatchObject({ attempts: 1, failures: 0, isSuspect: true });
  await start(again, "load", "a", 2);
  await start(again, "sum", undefined, 2);
  await record(crashed.run);
  expect(await stepsOf(run)).toMatchObject([
    { step: "load", status: "waiting", failures: 1 },
    { step: "sum", status: "failed", failures: 1 },
  ]);
});

it("knows the culprit of a process that was blocked: the others wait to be tried again", async () => {
  const run = await state.begin();
  const journal = await state.journal(run);
  await start(journal, "sum", undefined, 1);
  await start(journal, "load", "a", 1);
  await record(run, {
    ...crash,
    status: "timed-out",
    culprit: { step: "sum", partition: undefined },
  });
  expect(await stepsOf(run)).toMatchObject([
    { step: "load", status: "waiting", failures: 0 },
    { step: "sum", status: "failed", failures: 1 },
  ]);
  expect(await state.test.sql("select step, status from orca.attempts where run = $1 order by 1", [run.id])).toEqual([
    { step: "load", status: "crashed" },
    { step: "sum", status: "timed-out" },
  ]);
});

it("leaves a step that was cut off by a cancellation as cancelled", async () => {
  const run = await state.begin();
  const journal = await state.journal(run);
  await journal.attemptStarts({ step: "load", partition: "a", attempt: 1 }, "1");
  await record(run, { ...crash, status: "cancelled" });
  expect(await state.test.sql("select status, failures from orca.steps where run = $1", [run.id])).toEqual([
    { status: "cancelled", failures: 0 },
  ]);
});

it("records nothing of a run that another process has", async () => {
  const run = await state.begin();
  await expect(record({ ...run, owner: randomUUID() })).rejects.toMatchObject({
    code: "run-lost",
  });
});

it("recorded again, since the reply was lost, finds what it did", async () => {
  const run = await state.begin();
  await start(await state.journal(run), "load", "a", 1);
  const next = randomUUID();
  expect(await recordCrash(state.database, run, next, crash)).toHaveLength(1);
  expect(await recordCrash(state.database, run, next, crash)).toHaveLength(1);
});

it("waits for what the process had sent, and believes it", async () => {
  const run = await state.begin();
  await start(await state.journal(run), "load", "a", 1);
  const end = { ...at, kind: "end", status: "succeeded", stepStatus: "succeeded", output: "1", error: null } as const;
  const values = [...recordValues(run.id, run.owner, [end])];
  const crashed = await state.whileOpen(
    (client) => client.query({ ...RECORD, values }),
    1,
    () => record(run),
  );
  expect(crashed.attempts).toEqual([]);
  expect(await stepsOf(run)).toMatchObject([{ status: "succeeded" }]);
});

it("refuses what arrives of the process when its crash is recorded", async () => {
  const run = await state.begin();
  const journal = await state.journal(run);
  const crashed = await record(run);
  await expect(start(journal, "load", "a", 1)).rejects.toMatchObject({ code: "run-lost" });
  await start(await state.journal(crashed.run), "load", "a", 1);
});
