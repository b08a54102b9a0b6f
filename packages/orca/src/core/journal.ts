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

/** What earlier processes of a run recorded of a step. */
export interface Before {
  /** How it ended; undefined if it is to be run again. */
  readonly end: "succeeded" | "failed" | undefined;
  /** How often it was tried, and how often that failed since the run was last begun or resumed. */
  readonly attempts: number;
  readonly failures: number;
  /** Whether its last attempt ended by a crash of the process, which this step or another one caused. */
  readonly isSuspect: boolean;
}

/**
 * Where a run records what happens, in the order in which it is told. No step's function is called before its start is recorded, and with it
 * all that was told before: the ends of the steps that it follows. Nothing is shown, and no run ends, before it is recorded.
 */
export interface Journal {
  /** How many steps of partitions are suspected of a crash: see `Before`. */
  readonly suspects: number;
  /** Of a step that no process of the run has reached: undefined. */
  before(step: string, partition: string | undefined): Before | undefined;
  /**
   * @param input what the step takes, in the codec's form.
   * @returns what it is given: the input with which it was reached first.
   */
  attemptStarts(id: AttemptId, input: string): string | Promise<string>;
  /** @param stepEnd how the step ended with it, or undefined if it is to be tried again. */
  attemptEnded(id: AttemptId, outcome: Outcome, stepEnd: StepEnd | undefined): void | Promise<void>;
  /** A step that isn't run, since one that it follows didn't succeed. */
  skipped(step: string, partition: string | undefined): void | Promise<void>;
  /** The output of a step that succeeded, in the codec's form. */
  output(step: string, partition: string | undefined): string | Promise<string>;
  /** The outputs of a mapped step for all of the run's partitions, in their order. */
  outputs(step: string): readonly string[] | Promise<readonly string[]>;
}
