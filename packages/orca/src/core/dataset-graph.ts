/**
 * Pipelines and the datasets between them: `a` writes `lake.x`, which `b` reads. What is pure of it, over what `describe` says of each, so that a
 * pipeline can be refused before anything runs. Tables by their location aren't part of it: one table may be written in several ways.
 */
import { isLocation } from "./datasets/dataset.ts";
import { OrcaError } from "./errors.ts";

/** What `describe` says of a pipeline and datasets. */
export interface PipelineDatasets {
  readonly pipeline: string;
  readonly partitions:
    | { readonly kind: "monthly" | "daily" }
    | { readonly kind: "keyed"; readonly dataset: string; readonly column: string };
  readonly sensor: boolean;
  readonly steps: readonly { readonly reads: readonly string[]; readonly writes: readonly string[] }[];
}

/** That one pipeline writes what another one reads or takes its keys from. */
export interface DatasetLink {
  readonly writer: PipelineDatasets;
  readonly dataset: string;
  readonly reader: PipelineDatasets;
}

/**
 * Passes if a pipeline can be there beside others; one of them that has its name is the one that it takes the place of.
 *
 * @throws OrcaError `dataset-cycle` if it would wait for what it makes itself, through others; `partitions-mixed` if a sensor would be started by
 * partitions of a kind that it has none of. Both name the whole path.
 */
export function checkDatasetGraph(others: readonly PipelineDatasets[], pipeline: PipelineDatasets): void {
  const pipelines = [...others.filter((other) => other.pipeline !== pipeline.pipeline), pipeline];
  const cycle = shortestCycle(pipelines, pipeline);
  if (cycle !== undefined)
    throw new OrcaError(
      "dataset-cycle",
      `pipelines would wait for each other: ${cycle.map(textOfLink).join("; ")}. Let one of them write another dataset`,
    );
  const mixed = mixedLink(pipelines, pipeline);
  if (mixed !== undefined)
    throw new OrcaError(
      "partitions-mixed",
      `${textOfLink(mixed)}: ${mixed.writer.pipeline} has ${partitionsOf(mixed.writer)} and the sensor ${mixed.reader.pipeline} ${partitionsOf(mixed.reader)}, and nothing says which of the ones the others are. Partition both alike, or leave sensor out of ${mixed.reader.pipeline}`,
    );
}

/**
 * The shortest way from a pipeline through others back to itself, or undefined if there is none. What a pipeline reads of its own is no way.
 * Takes time in proportion to the reads and writes that there are.
 */
export function shortestCycle(
  pipelines: readonly PipelineDatasets[],
  start: PipelineDatasets,
): readonly DatasetLink[] | undefined {
  const readersOf = byDataset(pipelines, inputsOf);
  const inputsOfStart = new Set(inputsOf(start));
  const cameBy = new Map<PipelineDatasets, DatasetLink | undefined>([[start, undefined]]);
  const seen = new Set<string>();
  for (const [writer] of cameBy) {
    const written = outputsOf(writer);
    // before what is further away; and start may read what has been seen as its own
    const back = writer === start ? undefined : written.find((dataset) => inputsOfStart.has(dataset));
    if (back !== undefined) return wayTo({ writer, dataset: back, reader: start }, cameBy);
    for (const dataset of written) {
      if (seen.has(dataset)) continue;
      seen.add(dataset);
      for (const reader of readersOf.get(dataset) ?? [])
        if (!cameBy.has(reader)) cameBy.set(reader, { writer, dataset, reader });
    }
  }
  return undefined;
}

/** The first link of a pipeline's to or from a sensor whose partitions aren't of the writer's kind. A sensor's keys may come from anywhere: they are names. */
export function mixedLink(pipelines: readonly PipelineDatasets[], pipeline: PipelineDatasets): DatasetLink | undefined {
  const ofPipeline = new Set([...outputsOf(pipeline), ...inputsOf(pipeline)]);
  const readersOf = byDataset(pipelines, inputsOf);
  const writersOf = byDataset(pipelines, outputsOf);
  for (const dataset of ofPipeline)
    for (const writer of writersOf.get(dataset) ?? [])
      // the pipeline itself is on the one side or the other
      for (const reader of writer === pipeline ? (readersOf.get(dataset) ?? []) : [pipeline])
        if (isMixed({ writer, dataset, reader })) return { writer, dataset, reader };
  return undefined;
}

function isMixed({ writer, dataset, reader }: DatasetLink): boolean {
  const isInput = reader !== writer && reader.sensor && inputsOf(reader).includes(dataset);
  const isKeys = reader.partitions.kind === "keyed" && reader.partitions.dataset === dataset;
  return isInput && !isKeys && (writer.partitions.kind === "keyed") !== (reader.partitions.kind === "keyed");
}

function wayTo(last: DatasetLink, cameBy: ReadonlyMap<PipelineDatasets, DatasetLink | undefined>): DatasetLink[] {
  const way = [last];
  for (let link = cameBy.get(last.writer); link !== undefined; link = cameBy.get(link.writer)) way.unshift(link);
  return way;
}

function byDataset(
  pipelines: readonly PipelineDatasets[],
  datasetsOf: (pipeline: PipelineDatasets) => readonly string[],
): ReadonlyMap<string, readonly PipelineDatasets[]> {
  const found = new Map<string, PipelineDatasets[]>();
  for (const pipeline of pipelines)
    for (const dataset of datasetsOf(pipeline)) {
      const before = found.get(dataset);
      if (before === undefined) found.set(dataset, [pipeline]);
      else before.push(pipeline);
    }
  return found;
}

/** What its steps read, and where its keys come from; each once. */
function inputsOf({ steps, partitions }: PipelineDatasets): readonly string[] {
  return named([...steps.flatMap((s) => s.reads), ...(partitions.kind === "keyed" ? [partitions.dataset] : [])]);
}

function outputsOf({ steps }: PipelineDatasets): readonly string[] {
  return named(steps.flatMap((s) => s.writes));
}

function named(datasets: readonly string[]): readonly string[] {
  return [...new Set(datasets)].filter((dataset) => !isLocation(dataset));
}

/** `a writes lake.x, which b reads`. */
function textOfLink({ writer, dataset, reader }: DatasetLink): string {
  const isRead = reader.steps.some((s) => s.reads.includes(dataset));
  const does = isRead ? `which ${reader.pipeline} reads` : `which ${reader.pipeline} takes its keys from`;
  return `${writer.pipeline} writes ${dataset}, ${does}`;
}

function partitionsOf({ partitions }: PipelineDatasets): string {
  return { monthly: "months", daily: "days", keyed: "names" }[partitions.kind];
}
