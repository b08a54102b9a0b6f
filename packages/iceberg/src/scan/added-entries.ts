import type { Abortable } from "@orcajs/objectstore";
import type { TableFiles } from "../files/table-files.ts";
import { inParallel } from "../in-parallel.ts";
import type { ManifestFile } from "../manifest/data-file.ts";
import type { ReadManifestOptions } from "../manifest/read-manifest.ts";
import type { Snapshot } from "../metadata/table-metadata.ts";
import { liveEntries, MANIFESTS_AT_ONCE, manifestsOf } from "./manifest-source.ts";
import type { EntryOfSpec } from "./plan.ts";

/** The files that a snapshot added, of manifests that may matter. */
export async function addedBy(
  files: TableFiles,
  snapshot: Snapshot,
  mayMatter: (manifest: ManifestFile) => boolean,
  options: ReadManifestOptions & Abortable,
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
