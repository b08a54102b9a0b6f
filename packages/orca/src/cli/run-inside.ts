/** A run, in the process that has its steps. */
import { EXIT } from "../core/errors.ts";
import type { PartitionKey } from "../core/keys/partition-key.ts";
import type { Journal } from "../core/journal.ts";
import { retryWaitMs } from "../core/retry.ts";
import type { RunEnd } from "../run/driver.ts";
import { runInThisProcess, type MemoryRunOptions } from "../run/run-in-memory.ts";
import { connectToOuter, type Outer } from "../run/supervised.ts";
import type { Handover } from "../run/supervision.ts";
import { MemoryTables } from "../tables/memory-tables.ts";
import { ExitWith, type Terminal } from "./command-line.ts";
import type { Environment } from "./environment.ts";
import { errorLine } from "./error-line.ts";
import type { RunManner, Runnable } from "./run-command.ts";
import { displayRun } from "./run-display.ts";
import { counted, lastGathers, outputsOf, summaryJson, summaryLines } from "./run-report.ts";

/** Runs to the end, and exits by how it ended. @param keys the partitions of a run in memory. */
export async function runInside(
  runnable: Runnable,
  manner: RunManner,
  environment: Environment,
  terminal: Terminal,
  keys: readonly PartitionKey[],
): Promise<never> {
  const outer = connectToOuter();
  try {
    await using run =
      environment.ORCA_DATABASE_URL === undefined
        ? inMemory(runnable, keys)
        : await recorded(runnable, await outer.handover(), environment, terminal);
    const status = await runAndReport(run, runnable, manner, environment, terminal, outer);
    throw new ExitWith(EXIT[status]);
  } finally {
    outer.over();
  }
}

/** A run, as this process is to do it. */
interface InnerRun extends AsyncDisposable {
  readonly id: number | undefined;
  readonly keys: readonly PartitionKey[];
  /** How many partitions of a step an earlier process has done. */
  doneBefore(step: string): number;
  run(options: MemoryRunOptions): Promise<{ readonly end: RunEnd; readonly journal: Journal }>;
}

function inMemory({ pipeline }: Runnable, keys: readonly PartitionKey[]): InnerRun {
  return {
    id: undefined,
    keys,
    doneBefore: () => 0,
    run: (options) => runInThisProcess(pipeline, options),
    async [Symbol.asyncDispose]() {},
  };
}

async function recorded(
  { pipeline, version }: Runnable,
  { url, run }: Handover,
  environment: Environment,
  terminal: Terminal,
): Promise<InnerRun> {
  const { Database, readRunBefore, runRecorded } = await import("./recorded-inside.ts");
  const patienceMs = environment.ORCA_DATABASE_PATIENCE_SECONDS * 1000;
  const warn = (sentence: string) => terminal.stderr.write(`warning: ${sentence}\n`);
  const database = new Database(url, { patienceMs, warn });
  const before = await readRunBefore(database, run.id);
  const hashOf = (step: string) => version!.stepHashes[step]!;
  return {
    id: run.id,
    keys: run.keys as readonly PartitionKey[],
    doneBefore: (step) => before.succeeded(step),
    run: (options) => runRecorded(database, pipeline, run, before, { ...options, hashOf, sentenceOf: errorLine }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

async function runAndReport(
  { id, keys, doneBefore, run }: InnerRun,
  { pipeline }: Runnable,
  { concurrency, isJson }: RunManner,
  environment: Environment,
  terminal: Terminal,
  { signal, watchdog }: Outer,
): Promise<RunEnd["status"]> {
  const now = () => performance.now();
  const startedAt = now();
  using display = displayRun(pipeline, keys.length, doneBefore, isJson, terminal, now);
  using tables = new MemoryTables();
  signal.addEventListener("abort", () => display.stopping(), { once: true });
  const where = id === undefined ? "in memory: nothing is recorded" : `run ${id}`;
  display.lines.say(`${pipeline.name}: ${counted(keys.length, "partition")} (${spanOf(keys)}), ${where}`);
  const { end, journal } = await run({
    keys,
    tables,
    concurrency,
    kept: lastGathers(pipeline),
    log: (attempt, text) => display.lines.log(attempt.id, text),
    observer: display.observer,
    signal,
    watchdog,
    graceMs: environment.ORCA_GRACE_SECONDS * 1000,
    retryWaitMs: (attempt) => retryWaitMs(attempt, Math.random()),
    ownsProcess: true,
  });
  display[Symbol.dispose]();
  const summary = {
    pipeline,
    run: id,
    partitionCount: keys.length,
    end,
    elapsedMs: now() - startedAt,
    failures: display.lines.failures,
    failureCount: display.lines.failureCount,
    outputs: await outputsOf(pipeline, end, journal),
  };
  const text = isJson ? [JSON.stringify(summaryJson(summary), undefined, 2)] : summaryLines(summary);
  terminal.stdout.write(`${text.join("\n")}\n`);
  return end.status;
}

function spanOf(keys: readonly PartitionKey[]): string {
  return keys.length === 1 ? keys[0]! : `${keys[0]} to ${keys.at(-1)}`;
}
