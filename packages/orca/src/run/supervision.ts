/** What a run's two processes tell each other: see `supervisor.ts`. */
import type { AttemptId } from "../core/journal.ts";

/** How a run is to stop before its end: for good, or to be resumed. */
export type Stop = "cancel" | "leave";

/** A run that is recorded, as the inner process takes it from the outer one. */
export interface Handover {
  /** The database's. */
  readonly url: string;
  readonly run: { readonly id: number; readonly owner: string; readonly keys: readonly string[] };
  /** When the outer process took it, in milliseconds since 1970. */
  readonly takenAt: number;
  /** Whether an inner process of the same outer one was there before, and crashed. */
  readonly isAgain: boolean;
}

export type ToInner =
  | { readonly kind: "run"; readonly handover: Handover }
  | { readonly kind: "stop"; readonly how: Stop }
  /** It was heard that all is over: the outer process writes nothing of its own any more. */
  | { readonly kind: "over" };

export type FromInner =
  /** The attempt ends within that time, or the process is to be ended. */
  | { readonly kind: "expect"; readonly id: AttemptId; readonly withinMs: number }
  | { readonly kind: "ended"; readonly id: AttemptId }
  /** Nothing is written any more to the file of an attempt's log. */
  | { readonly kind: "log"; readonly file: string }
  /** All is done and recorded: the process says so, and ends by itself with the exit code that it means. */
  | { readonly kind: "over" };
