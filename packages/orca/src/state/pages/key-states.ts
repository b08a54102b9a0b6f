/** What state a partition is in: what its last run came to, and whether it is done with the code that its pipeline has now. */
import type { DescribedPipeline } from "../../core/described.ts";

export type KeyState = "done" | "failed" | "running" | "queued" | "missing" | "stale" | "cancelled";

/** In the order in which they are told. */
export const KEY_STATES: readonly KeyState[] = ["done", "failed", "running", "queued", "stale", "missing", "cancelled"];

/** What Postgres knows of a partition, or of many that are alike. */
export interface KeyFacts {
  /** What it was done with, by the step's name; null if no step has succeeded. */
  readonly hashes: Readonly<Record<string, string>> | null;
  /** Whether it is in a run that is queued or running. */
  readonly live: "queued" | "running" | null;
  /** How its last run ended without doing it; null if it was done. */
  readonly failure: "failed" | "cancelled" | null;
  /** The step that wasn't done then. */
  readonly failedStep: string | null;
}

/** What a pipeline's partitions are to be done with. */
export interface PresentCode {
  readonly hash: string;
  readonly steps: readonly Pick<DescribedPipeline["steps"][number], "name" | "kind" | "hash">[];
}

/**
 * @param step whose state it is; by default that of all steps together.
 * @example keyStateOf(facts, description) // "stale", if it was done with other code
 */
export function keyStateOf(facts: KeyFacts, description: PresentCode, step?: string): KeyState {
  const { hashes, live, failure, failedStep } = facts;
  if (live !== null) return live;
  const isOfStep = step === undefined || failedStep === step;
  if (failure === "failed" && isOfStep) return "failed";
  const by = doneBy(description).filter(({ name }) => step === undefined || name === step);
  const reached = by.filter(({ name }) => hashes?.[name] !== undefined);
  if (by.length > 0 && by.every(({ name, hash }) => hashes?.[name] === hash)) return "done";
  if (failure === "cancelled" && isOfStep) return "cancelled";
  return reached.length > 0 ? "stale" : "missing";
}

/** The steps that a partition was done with other code of than they have now. */
export function changedSteps({ hashes }: KeyFacts, description: PresentCode): readonly string[] {
  return doneBy(description)
    .filter(({ name, hash }) => hashes?.[name] !== undefined && hashes[name] !== hash)
    .map(({ name }) => name);
}

/** The steps that a partition can be looked at by: none of a pipeline that has gather steps alone. */
export function mappedSteps({ steps }: DescribedPipeline): readonly string[] {
  return steps.filter(({ kind }) => kind === "mapped").map(({ name }) => name);
}

/** What says that a partition is done; of gather steps alone it is a run's success, which has no step's name. */
export function doneBy({ steps, hash }: PresentCode): readonly { readonly name: string; readonly hash: string }[] {
  const mapped = steps.filter(({ kind }) => kind === "mapped");
  return mapped.length > 0 ? mapped : [{ name: "", hash }];
}

/** How many partitions are in each state; those that have none are left out. */
export type KeyCounts = Readonly<Partial<Record<KeyState, number>>>;

/** Partitions that are alike, and how many they are. */
export interface KeyGroup extends KeyFacts {
  readonly count: number;
}

export function countsOf(groups: readonly KeyGroup[], description: PresentCode, step?: string): KeyCounts {
  const counts: Partial<Record<KeyState, number>> = {};
  for (const group of groups) {
    const state = keyStateOf(group, description, step);
    counts[state] = (counts[state] ?? 0) + group.count;
  }
  for (const state of KEY_STATES) if (counts[state] === 0) delete counts[state];
  return counts;
}

export function addCounts(all: readonly KeyCounts[]): KeyCounts {
  const sum: Partial<Record<KeyState, number>> = {};
  for (const counts of all)
    for (const state of KEY_STATES) if (counts[state] !== undefined) sum[state] = (sum[state] ?? 0) + counts[state];
  return sum;
}

export function totalOf(counts: KeyCounts): number {
  return KEY_STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}
