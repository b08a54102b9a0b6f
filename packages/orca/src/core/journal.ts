import type { StepEnd } from "./ready.ts";

/** One attempt of a step, of a partition if it is a mapped step. */
export interface AttemptId {
  readonly step: string;
  readonly partition: string | undefined;
  /** From 1. */
  readonly attempt: number;
}

/** A step of a partition, or a gather step, as one text: neither a step's name nor a key has a slash. */
export function placeOf(step: string, partition: string | undefined): string {
  return partition === undefined ? step : `${step}/${partition}`;
}

/** How an attempt ended: with an output in the codec's form, or with what stopped it. */
export type Outcome =
  | { readonly status: "succeeded"; readonly output: string }
  | { readonly status: "failed" | "timed-out" | "crashed" | "cancelled"; readonly error: Error };

/**
 * Where a run records what happens. A promise that it returns is awaited: no step's function is called before its start is recorded, and
 * no step counts as ended before its end is.
 */
export interface Journal {
  /** @param input what the step takes, in the codec's form. */
  attemptStarts(id: AttemptId, input: string): void | Promise<void>;
  /** @param stepEnd how the step ended with it, or undefined if it is to be tried again. */
  attemptEnded(id: AttemptId, outcome: Outcome, stepEnd: StepEnd | undefined): void | Promise<void>;
  /** The output of a step that succeeded, in the codec's form. */
  output(step: string, partition: string | undefined): string;
}
