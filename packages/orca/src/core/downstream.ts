/** The pipelines that are made from a dataset, and in which order they are to be run anew. */
import type { PipelineDatasets } from "./dataset-graph.ts";
import { type DescribedPartitions, keysAcross } from "./keys-across.ts";
import type { PartitionKey } from "./keys/partition-key.ts";

export interface PipelineLevel {
  readonly pipeline: string;
  /** How many pipelines are between it and the dataset at most, from 0: it is run when those of all lower levels have succeeded. */
  readonly level: number;
  /** Its partitions that are made from those of the dataset. */
  readonly keys: readonly PartitionKey[];
}

/** A pipeline with its partitions. */
export type DownstreamPipeline = Omit<PipelineDatasets, "partitions"> & { readonly partitions: DescribedPartitions };

/**
 * Every pipeline downstream of a dataset, by level and name, each once, at its longest distance from the dataset. The pipelines have no cycle, as
 * registering sees to.
 *
 * @param keys which partitions of the dataset are to be made anew.
 */
export function pipelinesDownstream(
  pipelines: readonly DownstreamPipeline[],
  dataset: string,
  keys: readonly string[],
): readonly PipelineLevel[] {
  const found = new Map<DownstreamPipeline, { level: number; readonly keys: Set<string> }>();
  const reach = (written: string, level: number, from: Iterable<string>) => {
    for (const reader of readersOf(pipelines, written)) {
      const before = found.get(reader);
      const about = [...(before?.keys ?? []), ...keysAcross(from, reader.partitions)];
      found.set(reader, { level: Math.max(level, before?.level ?? 0), keys: new Set(about) });
    }
  };
  reach(dataset, 0, keys);
  for (const pipeline of inOrder(pipelines, dataset)) {
    const { level, keys: about } = found.get(pipeline)!;
    for (const written of outputsOf(pipeline)) reach(written, level + 1, about);
  }
  return Array.from(found, ([{ pipeline, partitions }, { level, keys: about }]) => {
    return { pipeline, level, keys: keysAcross(about, partitions) };
  })
    .filter((one) => one.keys.length > 0)
    .toSorted((one, other) => one.level - other.level || (one.pipeline < other.pipeline ? -1 : 1));
}

/** The pipelines downstream of a dataset, each after all those that it is downstream of. */
function inOrder(pipelines: readonly DownstreamPipeline[], dataset: string): readonly DownstreamPipeline[] {
  const seen = new Set<DownstreamPipeline>();
  const last: DownstreamPipeline[] = [];
  const visit = (written: string) => {
    for (const reader of readersOf(pipelines, written)) {
      if (seen.has(reader)) continue;
      seen.add(reader);
      for (const output of outputsOf(reader)) visit(output);
      last.push(reader);
    }
  };
  visit(dataset);
  return last.toReversed();
}

/** What a pipeline writes itself isn't what it is made from anew. */
function readersOf(pipelines: readonly DownstreamPipeline[], dataset: string): readonly DownstreamPipeline[] {
  return pipelines.filter((p) => p.steps.some((s) => s.reads.includes(dataset)) && !outputsOf(p).has(dataset));
}

function outputsOf({ steps }: DownstreamPipeline): ReadonlySet<string> {
  return new Set(steps.flatMap((s) => s.writes));
}
