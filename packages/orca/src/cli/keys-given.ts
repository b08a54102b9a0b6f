/** The partitions that `run` is given, as a person lists them. */
import { readFileSync } from "node:fs";
import { isLocation } from "../core/datasets/dataset.ts";
import { OrcaError } from "../core/errors.ts";
import { Name } from "../core/keys/name.ts";
import type { PartitionKey } from "../core/keys/partition-key.ts";
import { nearest } from "../core/nearest.ts";
import { checkedPartitions, partitionsIn } from "../core/partition-list.ts";
import type { Keyed } from "../core/partitions.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import type { Environment } from "./environment.ts";

/**
 * The partitions to run over. Names are checked against the keys that there are now, where there is a warehouse to read them in.
 *
 * @param text `2024-01..2024-03`; names, `@all`, or `@file:<path>` with a name a line.
 * @throws OrcaError `invalid-key` on what isn't a partition of the pipeline's; as `currentKeys`.
 */
export async function keysToRun(
  pipeline: PipelineDefinition,
  text: string,
  environment: Environment,
): Promise<readonly PartitionKey[]> {
  const given = keysListed(pipeline, text);
  const { partitions } = pipeline;
  if (partitions.kind !== "keyed") return given!;
  const { dataset, column } = partitions;
  if (given !== undefined && environment.ORCA_WAREHOUSE === undefined && !isLocation(dataset)) return given;
  const keys = await keysNow(partitions, environment);
  if (given !== undefined) return checkCurrent(given, keys, pipeline.name, partitions);
  if (keys.length > 0) return keys;
  throw new OrcaError("invalid-key", `'${pipeline.name}' has no keys yet: ${dataset} has no rows with a ${column}`);
}

/** The partitions that a text lists, before keys are read; undefined if it asks for all keys. */
export function keysListed(
  { name, partitions }: Pick<PipelineDefinition, "name" | "partitions">,
  text: string,
): readonly PartitionKey[] | undefined {
  if (partitions.kind !== "keyed") return partitionsIn(name, partitions, text);
  if (text.trim() === "@all") return undefined;
  return text.startsWith("@file:")
    ? checkedPartitions(name, partitions, namesInFile(text.slice("@file:".length)))
    : partitionsIn(name, partitions, text);
}

async function keysNow(partitions: Keyed, environment: Environment): Promise<readonly Name[]> {
  const { currentKeys, openWarehouse } = await import("./warehouse.ts");
  await using warehouse = openWarehouse(environment, [partitions.dataset]);
  const { keys } = await currentKeys(warehouse, partitions);
  return keys;
}

/** Names that are all among the keys that there are. @throws OrcaError `invalid-key`, with the first that isn't. */
export function checkCurrent(
  given: readonly PartitionKey[],
  keys: readonly string[],
  pipeline: string,
  { dataset, column }: Keyed,
): readonly PartitionKey[] {
  const known = new Set<string>(keys);
  const [unknown, ...others] = given.filter((key) => !known.has(key));
  if (unknown === undefined) return given;
  const meant = nearest(unknown, keys);
  const what = meant === undefined ? "the command keys lists those that there are" : `did you mean '${meant}'?`;
  const more = others.length === 0 ? "" : ` (and ${others.length} more of the names given)`;
  throw new OrcaError(
    "invalid-key",
    `'${unknown}'${more} isn't a key of '${pipeline}', as no row of ${dataset} has it as its ${column}: ${what}`,
  );
}

function namesInFile(path: string): readonly string[] {
  return linesOf(path).flatMap((line, i) => {
    try {
      return line.trim() === "" ? [] : [Name(line.trim())];
    } catch (cause) {
      throw new OrcaError("invalid-key", `line ${i + 1} of ${path}: ${(cause as Error).message}`, { cause });
    }
  });
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (cause) {
    throw new OrcaError("usage", `the file of keys '${path}' can't be read: ${(cause as Error).message}`, { cause });
  }
}
