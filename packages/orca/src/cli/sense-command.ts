/** `sense`: what the datasets that a pipeline reads hold now. */
import { nameOf } from "../core/datasets/dataset.ts";
import { textOfSnapshot } from "../core/lineage.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import type { Sensed } from "../tables/warehouse/sensed.ts";
import type { Terminal } from "./command-line.ts";
import type { Environment } from "./environment.ts";
import { openWarehouse, senseDataset } from "./warehouse.ts";

/** Writes a line for each dataset: the one that keys come from, and those that steps read. No data file is read. */
export async function senseCommand(
  { name, partitions, steps }: PipelineDefinition,
  isJson: boolean,
  environment: Environment,
  { stdout }: Terminal,
): Promise<void> {
  const keysDataset = partitions.kind === "keyed" ? partitions.dataset : undefined;
  const read = steps.flatMap((s) => s.reads.map(nameOf));
  const datasets = [...new Set(keysDataset === undefined ? read : [keysDataset, ...read])];
  await using warehouse = openWarehouse(environment, datasets);
  const sensed = await Promise.all(datasets.map((dataset) => senseDataset(warehouse, dataset)));
  if (isJson)
    stdout.write(
      `${JSON.stringify(
        sensed.map((one) => jsonOf(one, keysDataset)),
        undefined,
        2,
      )}\n`,
    );
  else if (sensed.length === 0) stdout.write(`${name} reads no datasets\n`);
  else stdout.write(sensed.map((one) => `${lineOf(one)}\n`).join(""));
}

function lineOf({ dataset, location, snapshots: [snapshot] }: Sensed): string {
  const what = textOfSnapshot({ dataset, snapshot: snapshot?.id });
  if (location === undefined) return `${what}  there is no table yet`;
  if (snapshot === undefined) return `${what}  the table has no snapshot yet`;
  const { at, by, operation, partitions } = snapshot;
  const run = by && [by.run === undefined ? "a run in memory" : `run ${by.run}`, by.step, by.partition];
  const whose = run === undefined ? "" : ` by ${[by!.pipeline, ...run].filter((part) => part !== undefined).join(" ")}`;
  const holds = partitions === undefined ? "" : `, with ${partitions.join(", ")}`;
  return `${what}  ${operation ?? "made"} at ${at.toISOString()}${whose}${holds}`;
}

/** What is not known is null. Snapshots' numbers have more digits than other programs' numbers hold. */
function jsonOf({ dataset, location, snapshots }: Sensed, keysDataset: string | undefined): object {
  return {
    dataset,
    isKeys: dataset === keysDataset,
    location: location ?? null,
    snapshot: snapshots[0]?.id.toString() ?? null,
    snapshots: snapshots.map(({ id, at, operation, partitions, by }) => ({
      snapshot: id.toString(),
      at,
      operation: operation ?? null,
      partitions: partitions ?? null,
      by: by === undefined ? null : { ...by, run: by.run ?? null, partition: by.partition ?? null },
    })),
  };
}
