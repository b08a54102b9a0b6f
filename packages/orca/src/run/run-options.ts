/** What a run is given, and what it tells. */
import type { AttemptId, Journal, Outcome } from "../core/journal.ts";
import type { StepStatus } from "../core/ready.ts";
import type { RunContext } from "./context.ts";

/** Is told how a run goes, to show it. */
export interface RunObserver {
  attemptStarted(id: AttemptId): void;
  /** @param retryMs the wait before the next attempt, or undefined if the step has ended with this one. */
  attemptEnded(id: AttemptId, outcome: Outcome, retryMs: number | undefined): void;
  /** A step that never starts, since one that it follows, `because`, didn't succeed. */
  skipped(step: string, partition: string | undefined, because: string): void;
  /** What went wrong outside of any attempt that could be blamed: the run fails by it. */
  stray(error: Error): void;
}

export interface RunOptions extends RunContext {
  /** How many partitions are worked on at once. */
  readonly concurrency: number;
  readonly journal: Journal;
  readonly observer: RunObserver;
  /** Aborting it cancels the run. */
  readonly signal: AbortSignal;
  /** How long a step may go on after it was told to stop. */
  readonly graceMs: number;
  /** The wait after a failed attempt, by its number. */
  readonly retryWaitMs: (attempt: number) => number;
  /** Whether this process is the run's own, so that what kills a process is laid to the step that did it. */
  readonly ownsProcess: boolean;
  /** Is told of attempts that have a timeout, so that it can end the process of one that blocks its event loop. */
  readonly watchdog?: Watchdog | undefined;
}

/** Watches, from outside of the process, that attempts end in time. */
export interface Watchdog {
  /** @param withinMs the attempt's timeout and grace time. */
  expect(id: AttemptId, withinMs: number): void;
  ended(id: AttemptId): void;
}

/** How a run ended, and how many partitions of each step have each status. */
export interface RunEnd {
  readonly status: "succeeded" | "failed" | "cancelled";
  /** What first went wrong outside of any attempt that could be blamed. */
  readonly stray: Error | undefined;
  readonly steps: readonly { readonly name: string; readonly counts: Readonly<Record<StepStatus, number>> }[];
}
