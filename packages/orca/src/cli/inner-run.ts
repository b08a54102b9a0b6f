/** What the inner process runs: a run in memory, or what is left of a recorded one. */
import { randomUUID } from "node:crypto";
import type { Journal } from "../core/journal.ts";
import type { PartitionKey } from "../core/keys/partition-key.ts";
import type { LogPlace } from "../logs/log-place.ts";
import type { RunEnd } from "../run/run-options.ts";
import type { RunLogs } from "../run/logs/run-logs.ts";
import { runInThisProcess, type MemoryRunOptions } from "../run/run-in-memory.ts";
import type { Outer } from "../run/supervised.ts";
import type { TableRecords } from "../core/table-records.ts";
import { MemoryTableRecords } from "../tables/memory-records.ts";
import type { CodeOfRun } from "../tables/warehouse/commit-properties.ts";
import type { FailedBefore } from "../state/run-before.ts";
import { warningsOf, type Terminal } from "./command-line.ts";
import type { Environment } from "./environment.ts";
import { errorLine } from "./error-line.ts";
import { logPlaceIn } from "./log-place-in.ts";
import type { Runnable } from "./run-command.ts";

/** A run, as this process is to do it. */
export interface InnerRun extends AsyncDisposable {
  readonly id: number | undefined;
  readonly keys: readonly PartitionKey[];
  /** Where its attempts' logs are, if they are kept. */
  readonly logPlace: LogPlace | undefined;
  /** When it was begun or resumed, in milliseconds since 1970. */
  readonly takenAt: number;
  /** Whether a process before this one has shown how it begins. */
  readonly isAgain: boolean;
  /** How many partitions of a step an earlier process has done. */
  doneBefore(step: string): number;
  /** What crashed in such a process. */
  readonly failedBefore: readonly FailedBefore[];
  /** Where it is recorded which tables its attempts read and change. */
  readonly records: TableRecords;
  /** What its commits to tables say of it. */
  readonly code: CodeOfRun;
  run(options: MemoryRunOptions, logs: RunLogs | undefined): Promise<RunResult>;
}

export interface RunResult {
  readonly end: RunEnd;
  readonly journal: Journal;
}

/** One that records nothing. */
export function inMemory({ pipeline, version }: Runnable, keys: readonly PartitionKey[]): InnerRun {
  return {
    records: new MemoryTableRecords(),
    code: {
      pipeline: pipeline.name,
      run: undefined,
      runToken: randomUUID(),
      hashOf: (step) => version?.stepHashes[step],
    },
    id: undefined,
    keys,
    logPlace: undefined,
    takenAt: Date.now(),
    isAgain: false,
    failedBefore: [],
    doneBefore: () => 0,
    run: (options) => runInThisProcess(pipeline, options),
    async [Symbol.asyncDispose]() {},
  };
}

/** One that is recorded, as the outer process hands it over. */
export async function recorded(
  { pipeline, version }: Runnable,
  outer: Outer,
  environment: Environment,
  terminal: Terminal,
): Promise<InnerRun> {
  const { Database, PostgresTableRecords, readRunBefore, runRecorded, tokenOfRun } =
    await import("./recorded-inside.ts");
  const { url, run, takenAt, isAgain } = await outer.handover();
  const patienceMs = environment.ORCA_DATABASE_PATIENCE_SECONDS * 1000;
  const database = new Database(url, {
    patienceMs,
    warn: warningsOf(terminal),
  });
  const [before, runToken] = await Promise.all([readRunBefore(database, run.id), tokenOfRun(database, run.id)]);
  const hashOf = (step: string) => version!.stepHashes[step]!;
  return {
    id: run.id,
    keys: run.keys as readonly PartitionKey[],
    logPlace: logPlaceIn(environment),
    takenAt,
    isAgain,
    records: new PostgresTableRecords(database, run),
    code: { pipeline: pipeline.name, run: run.id, runToken, hashOf },
    failedBefore: before.failed,
    doneBefore: (step) => before.succeeded(step),
    run: (options, logs) =>
      runRecorded(database, pipeline, run, before, {
        ...options,
        hashOf,
        sentenceOf: errorLine,
        logOf: (id) => logs?.locationOf(id),
      }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
