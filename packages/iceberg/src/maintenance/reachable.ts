/** The files that snapshots reach. */
import type { Abortable } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { ManifestFile } from "../manifest/data-file.ts";
import type { Snapshot, TableMetadata } from "../metadata/table-metadata.ts";
import { inParallel } from "../in-parallel.ts";
import { liveEntries, manifestsOf, MANIFESTS_AT_ONCE } from "../scan/manifest-source.ts";

/** The manifests of snapshots by path. @param isLenient passes over snapshots whose list isn't there any more. */
export async function manifestsByPath(
  files: TableFiles,
  snapshots: readonly Snapshot[],
  { isLenient = false, signal }: Abortable & { readonly isLenient?: boolean },
): Promise<ReadonlyMap<string, ManifestFile>> {
  const byPath = new Map<string, ManifestFile>();
  await inParallel(MANIFESTS_AT_ONCE, snapshots, async (snapshot) => {
    signal?.throwIfAborted();
    const manifests = await unlessMissing(isLenient, manifestsOf(files, snapshot, { signal }));
    for (const manifest of manifests) byPath.set(manifest.path, manifest);
  });
  return byPath;
}

/** The paths of the files that a manifest has in the table. @param isLenient gives none of a manifest that isn't there any more. */
export async function filesOf(
  files: TableFiles,
  manifest: ManifestFile,
  { isLenient = false, signal }: Abortable & { readonly isLenient?: boolean },
): Promise<readonly { readonly path: string; readonly isData: boolean }[]> {
  const entries = await unlessMissing(isLenient, liveEntries(files, manifest, { statistics: false, signal }));
  return entries.map(({ file }) => ({ path: file.path, isData: file.content === "data" }));
}

/** The statistics files that metadata names ("Table Statistics", "Partition Statistics"). @param ids of these snapshots. Default: all. */
export function statisticsOf(metadata: TableMetadata, ids?: ReadonlySet<bigint>): readonly string[] {
  return [...metadata.statistics, ...metadata["partition-statistics"]]
    .filter((file) => ids === undefined || ids.has(file["snapshot-id"]))
    .map((file) => file["statistics-path"]);
}

async function unlessMissing<T>(isLenient: boolean, read: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await read;
  } catch (error) {
    if (isLenient && error instanceof IcebergError && error.code === "file-missing") return [];
    throw error;
  }
}
