/** A run that records nothing: its outputs, tables and tasks are in this process. */
import { availableParallelism } from "node:os";
import type { Journal } from "../core/journal.ts";
import type { PartitionKey } from "../core/keys/partition-key.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import { callInProcess } from "../tasks/in-process.ts";
import type { RunTables } from "../tables/run-tables.ts";
import { runPipeline } from "./driver.ts";
import type { RunEnd, RunOptions } from "./run-options.ts";
import { MemoryJournal } from "./memory-journal.ts";

export interface MemoryRunOptions extends Pick<
  RunOptions,
  "log" | "observer" | "signal" | "graceMs" | "retryWaitMs" | "ownsProcess" | "watchdog"
> {
  readonly keys: readonly PartitionKey[];
  readonly tables: RunTables;
  /** By default the pipeline's own, and then as many as the machine has cores. */
  readonly concurrency?: number | undefined;
  /** The steps whose outputs are wanted afterwards, besides those that another step follows. */
  readonly kept: readonly string[];
}

/** Runs a pipeline in memory to its end. The journal gives the outputs of the steps that were kept. */
export async function runInThisProcess(
  pipeline: PipelineDefinition,
  options: MemoryRunOptions,
): Promise<{ readonly end: RunEnd; readonly journal: MemoryJournal }> {
  const followed = pipeline.steps.flatMap((s) => s.after);
  const journal = new MemoryJournal(options.keys, [...followed, ...options.kept]);
  return { end: await runWith(journal, pipeline, undefined, options), journal };
}

/** Runs a pipeline to its end, with tables and tasks in this process. @param id the run's number, if it is recorded. */
export async function runWith(
  journal: Journal,
  pipeline: PipelineDefinition,
  id: number | undefined,
  options: Omit<MemoryRunOptions, "kept">,
): Promise<RunEnd> {
  return await runPipeline(pipeline, {
    ...options,
    run: { id, pipeline: pipeline.name },
    journal,
    concurrency: options.concurrency ?? pipeline.concurrency ?? availableParallelism(),
    tables: (step, partition, attempt) => options.tables.of(step, partition, attempt),
    release: (step, partition) => options.tables.release(step, partition),
    remote: callInProcess,
  });
}
