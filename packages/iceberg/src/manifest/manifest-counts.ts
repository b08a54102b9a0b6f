/** How many manifests a snapshot's list has, by its summary ("Optional Snapshot Summary Fields"): a list whose end is missing can't be told from a shorter one otherwise. */
import { IcebergError } from "../errors.ts";
import type { Snapshot } from "../metadata/table-metadata.ts";
import type { ManifestFile } from "./data-file.ts";

const [CREATED, KEPT] = ["manifests-created", "manifests-kept"] as const;

/** What a new snapshot's summary says of its manifests. */
export function manifestCounts(
  manifests: readonly ManifestFile[],
  snapshotId: bigint,
): Readonly<Record<string, string>> {
  const created = manifests.filter(({ addedSnapshotId }) => addedSnapshotId === snapshotId).length;
  return { [CREATED]: String(created), [KEPT]: String(manifests.length - created) };
}

/**
 * Passes if the list has all manifests that its snapshot says, or the snapshot says nothing. More are read all the same, as writers may
 * count otherwise; with fewer, rows would be missing.
 * @throws IcebergError `invalid-manifest` if there are fewer.
 */
export function checkManifestCount({ length }: readonly ManifestFile[], { summary, ...snapshot }: Snapshot): void {
  const expected = Number(summary?.[CREATED]) + Number(summary?.[KEPT]);
  if (length < expected)
    throw new IcebergError(
      "invalid-manifest",
      `manifest list ${snapshot["manifest-list"]} has ${length} manifests, and its snapshot says ${expected}: its end is missing`,
    );
}
