import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { StepDefinition } from "../core/step-definition.ts";
import { defineStep } from "../core/step-definition.ts";
import { RunLive } from "./run-live.ts";

const load = defineStep("mapped", "load", [() => 1]);
const total = defineStep("gather", "total", [{ after: load }, () => 1]);
const id = (step: StepDefinition, partition?: string) => ({ step: step.name, partition, attempt: 1 });
const succeeded = { status: "succeeded", output: "1" } as const;

/** A terminal that keeps what is on it: a line that is drawn over is gone. */
function terminal(size: { readonly rows: number; readonly columns: number }) {
  const stream = Object.assign(new PassThrough(), size, { isTTY: true }) as unknown as NodeJS.WriteStream;
  const lines = [""];
  stream.on("data", (data: Buffer) => {
    const text = data.toString().replaceAll("\u001b", "ESC"); // the control characters that move the cursor up and erase
    for (const part of text.split(/(ESC\[\d+A\rESC\[J|\n)/)) {
      const up = /^ESC\[(\d+)A/.exec(part);
      if (up !== null) lines.splice(lines.length - 1 - Number(up[1]), Infinity, "");
      else if (part === "\n") lines.push("");
      else lines.push(lines.pop()! + part);
    }
  });
  return { stream, shown: () => lines.slice(0, -1) };
}

describe("a run's live display", () => {
  it("has a line a step with what has ended, and keeps what is written meanwhile above it", () => {
    const { stream, shown } = terminal({ rows: 24, columns: 80 });
    let now = 0;
    const live = new RunLive(
      [load, total],
      4,
      () => 0,
      stream,
      [stream],
      () => now,
    );
    live.attemptStarted(id(load, "2024-01"));
    live.draw();
    expect(shown()).toEqual([
      "load   ░░░░░░░░░░░░░░░░░░░░░░░░  0/4  1 running",
      "total  ░░░░░░░░░░░░░░░░░░░░░░░░  0/1",
    ]);
    live.attemptEnded(id(load, "2024-01"), succeeded, undefined);
    live.attemptStarted(id(load, "2024-02"));
    live.attemptEnded(id(load, "2024-02"), { status: "failed", error: new Error("boom") }, undefined);
    live.attemptStarted(id(load, "2024-03"));
    stream.write("printed by a step\n");
    now = 4_000;
    live.draw();
    expect(shown()).toEqual([
      "load 2024-02: failed: boom",
      "printed by a step",
      "load   ██████▒▒▒▒▒▒░░░░░░░░░░░░  1/4  1 failed, 1 running, about 4.0 s left",
      "total  ░░░░░░░░░░░░░░░░░░░░░░░░  0/1",
    ]);
    live.attemptEnded(id(load, "2024-03"), { status: "cancelled", error: new Error("x") }, undefined);
    live.skipped("total");
    live[Symbol.dispose]();
    live[Symbol.dispose]();
    stream.write("after\n");
    expect(shown().slice(2)).toEqual([
      "load 2024-03: cancelled: x",
      "load   ██████▒▒▒▒▒▒░░░░░░░░░░░░  1/4  1 failed",
      "total  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒  0/1  1 skipped",
      "after",
    ]);
  });

  it("says how many wait to be tried again", () => {
    const { stream, shown } = terminal({ rows: 24, columns: 100 });
    using live = new RunLive(
      [load],
      2,
      () => 0,
      stream,
      [stream],
      () => 0,
    );
    live.attemptStarted(id(load, "2024-01"));
    live.attemptEnded(id(load, "2024-01"), { status: "failed", error: new Error("boom") }, 1_000);
    live.draw();
    expect(shown().at(-1)).toBe("load  ░░░░░░░░░░░░░░░░░░░░░░░░  0/2  1 to be tried again");
    live.attemptStarted({ ...id(load, "2024-01"), attempt: 2 });
    live.draw();
    expect(shown().at(-1)).toBe("load  ░░░░░░░░░░░░░░░░░░░░░░░░  0/2  1 running");
  });

  it("gives up its bars, and shortens names, before it gives up its counts", () => {
    const { stream, shown } = terminal({ rows: 24, columns: 30 });
    const long = defineStep("mapped", "a-step-with-a-long-name", [() => 1]);
    using live = new RunLive(
      [long],
      1_000,
      () => 0,
      stream,
      [stream],
      () => 0,
    );
    live.attemptStarted(id(long, "2024-01"));
    live.draw();
    expect(shown()).toEqual(["a-step-wi…  0/1000  1 running"]);
  });

  it("stays within the terminal, however narrow and low", () => {
    const { stream, shown } = terminal({ rows: 5, columns: 20 });
    const steps = Array.from({ length: 60 }, (_, i) => defineStep("mapped", `step${i}`, [() => 1]));
    using live = new RunLive(
      steps,
      1,
      () => 0,
      stream,
      [stream],
      () => 0,
    );
    live.draw();
    live.attemptStarted({ step: "step45", partition: "2024-01", attempt: 1 });
    live.draw();
    expect(shown()).toHaveLength(3);
    expect(shown().join("\n")).toContain("step45");
    for (const line of shown()) expect(line.length).toBeLessThan(20);
  });

  it.each([["text"], [Buffer.from("text")]])("keeps what a step printed without a line end", (printed) => {
    const { stream, shown } = terminal({ rows: 24, columns: 80 });
    using live = new RunLive(
      [load],
      1,
      () => 0,
      stream,
      [stream],
      () => 0,
    );
    live.draw();
    stream.write(printed);
    live.draw();
    live.draw();
    expect(shown()).toEqual(["text", "load  ░░░░░░░░░░░░░░░░░░░░░░░░  0/1"]);
  });
});
