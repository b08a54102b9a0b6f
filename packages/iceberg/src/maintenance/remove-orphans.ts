/** Files in a table's folder that the table doesn't have: those of writers that crashed, and of commits that came to nothing. */
import type { Abortable } from "@orcajs/objectstore";
import type { TableOperations, TableState } from "../catalog/table-operations.ts";
import type { ListedFile, TableFiles } from "../files/table-files.ts";
import { refused } from "../metadata/refused.ts";
import type { Snapshot } from "../metadata/table-metadata.ts";
import { inParallel } from "../in-parallel.ts";
import { MANIFESTS_AT_ONCE } from "../scan/manifest-source.ts";
import { checkDeletable } from "./expire-snapshots.ts";
import { fileKey, normalUri } from "./file-key.ts";
import { filesOf, manifestsByPath, statisticsOf } from "./reachable.ts";

const HOUR_MS = 3_600_000;
const AGE_DAYS = 3;

export interface OrphanOptions extends Abortable {
  /** Only files that were last changed before this: younger ones may be those of commits that are under way. Default: 3 days ago. */
  readonly olderThan?: Date | undefined;
  /** Allows an `olderThan` less than an hour ago: only where surely nobody writes. Default: false. */
  readonly allowsRecent?: boolean | undefined;
  /** Whether the orphans are only told, not deleted. Default: false. */
  readonly isDryRun?: boolean | undefined;
  /** The URI of the folder that is looked through. Default: the table's location. */
  readonly location?: string | undefined;
}

/**
 * Deletes the files in a table's folder that no snapshot reaches and its metadata doesn't name, and gives them. Files of tables in folders within
 * it stay.
 *
 * @throws IcebergError `invalid-change` if `olderThan` is too recent, or the table says that its files aren't to be deleted (`gc.enabled`);
 * `file-missing` or `invalid-manifest` if what the table has can't be read: nothing is deleted then.
 */
export async function removeOrphans(
  operations: TableOperations,
  { olderThan, allowsRecent = false, isDryRun = false, location, signal }: OrphanOptions = {},
): Promise<readonly ListedFile[]> {
  const nowMs = Date.now();
  if (olderThan !== undefined && !(olderThan instanceof Date)) throw refused("olderThan isn't a Date");
  const limitMs = olderThan?.getTime() ?? nowMs - AGE_DAYS * 24 * HOUR_MS;
  if (Number.isNaN(limitMs)) throw refused("olderThan isn't a valid Date");
  if (limitMs > nowMs - HOUR_MS && !allowsRecent)
    throw refused(
      `files younger than an hour may be those of commits that are under way: olderThan is ${new Date(limitMs).toISOString()}; set allowsRecent if surely nobody writes`,
    );
  const { files } = operations;
  const state = await operations.load({ signal });
  checkDeletable(operations, state.metadata);
  const reached = new Reached(files);
  await reached.add(state, { signal });
  const folder = location ?? state.metadata.location;
  const orphans: ListedFile[] = [];
  const tables = new Set<string>();
  for await (const file of files.list(folder, { signal })) {
    const table = /^(.*)\/metadata\/[^/]*\.metadata\.json(?:\.gz)?$/s.exec(file.uri)?.[1];
    if (table !== undefined) tables.add(`${table}/`);
    const isOld = file.modifiedAt.getTime() < limitMs;
    if (isOld && !file.uri.endsWith("/version-hint.text") && !reached.has(file.uri)) orphans.push(file);
  }
  // a commit of files that are older than the limit may have come meanwhile
  await reached.add(await operations.load({ signal }), { signal });
  const own = normalUri(`${state.metadata.location}/`);
  const others = [...tables].filter(
    (table) => normalUri(table) !== own && normalUri(table).startsWith(normalUri(folder)),
  );
  const removed = orphans.filter(({ uri }) => !reached.has(uri) && !others.some((table) => uri.startsWith(table)));
  if (!isDryRun)
    await files.delete(
      removed.map(({ uri }) => uri),
      { signal },
    );
  return removed;
}

/** The files that a table has. */
class Reached {
  readonly #files: TableFiles;
  readonly #keys = new Set<number>();
  readonly #snapshots = new Set<bigint>();
  readonly #manifests = new Set<string>();

  constructor(files: TableFiles) {
    this.#files = files;
  }

  has(uri: string): boolean {
    return this.#keys.has(fileKey(uri));
  }

  /** Adds what a state has; what was read before isn't read again. */
  async add({ metadata, metadataLocation }: TableState, options: Abortable): Promise<void> {
    const former = metadata["metadata-log"].map((entry) => entry["metadata-file"]);
    for (const uri of [metadataLocation, ...former, ...statisticsOf(metadata)]) this.#keys.add(fileKey(uri));
    const snapshots = metadata.snapshots.filter((snapshot) => !this.#snapshots.has(snapshot["snapshot-id"]));
    const manifests = await manifestsByPath(this.#files, snapshots, options);
    const unread = [...manifests.values()].filter(({ path }) => !this.#manifests.has(path));
    await inParallel(MANIFESTS_AT_ONCE, unread, async (manifest) => {
      this.#keys.add(fileKey(manifest.path));
      for (const { path } of await filesOf(this.#files, manifest, options)) this.#keys.add(fileKey(path));
      this.#manifests.add(manifest.path);
    });
    for (const snapshot of snapshots) this.#addSnapshot(snapshot);
  }

  #addSnapshot({ "snapshot-id": id, "manifest-list": list }: Snapshot): void {
    if (list !== undefined) this.#keys.add(fileKey(list));
    this.#snapshots.add(id);
  }
}
