/** What state a pipeline is in, and why: what its line and its box say. */
import type { Bounded } from "../../../state/pages/bounded.ts";

/** Those that need someone come first. */
export const PIPELINE_STATES = ["failing", "behind", "running", "ok", "paused", "never"] as const;
export type PipelineState = (typeof PIPELINE_STATES)[number];

export const PIPELINE_STATE_WORDS: Readonly<Record<PipelineState, string>> = {
  failing: "Failing",
  behind: "Behind",
  running: "Running",
  ok: "Up to date",
  paused: "Paused",
  never: "Never run",
};

/** What it is told by. */
export interface StateFacts {
  readonly pausedAt: Date | null;
  readonly cantBeAsked: boolean;
  readonly hasRuns: boolean;
  readonly lastEnd: "succeeded" | "failed" | null;
  readonly live: Bounded;
  readonly queued: Bounded;
  readonly failedKeys: Bounded;
  /** How many partitions are due after the newest that is done, of names those that aren't done; null while it is counted. */
  readonly lag: number | null;
}

/** A paused one is looked after; one whose last run failed, or whose program can't be asked, needs someone also while another is going on. */
export function pipelineState(facts: StateFacts): PipelineState {
  if (facts.pausedAt !== null) return "paused";
  if (facts.lastEnd === "failed" || facts.cantBeAsked) return "failing";
  if (facts.live.count > 0) return "running";
  if (!facts.hasRuns) return "never";
  const isBehind = (facts.lag ?? 0) > 0 || facts.queued.count > 0 || facts.failedKeys.count > 0;
  return isBehind ? "behind" : "ok";
}
