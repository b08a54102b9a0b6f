import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { Month } from "../../core/keys/month.ts";
import { monthly } from "../../core/partitions.ts";
import { definePipeline } from "../../core/pipeline-definition.ts";
import { defineStep } from "../../core/step-definition.ts";
import { SqlTables } from "../../tables/sql/sql-tables.ts";
import { currentAttempt } from "../attempt.ts";
import { runInThisProcess } from "../run-in-memory.ts";
import { captureOutput } from "./capture-output.ts";
import { RunLogs } from "./run-logs.ts";

it("each attempt of a run has what it logged and printed, and no other's, while they run at once", async () => {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const load = defineStep("mapped", "load", [
    { retries: 1 },
    async (ctx: any, month: string) => {
      streams.stdout.write(`begins ${month}`);
      if (++begun === 2) both.resolve();
      await both.promise; // each has begun a line before either ends it
      ctx.log("%s rows", ctx.attempt);
      streams.stdout.write(", ends\n");
      await new Promise((resolve) => setTimeout(resolve, 1));
      streams.stderr.write(`timer of ${month}\n`);
      if (ctx.attempt === 1 && month === "2024-02") throw new Error("boom");
    },
  ]);
  const total = defineStep("gather", "total", [{ after: load }, (ctx: any) => ctx.log("all")]);
  const pipeline = definePipeline("lake", { steps: [load, total], partitions: monthly("2024-01") });
  using work = mkdtempDisposableSync(path.join(tmpdir(), "orca-logs-"));
  const warnings: string[] = [];
  using logs = new RunLogs(
    { folder: work.path, bucket: undefined },
    {
      pipeline: pipeline.name,
      run: 7,
      warn: (sentence) => warnings.push(sentence),
      now: () => Date.parse("2026-11-30T01:02:03.456Z"),
      errorLine: (error) => error.message,
      shownStack: (stack) => stack,
    },
  );
  using _capture = captureOutput(() => logs.of(currentAttempt.getStore()?.id), streams);
  const { end } = await runInThisProcess(pipeline, {
    keys: [Month("2024-01"), Month("2024-02")],
    tables: new SqlTables(),
    kept: [],
    concurrency: 2,
    log: (attempt, text) => logs.of(attempt.id)?.line(text),
    observer: {
      attemptStarted: (id) => logs.start(id),
      attemptEnded: (id, outcome) => logs.end(id, outcome),
      skipped: () => {},
      stray: () => {},
    },
    signal: new AbortController().signal,
    graceMs: 20,
    retryWaitMs: () => 0,
    ownsProcess: false,
  });
  expect([end.status, warnings]).toEqual(["succeeded", []]);
  const read = (file: string) =>
    readFileSync(path.join(work.path, "lake/7", file), "utf8")
      .split("\n")
      .map((line) => line.slice("2026-11-30T01:02:03.456Z ".length))
      .filter((line) => !line.startsWith("stack "));
  expect(read("load/2024-01/1.log")).toEqual([
    "start step 'load' of 2024-01, attempt 1",
    "log   1 rows",
    "out   begins 2024-01, ends",
    "err   timer of 2024-01",
    "end   succeeded in 0 ms",
    "",
  ]);
  expect(read("load/2024-02/1.log").slice(-3)).toEqual(["err   timer of 2024-02", "end   failed in 0 ms: boom", ""]);
  expect(read("load/2024-02/2.log")).toEqual([
    "start step 'load' of 2024-02, attempt 2",
    "log   2 rows",
    "out   begins 2024-02, ends",
    "err   timer of 2024-02",
    "end   succeeded in 0 ms",
    "",
  ]);
  expect(read("total/1.log")).toEqual(["start step 'total', attempt 1", "log   all", "end   succeeded in 0 ms", ""]);
});
