import { describe, expect, it } from "vitest";
import { monthly } from "../core/partitions.ts";
import { definePipeline } from "../core/pipeline-definition.ts";
import { defineStep } from "../core/step-definition.ts";
import { counted, lastGathers, summaryJson, summaryLines, type RunSummary } from "./run-report.ts";

const load = defineStep("mapped", "load", [() => 1]);
const sum = defineStep("gather", "sum", [{ after: load }, () => 1]);
const most = defineStep("gather", "most", [{ after: load }, () => 1]);
const report = defineStep("gather", "report", [{ after: sum }, () => 1]);
const pipeline = definePipeline("p", { steps: [load, sum, most, report], partitions: monthly("2024-01") });
const counts = { waiting: 0, running: 0, succeeded: 1, failed: 0, skipped: 0, cancelled: 0 };
const summary: RunSummary = {
  pipeline,
  run: undefined,
  partitionCount: 1,
  end: { status: "succeeded", stray: undefined, steps: [{ name: "load", counts }] },
  isLeft: false,
  elapsedMs: 1_500,
  failures: [],
  failureCount: 0,
  outputs: [],
};

describe("what a run says at the end", () => {
  it("is what the gather steps returned that no other follows, and how it ended", () => {
    expect(lastGathers(pipeline)).toEqual(["most", "report"]);
    const outputs = [
      { step: "most", output: { day: "2024-01-31", n: 3n } },
      { step: "report", output: undefined },
    ];
    expect(summaryLines({ ...summary, outputs })).toEqual([
      "most = { day: '2024-01-31', n: 3n }",
      "succeeded in 1.5 s",
    ]);
  });

  it("has the number of failures where it failed", () => {
    const failed = { ...summary, end: { ...summary.end, status: "failed" as const }, failureCount: 1_234 };
    expect(summaryLines(failed)).toEqual(["failed in 1.5 s, 1,234 failures"]);
    expect(counted(1, "failure")).toBe("1 failure");
  });

  it("is JSON, in which what JSON lacks is the nearest that it has", () => {
    const output = {
      n: 1n,
      at: new Date(0),
      never: new Date(NaN),
      nan: NaN,
      bytes: new Uint8Array([1, 2]),
      map: new Map([["a", 1n]]),
      set: new Set([2n]),
      list: [undefined, null, "x"],
    };
    const failure = {
      step: undefined,
      partition: undefined,
      attempts: undefined,
      status: "crashed",
      code: undefined,
      error: "x",
    } as const;
    const outputs = [
      { step: "most", output },
      { step: "report", output: undefined },
    ];
    const json = summaryJson({ ...summary, outputs, failures: [failure], failureCount: 1 });
    expect(JSON.parse(JSON.stringify(json))).toEqual({
      pipeline: "p",
      run: null,
      status: "succeeded",
      partitions: 1,
      seconds: 1.5,
      steps: [{ name: "load", ...counts }],
      failureCount: 1,
      failures: [{ step: null, partition: null, attempts: null, status: "crashed", code: null, error: "x" }],
      outputs: [
        {
          step: "most",
          output: {
            n: "1",
            at: "1970-01-01T00:00:00.000Z",
            never: null,
            nan: "NaN",
            bytes: "AQI=",
            map: [["a", "1"]],
            set: ["2"],
            list: [null, null, "x"],
          },
        },
        { step: "report", output: null },
      ],
    });
  });
});
