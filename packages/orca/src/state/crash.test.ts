import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordCrash } from "./crash.ts";
import type { Journal } from "../core/journal.ts";
import type { OwnedRun } from "./runs.ts";
import { testState, type TestState } from "./state.fixture.ts";

let state: TestState;
beforeAll(async () => void (state = await testState()));
afterAll(async () => await state[Symbol.asyncDispose]());

const crash = { status: "crashed", error: "out of memory", culprit: undefined, retries: { load: 1, sum: 0 } } as const;

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
  expect(await recordCrash(state.database, run, crash)).toBe(1);
  expect(
    await state.test.sql("select status, error from orca.attempts where run = $1 and partition = 'a'", [run.id]),
  ).toEqual([{ status: "crashed", error: "out of memory" }]);
  expect(await stepsOf(run)).toMatchObject([
    { status: "waiting", failures: 1 },
    { status: "succeeded", failures: 0 },
  ]);
  await start(await state.journal(run), "load", "a", 2);
  expect(await recordCrash(state.database, run, crash)).toBe(1);
  expect(await stepsOf(run)).toMatchObject([{ status: "failed", failures: 2 }, { status: "succeeded" }]);
  expect(await recordCrash(state.database, run, crash)).toBe(0);
  expect((await state.journal(run)).before("load", "a")).toMatchObject({ end: "failed", attempts: 2 });
});

it("suspects all where several partitions were worked on, and fails none by it, save those suspected before", async () => {
  const run = await state.begin();
  const journal = await state.journal(run);
  await start(journal, "load", "a", 1);
  await start(journal, "sum", undefined, 1);
  expect(await recordCrash(state.database, run, crash)).toBe(2);
  expect(await stepsOf(run)).toMatchObject([
    { status: "waiting", failures: 0 },
    { status: "waiting", failures: 0 },
  ]);
  const again = await state.journal(run);
  expect(again.suspects).toBe(2);
  expect(again.before("load", "a")).toMatchObject({ attempts: 1, failures: 0, isSuspect: true });
  await start(again, "load", "a", 2);
  await start(again, "sum", undefined, 2);
  await recordCrash(state.database, run, crash);
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
  await recordCrash(state.database, run, {
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
  await recordCrash(state.database, run, { ...crash, status: "cancelled" });
  expect(await state.test.sql("select status, failures from orca.steps where run = $1", [run.id])).toEqual([
    { status: "cancelled", failures: 0 },
  ]);
});

it("records nothing of a run that another process has", async () => {
  const run = await state.begin();
  await expect(recordCrash(state.database, { ...run, owner: randomUUID() }, crash)).rejects.toMatchObject({
    code: "run-lost",
  });
});
