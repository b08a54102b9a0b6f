import { commitFiles } from "../commit/commit-files.ts";
import type { Committed } from "../commit/commit-snapshot.ts";
import type { ScannedTable } from "../scan/scan.ts";
import { type RowsToWrite, writeRows, type WriteOptions } from "../write/write-rows.ts";

/** How a commit of rows is made. */
export interface RowCommitOptions extends WriteOptions {
  /** Default: `main`. Another must be there. */
  readonly branch?: string | undefined;
  /** Properties of the snapshot's summary, besides the counts: a later commit can look them up. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
}

/** Writes rows, and commits their files as an append. @throws IcebergError as `writeRows` and `commitFiles` do. */
export async function appendRows(
  { operations, state, engine }: ScannedTable,
  rows: RowsToWrite,
  { branch, properties, ...writing }: RowCommitOptions = {},
): Promise<Committed> {
  const { signal } = writing;
  const { metadata } = state;
  const add = await writeRows({ metadata, files: operations.files, engine }, rows, writing);
  const change = { operation: "append" as const, add, properties };
  return await commitFiles(operations, change, { base: state, branch, signal, deletesAddedOnFailure: true });
}
