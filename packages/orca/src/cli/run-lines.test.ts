import { expect, it } from "vitest";
import { OrcaError } from "../core/errors.ts";
import { RunLines } from "./run-lines.ts";

const id = { step: "load", partition: "2024-01", attempt: 1 };
const boom = { status: "failed", error: new Error("boom") } as const;

function linesOf(isBrief: boolean) {
  const written: string[] = [];
  let now = 0;
  const lines = new RunLines(
    (line) => written.push(line),
    isBrief,
    () => now,
  );
  return { lines, written, pass: (ms: number) => (now += ms) };
}

it("a run's lines tell how each step ended, in which attempt, and when it is tried again", () => {
  const { lines, written, pass } = linesOf(false);
  lines.attemptStarted(id);
  lines.attemptEnded(id, boom, 1_000);
  lines.attemptStarted({ ...id, attempt: 2 });
  pass(2_500);
  lines.attemptEnded({ ...id, attempt: 2 }, { status: "succeeded", output: "1" }, undefined);
  lines.attemptStarted({ step: "total", partition: undefined, attempt: 1 });
  lines.attemptEnded({ step: "total", partition: undefined, attempt: 1 }, boom, undefined);
  lines.skipped("report", undefined, "total");
  lines.log(id, "two\nlines");
  lines.stray(new OrcaError("step-crashed", "left alone"));
  expect(written).toEqual([
    "load 2024-01: failed in attempt 1: boom; trying again in 1.0 s",
    "load 2024-01: succeeded in 2.5 s",
    "total: failed: boom",
    "report: skipped, since 'total' didn't succeed",
    "load 2024-01 | two",
    "load 2024-01 | lines",
    "left alone",
  ]);
  expect(lines.failures).toEqual([
    { step: "total", partition: undefined, attempts: 1, status: "failed", code: undefined, error: "boom" },
    {
      step: undefined,
      partition: undefined,
      attempts: undefined,
      status: "crashed",
      code: "step-crashed",
      error: "left alone",
    },
  ]);
});

it("where they are brief they leave success out", () => {
  const { lines, written } = linesOf(true);
  lines.attemptStarted(id);
  lines.attemptEnded(id, { status: "succeeded", output: "1" }, undefined);
  expect(written).toEqual([]);
});

it("keeps the first thousand failures, and counts all; a cancelled step is none", () => {
  const { lines } = linesOf(true);
  for (let i = 0; i < 1_001; i++) lines.attemptEnded(id, boom, undefined);
  lines.attemptEnded(id, { status: "cancelled", error: new Error("x") }, undefined);
  expect([lines.failures.length, lines.failureCount]).toEqual([1_000, 1_001]);
});
