/** The partitions that `run` is given, as a person lists them. */
import { readFileSync } from "node:fs";
import { OrcaError } from "../core/errors.ts";
import { Name } from "../core/keys/name.ts";
import type { PartitionKey } from "../core/keys/partition-key.ts";
import { checkedPartitions, partitionsIn } from "../core/partition-list.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";

/** @param text `2024-01..2024-03`, names, or `@file:<path>` with a name a line. @throws OrcaError on what isn't a list of the pipeline's partitions. */
export function keysGiven(pipeline: PipelineDefinition, text: string): readonly PartitionKey[] {
  const { name, partitions } = pipeline;
  if (partitions.kind !== "keyed") return partitionsIn(name, partitions, text);
  if (text === "@all")
    throw new OrcaError(
      "unsupported",
      `@all reads the keys from ${partitions.dataset}, and a run in memory has no tables: name the keys, or give a file of them with @file:<path>`,
    );
  return text.startsWith("@file:")
    ? checkedPartitions(name, partitions, namesInFile(text.slice("@file:".length)))
    : partitionsIn(name, partitions, text);
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
