import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { monthly } from "../core/partitions.ts";
import { definePipeline } from "../core/pipeline-definition.ts";
import { defineStep } from "../core/step-definition.ts";
import type { AttemptLog } from "../run/logs/attempt-log.ts";
import { captureOutput } from "../run/logs/capture-output.ts";
import type { Terminal } from "./command-line.ts";
import { displayRun } from "./run-display.ts";

const id = { step: "load", partition: "2024-01", attempt: 1 };
const pipeline = definePipeline("p", {
  steps: [defineStep("mapped", "load", [() => 1])],
  partitions: monthly("2024-01"),
});

describe("what a run shows while a step runs isn't the step's output", () => {
  it.each([
    ["drawn", true, false],
    ["in lines", false, false],
    ["beside JSON", false, true],
  ])("%s", (_how, isTTY, isJson) => {
    const stream = () => Object.assign(new PassThrough(), { isTTY, rows: 24, columns: 80 });
    const terminal = { stdout: stream(), stderr: stream(), env: {} } as unknown as Terminal;
    const logged: string[] = [];
    const log: Pick<AttemptLog, "output"> = { output: (name, chunk) => logged.push(`${name} ${chunk as string}`) };
    const display = displayRun(
      pipeline,
      1,
      () => 0,
      isJson,
      terminal,
      () => 0,
    );
    const capture = captureOutput(() => log, terminal);
    display.observer.attemptStarted(id);
    display.lines.log(id, "logged");
    terminal.stdout.write("to stdout\n");
    terminal.stderr.write("to stderr\n");
    display.observer.attemptEnded(id, { status: "failed", error: new Error("boom") }, undefined);
    capture[Symbol.dispose]();
    display[Symbol.dispose]();
    expect(logged).toEqual(["stdout to stdout\n", "stderr to stderr\n"]);
    const [out, err] = [String(terminal.stdout.read() ?? ""), String(terminal.stderr.read() ?? "")];
    const progress = isJson ? err : out;
    expect(progress).toContain("load 2024-01 | logged\n");
    expect(progress).toContain("to stdout\n");
    expect(progress).toContain("load 2024-01: failed: boom\n");
    expect(err).toContain("to stderr\n");
  });
});

it("begins its lines on lines of their own where a step printed without a line end", () => {
  const stream = () => Object.assign(new PassThrough(), { isTTY: false });
  const terminal = { stdout: stream(), stderr: stream(), env: {} } as unknown as Terminal;
  const display = displayRun(
    pipeline,
    1,
    () => 0,
    false,
    terminal,
    () => 0,
  );
  terminal.stdout.write("no line end");
  display.lines.say("first");
  display.lines.say("second");
  display[Symbol.dispose]();
  expect(String(terminal.stdout.read())).toBe("no line end\nfirst\nsecond\n");
});
