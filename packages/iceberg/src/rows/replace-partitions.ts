import type { Committed } from "../commit/commit-snapshot.ts";
import { overwritePartitions } from "../commit/overwrite-partitions.ts";
import type { ScannedTable } from "../scan/scan.ts";
import { type RowsToWrite, writeRows } from "../write/write-rows.ts";
import type { RowCommitOptions } from "./append-rows.ts";

/** Writes rows, and commits their files in the place of all that their partitions have. @throws IcebergError as `writeRows` and `overwritePartitions` do. */
export async function replacePartitions(
  { operations, state, engine }: ScannedTable,
  rows: RowsToWrite,
  { branch, properties, ...writing }: RowCommitOptions = {},
): Promise<Committed> {
  const { signal } = writing;
  const { metadata } = state;
  const add = await writeRows({ metadata, files: operations.files, engine }, rows, writing);
  const options = { base: state, branch, signal, deletesAddedOnFailure: true };
  return await overwritePartitions(operations, { add, properties }, options);
}
