/** Rows written, and committed beside those that are there, or in the place of their partitions'. */
import { commitFiles, type CommitOptions } from "../commit/commit-files.ts";
import type { Committed } from "../commit/commit-snapshot.ts";
import { findCommit } from "../commit/find-commit.ts";
import { overwritePartitions } from "../commit/overwrite-partitions.ts";
import type { ScannedTable } from "../scan/scan.ts";
import { type RowsToWrite, writeRows, type WriteOptions } from "../write/write-rows.ts";

/** How a commit of rows is made. */
export interface RowCommitOptions extends WriteOptions, Pick<CommitOptions, "branch" | "once"> {
  /**
   * Properties of the snapshot's summary, besides the counts: a later commit can look them up. A function is called when the rows are written, and may
   * tell what they were made from.
   */
  readonly properties?: SnapshotProperties | (() => SnapshotProperties) | undefined;
}

type SnapshotProperties = Readonly<Record<string, string>>;

/** @throws IcebergError as `writeRows` and `commitFiles` do. */
export async function appendRows(
  table: ScannedTable,
  rows: RowsToWrite,
  options: RowCommitOptions = {},
): Promise<Committed> {
  const landed = landedBefore(table, options);
  if (landed !== undefined) return landed;
  const change = { operation: "append" as const, ...(await writtenRows(table, rows, options)) };
  return await commitFiles(table.operations, change, commitOptions(table, options));
}

/** Replaces all that the partitions of the rows have. @throws IcebergError as `writeRows` and `overwritePartitions` do. */
export async function replacePartitions(
  table: ScannedTable,
  rows: RowsToWrite,
  options: RowCommitOptions = {},
): Promise<Committed> {
  const landed = landedBefore(table, options);
  if (landed !== undefined) return landed;
  const change = await writtenRows(table, rows, options);
  return await overwritePartitions(table.operations, change, commitOptions(table, options));
}

/** The commit, if it has landed before: then no row is written. */
export function landedBefore({ state }: ScannedTable, { once, branch }: RowCommitOptions): Committed | undefined {
  const snapshot = once && findCommit(state, once, branch);
  return snapshot && { state, snapshot };
}

async function writtenRows({ operations, state, engine }: ScannedTable, rows: RowsToWrite, options: RowCommitOptions) {
  const add = await writeRows({ metadata: state.metadata, files: operations.files, engine }, rows, options);
  return { add, properties: propertiesOf(options) };
}

/** The properties of a commit whose rows are written. */
export function propertiesOf({ properties }: RowCommitOptions): SnapshotProperties | undefined {
  return typeof properties === "function" ? properties() : properties;
}

function commitOptions({ state }: ScannedTable, { branch, once, signal }: RowCommitOptions) {
  return { base: state, branch, once, signal, deletesAddedOnFailure: true };
}
