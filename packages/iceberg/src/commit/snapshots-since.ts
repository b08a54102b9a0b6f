/** What others have committed to a branch since a snapshot. */
import { IcebergError } from "../errors.ts";
import { type Snapshot, snapshotById, snapshotOfRef, type TableMetadata } from "../metadata/table-metadata.ts";

/**
 * The snapshots of a branch after one, the newest first.
 *
 * @param from undefined: all, as the branch had none.
 * @throws IcebergError `commit-conflict` if they can't be told, as the branch doesn't follow on the snapshot any more.
 */
export function snapshotsSince(metadata: TableMetadata, branch: string, from: bigint | undefined): readonly Snapshot[] {
  const since: Snapshot[] = [];
  let snapshot = snapshotOfRef(metadata, branch);
  while (snapshot !== undefined && snapshot["snapshot-id"] !== from) {
    since.push(snapshot);
    const parent = snapshot["parent-snapshot-id"];
    snapshot = parent === undefined ? undefined : snapshotById(metadata, parent);
    const isLost = snapshot === undefined && (parent !== undefined ? parent !== from : from !== undefined);
    if (isLost || since.length > metadata.snapshots.length) throw lost(branch, from);
  }
  if (snapshot === undefined && since.length === 0 && from !== undefined) throw lost(branch, from);
  return since;
}

function lost(branch: string, from: bigint | undefined): IcebergError {
  return new IcebergError(
    "commit-conflict",
    `${branch} doesn't follow on ${from === undefined ? "its first snapshot" : `snapshot ${from}`} any more, so that what others changed since can't be told: refresh the table, and do this again`,
  );
}
