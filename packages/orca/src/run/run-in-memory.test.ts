import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { Day } from "../core/keys/day.ts";
import { daily } from "../core/partitions.ts";
import { definePipeline } from "../core/pipeline-definition.ts";
import { defineStep } from "../core/step-definition.ts";
import { SqlTables } from "../tables/sql/sql-tables.ts";
import { runInThisProcess } from "./run-in-memory.ts";

it.each([
  ["as many partitions as the machine has cores", undefined, undefined, availableParallelism()],
  ["as many as the pipeline says", 3, undefined, 3],
  ["as many as the run says", 3, 5, 5],
])("works on %s at once", async (_, ofPipeline, ofRun, expected) => {
  const { promise: allWorking, resolve } = Promise.withResolvers<void>();
  let working = 0;
  let most = 0;
  const step = defineStep("mapped", "s", [
    async () => {
      most = Math.max(most, ++working);
      if (working === expected) resolve();
      await allWorking;
      working--;
    },
  ]);
  const pipeline = definePipeline("p", { steps: [step], partitions: daily("2024-01-01"), concurrency: ofPipeline });
  const first = Day("2024-01-01");
  await using tables = new SqlTables();
  const { end } = await runInThisProcess(pipeline, {
    keys: Day.range(first, Day.add(first, expected + 5)),
    tables,
    concurrency: ofRun,
    kept: [],
    log: () => {},
    observer: { attemptStarted: () => {}, attemptEnded: () => {}, skipped: () => {}, stray: () => {} },
    signal: new AbortController().signal,
    graceMs: 100,
    retryWaitMs: () => 0,
    ownsProcess: false,
  });
  expect({ status: end.status, most }).toEqual({ status: "succeeded", most: expected });
});
