/** What a pipeline is, as JSON: what `describe` prints, and what a scheduler knows of it. */
import { datasetsOf, tasksOf, type PipelineDefinition } from "./pipeline-definition.ts";
import { nameOf } from "./datasets/dataset.ts";
import type { StepDefinition } from "./step-definition.ts";

/** A step's or a task's registry hash. */
interface NamedHash {
  readonly name: string;
  readonly hash: string;
}

/** What a build knows of a pipeline's code; nothing is known of one that wasn't built. */
export interface CodeHashes {
  /** The pipeline's registry hash. */
  readonly hash: string;
  readonly steps: readonly NamedHash[];
  readonly tasks: readonly NamedHash[];
}

/** @param code null for a pipeline that wasn't built. @param source where its code is, if that is known. */
export function describePipeline(pipeline: PipelineDefinition, code: CodeHashes | null, source: object | null): object {
  const { schedule, partitions } = pipeline;
  return {
    pipeline: pipeline.name,
    hash: code?.hash ?? null,
    partitions,
    schedule: schedule === undefined ? null : { cron: schedule.cron, timeZone: schedule.timeZone },
    fills: partitions.kind === "keyed" ? null : pipeline.fills,
    catchup: partitions.kind === "keyed" ? null : pipeline.catchup,
    keysPerRun: partitions.kind === "keyed" ? pipeline.keysPerRun : null,
    sensor: pipeline.sensor,
    maxRuns: pipeline.maxRuns,
    runRetries: pipeline.runRetries,
    concurrency: pipeline.concurrency ?? null,
    steps: pipeline.steps.map((s) => describeStep(s, code)),
    datasets: describeDatasets(pipeline.steps),
    tasks: [...tasksOf(pipeline.steps).keys()].map((name) => ({ name, hash: hashOf(name, code?.tasks) })),
    source,
  };
}

function describeStep(step: StepDefinition, code: CodeHashes | null): object {
  return {
    name: step.name,
    kind: step.kind,
    after: step.after,
    retries: step.retries,
    timeoutSeconds: step.timeoutMs === undefined ? null : step.timeoutMs / 1000,
    reads: step.reads.map(nameOf),
    writes: step.writes.map(nameOf),
    tasks: step.tasks.map((t) => t.name),
    hash: hashOf(step.name, code?.steps),
  };
}

function hashOf(name: string, hashes: readonly NamedHash[] = []): string | null {
  return hashes.find((h) => h.name === name)?.hash ?? null;
}

/** What is said of one that steps know by its name alone is null. */
function describeDatasets(steps: readonly StepDefinition[]): readonly object[] {
  const declared = datasetsOf(steps);
  const names = new Set(steps.flatMap((s) => [...s.reads, ...s.writes].map(nameOf)));
  return Array.from(names, (name) => {
    const { columns = null, partitionBy = null, sortBy = null, doc = null } = declared.get(name) ?? {};
    return { name, columns, partitionBy, sortBy, doc };
  });
}
