/** The rows that were appended between two snapshots. */
import type { Abortable } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { ManifestFile } from "../manifest/data-file.ts";
import type { ReadManifestOptions } from "../manifest/read-manifest.ts";
import type { Snapshot, TableMetadata } from "../metadata/table-metadata.ts";
import { addedBy } from "./added-entries.ts";
import type { EntryOfSpec } from "./plan.ts";
import { foundSnapshot } from "./snapshot-choice.ts";

export interface ChangesBetween {
  /** The snapshot after which rows count. It may be expired, as long as the one after it isn't. */
  readonly from: bigint;
  /** The last snapshot whose rows count. Default: that of `main`. */
  readonly to?: bigint | undefined;
  /** Leaves out what snapshots did that changed or deleted rows, rather than refusing. Default false. */
  readonly ignoreOverwrites?: boolean | undefined;
}

/** @throws IcebergError `snapshot-missing` if `from` isn't before the snapshot, or one between was expired; `unsupported` for overwrites. */
export async function appendedEntries(
  metadata: TableMetadata,
  files: TableFiles,
  to: Snapshot,
  { from, ignoreOverwrites = false }: ChangesBetween,
  options: ReadManifestOptions & Abortable,
  isWanted: (manifest: ManifestFile) => boolean,
): Promise<readonly EntryOfSpec[]> {
  const entries: EntryOfSpec[] = [];
  for (const snapshot of snapshotsBetween(metadata, from, to)) {
    const id = snapshot["snapshot-id"];
    const operation = snapshot.summary?.["operation"] ?? "append";
    if (operation !== "append") {
      if (operation === "replace" || ignoreOverwrites) continue; // the same rows in other files
      throw new IcebergError(
        "unsupported",
        `snapshot ${id} isn't an append but ${operation}: read all rows, or set ignoreOverwrites to leave out what it did`,
      );
    }
    entries.push(...(await addedBy(files, snapshot, (m) => m.content === "data" && isWanted(m), options)));
  }
  return entries;
}

/** From the oldest to the newest. */
function snapshotsBetween(metadata: TableMetadata, from: bigint, to: Snapshot): readonly Snapshot[] {
  const snapshots: Snapshot[] = [];
  for (let snapshot = to; snapshot["snapshot-id"] !== from;) {
    snapshots.unshift(snapshot);
    const parent = snapshot["parent-snapshot-id"];
    if (parent === from) return snapshots;
    if (parent === undefined || snapshots.length > metadata.snapshots.length)
      throw new IcebergError(
        "snapshot-missing",
        `snapshot ${from} isn't one of those that snapshot ${to["snapshot-id"]} follows on`,
      );
    snapshot = foundSnapshot(metadata, parent);
  }
  return snapshots;
}
