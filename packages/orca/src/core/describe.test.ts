import { task } from "@orcajs/dista";
import { expect, it } from "vitest";
import { dataset } from "./datasets/dataset.ts";
import { describePipeline } from "./describe.ts";
import { keyed, monthly } from "./partitions.ts";
import { definePipeline } from "./pipeline-definition.ts";
import { cron } from "./schedule/cron.ts";
import { defineStep } from "./step-definition.ts";

const raw = dataset("lake.raw", { id: "long" }, { partitionBy: ["id"], sortBy: ["id desc"], doc: "Rows." });
const count = task("count", async () => 1);
const load = defineStep("mapped", "load", [
  { retries: 2, timeout: "1500ms", reads: ["lake.source"], writes: [raw], tasks: [count] },
  () => 1,
]);
const total = defineStep("gather", "total", [{ after: load, reads: [raw] }, () => 1]);

it("a pipeline over months is described whole", () => {
  const pipeline = definePipeline("lake", {
    steps: [load, total],
    partitions: monthly("2024-01"),
    schedule: cron("@daily", "Asia/Tokyo"),
    fills: "previous",
    catchup: false,
    sensor: true,
    maxRuns: 3,
    runRetries: 4,
    concurrency: 5,
  });
  const code = {
    hash: "0x1",
    steps: [{ name: "load", hash: "0x2" }],
    tasks: [{ name: "count", hash: "0x3" }],
  };
  expect(describePipeline(pipeline, code, { commit: "c" })).toEqual({
    pipeline: "lake",
    hash: "0x1",
    partitions: { kind: "monthly", start: "2024-01" },
    schedule: { cron: "@daily", timeZone: "Asia/Tokyo" },
    fills: "previous",
    catchup: false,
    keysPerRun: null,
    sensor: true,
    maxRuns: 3,
    runRetries: 4,
    concurrency: 5,
    steps: [
      {
        name: "load",
        kind: "mapped",
        after: [],
        retries: 2,
        timeoutSeconds: 1.5,
        reads: ["lake.source"],
        writes: ["lake.raw"],
        tasks: ["count"],
        hash: "0x2",
      },
      {
        name: "total",
        kind: "gather",
        after: ["load"],
        retries: 0,
        timeoutSeconds: null,
        reads: ["lake.raw"],
        writes: [],
        tasks: [],
        hash: null,
      },
    ],
    datasets: [
      { name: "lake.source", columns: null, partitionBy: null, sortBy: null, doc: null },
      {
        name: "lake.raw",
        columns: [{ name: "id", type: { type: "long" }, nullable: false }],
        partitionBy: [{ transform: "identity", column: "id" }],
        sortBy: [{ transform: "identity", column: "id", direction: "desc", nulls: "last" }],
        doc: "Rows.",
      },
    ],
    tasks: [{ name: "count", hash: "0x3" }],
    source: { commit: "c" },
  });
});

it("what a pipeline doesn't say is described by its default, and what its partitions don't have as null", () => {
  const step = defineStep("mapped", "s", [() => 1]);
  const byMonth = definePipeline("p", { steps: [step], partitions: monthly("2024-01") });
  expect(describePipeline(byMonth, null, null)).toMatchObject({
    schedule: null,
    fills: "current",
    catchup: true,
    keysPerRun: null,
    sensor: false,
    maxRuns: 1,
    runRetries: 0,
    concurrency: null,
  });
  const byName = definePipeline("p", { steps: [step], partitions: keyed("lake.raw", "id") });
  expect(describePipeline(byName, null, null)).toMatchObject({ fills: null, catchup: null, keysPerRun: 1 });
});
