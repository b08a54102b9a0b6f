/** What others have committed to a branch since a snapshot. */
import type { Abortable } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { ManifestFile } from "../manifest/data-file.ts";
import { type Snapshot, snapshotById, snapshotOfRef, type TableMetadata } from "../metadata/table-metadata.ts";
import { inParallel } from "../scan/in-parallel.ts";
import { liveEntries, manifestsOf } from "../scan/manifest-source.ts";
import type { EntryOfSpec } from "../scan/plan.ts";
import { MANIFESTS_AT_ONCE } from "./removed-files.ts";

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

/** The files that a snapshot added, of manifests that may matter. */
export async function addedBy(
  files: TableFiles,
  snapshot: Snapshot,
  mayMatter: (manifest: ManifestFile) => boolean,
  options: Abortable,
): Promise<readonly EntryOfSpec[]> {
  const id = snapshot["snapshot-id"];
  const manifests = (await manifestsOf(files, snapshot, options)).filter(
    (m) => m.addedSnapshotId === id && m.addedFiles !== 0 && mayMatter(m),
  );
  const entries = await inParallel(MANIFESTS_AT_ONCE, manifests, async (manifest) => {
    const live = await liveEntries(files, manifest, options);
    return live
      .filter(({ status, snapshotId }) => status === "added" && snapshotId === id)
      .map((entry) => ({ entry, specId: manifest.specId }));
  });
  return entries.flat();
}

function lost(branch: string, from: bigint | undefined): IcebergError {
  return new IcebergError(
    "commit-conflict",
    `${branch} doesn't follow on ${from === undefined ? "its first snapshot" : `snapshot ${from}`} any more, so that what others changed since can't be told: refresh the table, and do this again`,
  );
}
