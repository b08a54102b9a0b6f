/** A run, in the process that has its steps. */
import { EXIT } from "../core/errors.ts";
import type { PartitionKey } from "../core/keys/partition-key.ts";
import type { LogPlace } from "../logs/log-place.ts";
import { retryWaitMs } from "../core/retry.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import { currentAttempt } from "../run/attempt.ts";
import type { RunEnd, RunObserver } from "../run/run-options.ts";
import { captureOutput } from "../run/logs/capture-output.ts";
import { RunLogs } from "../run/logs/run-logs.ts";
import type { MemoryRunOptions } from "../run/run-in-memory.ts";
import { stackInSource } from "../registry/position.ts";
import { SUPERVISED } from "../registry/supervised.ts";
import { connectToOuter, type Outer } from "../run/supervised.ts";
import { openTables } from "../tables/open-tables.ts";
import { ExitWith, type Terminal } from "./command-line.ts";
import { type Environment, warehouseAccess } from "./environment.ts";
import { errorLine } from "./error-line.ts";
import { inMemory, recorded, type InnerRun, type RunResult } from "./inner-run.ts";
import type { RunManner, Runnable } from "./run-command.ts";
import { displayRun, type Display } from "./run-display.ts";
import type { RunLines } from "./run-lines.ts";
import { counted, lastGathers, outputsOf, summaryJson, summaryLines } from "./run-report.ts";

/** Runs to the end, and exits by how it ended. @param keys gives the partitions of a run in memory. */
export async function runInside(
  runnable: Runnable,
  manner: RunManner,
  environment: Environment,
  terminal: Terminal,
  keys: () => Promise<readonly PartitionKey[]>,
): Promise<never> {
  delete process.env[SUPERVISED]; // what steps start is no inner process
  const outer = connectToOuter();
  try {
    await using run =
      environment.ORCA_DATABASE_URL === undefined
        ? inMemory(runnable, await keys())
        : await recorded(runnable, outer, environment, terminal);
    const status = await runAndReport(run, runnable, manner, environment, terminal, outer);
    throw new ExitWith(EXIT[status]);
  } finally {
    await outer.over();
  }
}

async function runAndReport(
  inner: InnerRun,
  { pipeline }: Runnable,
  manner: RunManner,
  environment: Environment,
  terminal: Terminal,
  outer: Outer,
): Promise<RunEnd["status"]> {
  const { id, keys } = inner;
  const now = () => performance.now();
  const display = displayRun(pipeline, keys.length, inner.doneBefore, manner.isJson, terminal, now);
  const { end, journal } = await runShown(inner, display, pipeline, manner, environment, outer);
  const summary = {
    pipeline,
    run: id,
    partitionCount: keys.length,
    end,
    isLeft: id !== undefined && end.status === "cancelled" && outer.signal.reason === "leave",
    elapsedMs: Date.now() - inner.takenAt,
    failures: display.lines.failures,
    failureCount: display.lines.failureCount,
    outputs: await outputsOf(pipeline, end, journal),
  };
  await outer.over();
  const text = manner.isJson ? [JSON.stringify(summaryJson(summary), undefined, 2)] : summaryLines(summary);
  terminal.stdout.write(`${text.join("\n")}\n`);
  return end.status;
}

async function runShown(
  inner: InnerRun,
  shown: Display,
  pipeline: PipelineDefinition,
  { concurrency }: RunManner,
  environment: Environment,
  { signal, watchdog, logEnded }: Outer,
): Promise<RunResult> {
  const { id, keys, run, logPlace, isAgain, failedBefore } = inner;
  using display = shown;
  const { lines, observer } = display;
  await using tables = await openTables(pipeline.steps, {
    ...inner,
    warehouse: environment.ORCA_WAREHOUSE,
    access: warehouseAccess(environment),
  });
  using logs = logPlace && logsOf(logPlace, pipeline.name, id!, lines, logEnded);
  using _ = logs && captureOutput(() => logs.of(currentAttempt.getStore()?.id));
  signal.addEventListener("abort", () => display.stopping(), { once: true });
  const where = id === undefined ? "in memory: nothing is recorded" : `run ${id}`;
  if (!isAgain) lines.say(`${pipeline.name}: ${counted(keys.length, "partition")} (${spanOf(keys)}), ${where}`);
  for (const failed of failedBefore) observer.failedBefore(failed);
  const options: MemoryRunOptions = {
    keys,
    tables,
    concurrency,
    kept: lastGathers(pipeline),
    log: (attempt, text) => {
      logs?.of(attempt.id)?.line(text); // first: what was shown is in the log, also if the process dies now
      lines.log(attempt.id, text);
    },
    observer: logs === undefined ? observer : logged(observer, logs),
    signal,
    watchdog,
    graceMs: environment.ORCA_GRACE_SECONDS * 1000,
    retryWaitMs: (attempt) => retryWaitMs(attempt, Math.random()),
    ownsProcess: true,
  };
  return await run(options, logs);
}

function logsOf(
  place: LogPlace,
  pipeline: string,
  run: number,
  lines: RunLines,
  ended: (file: string) => void,
): RunLogs {
  return new RunLogs(place, {
    pipeline,
    run,
    now: Date.now,
    errorLine,
    shownStack: stackInSource,
    warn: (sentence) => lines.say(`warning: ${sentence}`),
    ended: place.bucket === undefined ? undefined : ended,
  });
}

/** An observer that keeps logs too. */
function logged(observer: RunObserver, logs: RunLogs): RunObserver {
  return {
    attemptStarted(id) {
      logs.start(id);
      observer.attemptStarted(id);
    },
    attemptEnded(id, outcome, retryMs) {
      logs.end(id, outcome);
      observer.attemptEnded(id, outcome, retryMs);
    },
    skipped: (step, partition, because) => observer.skipped(step, partition, because),
    stray: (error) => observer.stray(error),
  };
}

function spanOf(keys: readonly PartitionKey[]): string {
  return keys.length === 1 ? keys[0]! : `${keys[0]} to ${keys.at(-1)}`;
}
