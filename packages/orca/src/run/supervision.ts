/** What a run's two processes tell each other: see `supervisor.ts`. */
import type { AttemptId } from "../core/journal.ts";

/** The variable by which a process knows that it is the inner one. */
export const SUPERVISED = "ORCA_SUPERVISED";

/** Whether this process is the inner one of a run. The processes that its steps start aren't, though they have its environment. */
export function isSupervised(): boolean {
  return process.env[SUPERVISED] !== undefined && process.send !== undefined;
}

export type ToInner = { readonly kind: "cancel" };

export type FromInner =
  /** The attempt ends within that time, or the process is to be ended. */
  | { readonly kind: "expect"; readonly id: AttemptId; readonly withinMs: number }
  | { readonly kind: "ended"; readonly id: AttemptId };
