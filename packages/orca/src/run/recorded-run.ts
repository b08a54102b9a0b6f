/** A run that is recorded: what its two processes do of it. */
import { randomUUID } from "node:crypto";
import { OrcaError } from "../core/errors.ts";
import type { AttemptId } from "../core/journal.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import type { Database } from "../state/database.ts";
import { recordCrash } from "../state/crash.ts";
import { Heartbeat } from "../state/heartbeat.ts";
import type { KeptLogs } from "./logs/kept-logs.ts";
import { PostgresJournal } from "../state/journal.ts";
import type { RunBefore } from "../state/run-before.ts";
import { endRun, releaseRun, type OwnedRun } from "../state/runs.ts";
import type { RunEnd } from "./run-options.ts";
import { runWith, type MemoryRunOptions } from "./run-in-memory.ts";
import type { Stop } from "./supervision.ts";
import type { InnerEnd, Supervisor, WaitingInner } from "./supervisor.ts";

/** How long an outage may last when the inner process has ended, which has waited for the database already. */
const LAST_PATIENCE_MS = 1_000;

/** What the outer process needs to keep a run going. */
export interface Keeping {
  readonly database: Database;
  /** The database's. */
  readonly url: string;
  readonly pipeline: PipelineDefinition;
  readonly run: OwnedRun;
  /** How long without a heartbeat a run counts as its process's. */
  readonly staleMs: number;
  /** The logs of its attempts, if they are kept. */
  readonly logs: KeptLogs | undefined;
  readonly warn: (sentence: string) => void;
}

/**
 * Keeps a run that was taken going to its end: beats, and records the crashes of the inner process, after which another goes on with what is left.
 *
 * @param first the inner process that waits for the run.
 * @returns how the last one ended: by a crash if that left nothing to go on with.
 */
export async function keepRun(supervisor: Supervisor, first: WaitingInner, keeping: Keeping): Promise<InnerEnd> {
  const { database, url, pipeline, staleMs, logs, warn } = keeping;
  await using _ = logs;
  let { run } = keeping;
  supervisor.onLogEnded = (file) => logs?.ended(file);
  const takenAt = Date.now();
  let ending = first.take({ url, run, takenAt, isAgain: false });
  await using heartbeat = new Heartbeat(url, run, staleMs, {
    cancelAsked: () => supervisor.askToStop("cancel"),
    lost: () => supervisor.askToStop("leave"),
  });
  for (;;) {
    const end = await ending;
    if ("exitCode" in end) {
      database.patienceMs = LAST_PATIENCE_MS;
      await releaseRun(database, run).catch(() => {}); // one that it couldn't end can be resumed at once, or when it is stale
      return end;
    }
    const { error, attempt } = end.crash;
    const next = randomUUID();
    heartbeat.addOwner(next);
    const status = attempt !== undefined ? "timed-out" : error.code === "cancelled" ? "cancelled" : "crashed";
    const attempts = await recordCrash(database, run, next, {
      status,
      error: error.message,
      culprit: attempt,
      retries: Object.fromEntries(pipeline.steps.map((s) => [s.name, s.retries])),
    });
    for (const { log } of attempts) if (log !== null) logs?.endAt(log, status, error);
    run = { ...run, owner: next };
    if (supervisor.stop === "cancel") await endRun(database, run, "cancelled", null);
    else if (supervisor.stop === "leave") await releaseRun(database, run);
    else if (attempts.length === 0) await endRun(database, run, "failed", error.message);
    else {
      warn(`${error.message}; another one goes on with what is left`);
      ending = supervisor.start().take({ url, run, takenAt, isAgain: true });
      continue;
    }
    return end;
  }
}

export interface RecordedRunOptions extends Omit<MemoryRunOptions, "kept"> {
  readonly signal: AbortSignal & { readonly reason: Stop };
  readonly hashOf: (step: string) => string;
  readonly sentenceOf: (error: Error) => string;
  /** Where an attempt's log is, if it is kept. */
  readonly logOf: (id: AttemptId) => string | undefined;
}

/** Runs in the inner process what is left of a run, and records its end. The journal gives the outputs. */
export async function runRecorded(
  database: Database,
  pipeline: PipelineDefinition,
  { id, owner }: OwnedRun,
  before: RunBefore,
  options: RecordedRunOptions,
): Promise<{ readonly end: RunEnd; readonly journal: PostgresJournal }> {
  const { keys, hashOf, sentenceOf, logOf, signal } = options;
  const journal = new PostgresJournal(database, { run: id, owner, keys, hashOf, sentenceOf, logOf }, before);
  const end = await runWith(journal, pipeline, id, options);
  const run = { id, owner, keys };
  const isLeft = end.status === "cancelled" && signal.reason === "leave";
  const wasOwned = await (isLeft
    ? releaseRun(database, run)
    : endRun(database, run, end.status, end.stray === undefined ? null : sentenceOf(end.stray)));
  if (!wasOwned)
    throw new OrcaError("run-lost", `another process took run ${id} over: what this one did since isn't recorded`);
  return { end, journal };
}
