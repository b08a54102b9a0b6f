/** The first page's rows: what Postgres has of the pipelines, with what follows from their schedules. */
import { duePartitions, partitionsBetween, type DuePartitions } from "../../../core/schedule/due-partitions.ts";
import type { DoneKeys, KeysToCount } from "../../../state/pages/done-keys.ts";
import type { PipelineHistory, PipelineSummary } from "../../../state/pages/pipelines.ts";
import { pipelineState, type PipelineState } from "./pipeline-state.ts";

/** A pipeline's state with what it follows from. */
export interface StatedPipeline extends Omit<PipelineSummary, "steps" | "hash"> {
  readonly state: PipelineState;
  readonly stepCount: number;
  /** How many partitions there are to be by now; null of names, as long as they are being counted. */
  readonly due: number | null;
  /** How many of them are done with the present code; null as long as they are being counted. */
  readonly done: number | null;
  /** How many are due after the newest that is done, of names how many aren't done; null as `done` is. */
  readonly lag: number | null;
}

export interface PipelineRow extends StatedPipeline, PipelineHistory {
  /** How many of its newest runs failed one after the other. */
  readonly failedInARow: number;
}

/** What is counted of a pipeline. */
export function keysToCount({ name, hash, steps, ...described }: PipelineSummary, now: Date): KeysToCount {
  return { pipeline: name, code: { hash, steps }, due: duePartitions(described, now) };
}

export function statedPipeline(
  summary: PipelineSummary,
  due: DuePartitions | undefined,
  counts: DoneKeys | undefined,
): StatedPipeline {
  const { steps, hash: _, ...rest } = summary;
  const isDue = summary.partitions.kind === "keyed" || due !== undefined;
  const done = isDue ? (counts?.done ?? null) : 0;
  const dueCount = summary.partitions.kind === "keyed" ? (counts?.due ?? null) : (due?.count ?? 0);
  const lag = lagOf(summary, due, counts);
  return {
    ...rest,
    state: pipelineState({ ...summary, lag }),
    stepCount: steps.length,
    due: dueCount,
    done,
    lag,
  };
}

function lagOf(
  { partitions, newestDone }: PipelineSummary,
  due: DuePartitions | undefined,
  counts: DoneKeys | undefined,
): number | null {
  if (partitions.kind === "keyed") return counts === undefined ? null : counts.due - counts.done;
  if (due === undefined) return 0;
  const isOfNow = newestDone !== null && newestDone >= due.first;
  return isOfNow ? Math.max(0, partitionsBetween(partitions.kind, newestDone, due.last) - 1) : due.count;
}

export function pipelineRow(stated: StatedPipeline, history: PipelineHistory | undefined): PipelineRow {
  const { runs = [], nextStart = null, sensed = [], pausedBy = null } = history ?? {};
  const ended = runs.filter(({ status }) => status === "succeeded" || status === "failed");
  const succeeded = ended.findIndex(({ status }) => status === "succeeded");
  return { ...stated, runs, nextStart, sensed, pausedBy, failedInARow: succeeded === -1 ? ended.length : succeeded };
}
