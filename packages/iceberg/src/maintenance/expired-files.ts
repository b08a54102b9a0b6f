/** The files that only expired snapshots reach. */
import type { Abortable } from "@orcajs/objectstore";
import type { TableFiles } from "../files/table-files.ts";
import type { ManifestFile } from "../manifest/data-file.ts";
import type { Snapshot, TableMetadata } from "../metadata/table-metadata.ts";
import { inParallel } from "../in-parallel.ts";
import { MANIFESTS_AT_ONCE } from "../scan/manifest-source.ts";
import { filesOf, manifestsByPath, statisticsOf } from "./reachable.ts";

/** How many paths are in memory at a time. */
const PATHS_MAX = 100_000;

export interface DeletedFiles {
  readonly dataFiles: number;
  readonly deleteFiles: number;
  readonly manifests: number;
  readonly manifestLists: number;
  readonly statisticsFiles: number;
}

/**
 * Deletes the files of snapshots that were expired, as far as none of those that are left reaches them. What was deleted before isn't missed.
 *
 * @param former the metadata that had the snapshots.
 * @param metadata the metadata without them.
 * @throws IcebergError `file-missing` or `invalid-manifest` if what is left can't be read: nothing is deleted then that it may reach.
 */
export async function deleteExpired(
  files: TableFiles,
  former: TableMetadata,
  metadata: TableMetadata,
  expired: readonly Snapshot[],
  { signal }: Abortable,
): Promise<DeletedFiles> {
  const left = await manifestsByPath(files, metadata.snapshots, { signal });
  const gone = await manifestsByPath(files, expired, { isLenient: true, signal });
  const manifests = [...gone.values()].filter(({ path }) => !left.has(path));
  const deleted = await deleteFiles(files, manifests, [...left.values()], { signal });
  await files.delete(
    manifests.map(({ path }) => path),
    { signal },
  );
  const keptLists = new Set(metadata.snapshots.map((snapshot) => snapshot["manifest-list"]));
  const lists = expired.flatMap(({ "manifest-list": list }) =>
    list === undefined || keptLists.has(list) ? [] : [list],
  );
  const keptStatistics = new Set(statisticsOf(metadata));
  const ids = new Set(expired.map((snapshot) => snapshot["snapshot-id"]));
  const statistics = statisticsOf(former, ids).filter((path) => !keptStatistics.has(path));
  await files.delete([...statistics, ...lists], { signal });
  return { ...deleted, manifests: manifests.length, manifestLists: lists.length, statisticsFiles: statistics.length };
}

async function deleteFiles(
  files: TableFiles,
  gone: readonly ManifestFile[],
  left: readonly ManifestFile[],
  { signal }: Abortable,
): Promise<Pick<DeletedFiles, "dataFiles" | "deleteFiles">> {
  const counts = { dataFiles: 0, deleteFiles: 0 };
  let paths = new Map<string, boolean>();
  const flush = async () => {
    if (paths.size === 0) return;
    // a file's manifests are all of its kind
    const contents = new Set([...paths.values()].map((isData) => (isData ? "data" : "deletes")));
    const mayHave = left.filter(({ content }) => contents.has(content));
    await inParallel(MANIFESTS_AT_ONCE, mayHave, async (manifest) => {
      for (const { path } of await filesOf(files, manifest, { signal })) paths.delete(path);
    });
    for (const isData of paths.values()) counts[isData ? "dataFiles" : "deleteFiles"]++;
    await files.delete(paths.keys(), { signal });
    paths = new Map();
  };
  for (const manifest of gone) {
    signal?.throwIfAborted();
    for (const { path, isData } of await filesOf(files, manifest, { isLenient: true, signal })) paths.set(path, isData);
    if (paths.size >= PATHS_MAX) await flush();
  }
  await flush();
  return counts;
}
