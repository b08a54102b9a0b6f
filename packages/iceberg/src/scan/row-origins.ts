/** Which snapshots added the rows that a snapshot has, as far as manifests tell. */
import type { Abortable } from "@orcajs/objectstore";
import type { ScannedTable } from "./scan.ts";
import { inParallel } from "../in-parallel.ts";
import { REWRITTEN_FILES } from "../commit/summary.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { Snapshot } from "../metadata/table-metadata.ts";
import { liveEntries, MANIFESTS_AT_ONCE, manifestsOf } from "./manifest-source.ts";
import { chosenSnapshot } from "./snapshot-choice.ts";

/** A snapshot that added rows. */
export interface RowOrigin {
  readonly snapshot: bigint;
  /** Of those that it added, the files that are in the table, and their rows; where it isn't certain, those that were rewritten. */
  readonly files: number;
  readonly rows: number;
  /** Whether it is certain that some rows are in the table: those of files that were rewritten, or have deletes beside them, may be gone. */
  readonly isCertain: boolean;
}

export interface RowOrigins {
  readonly origins: readonly RowOrigin[];
  /** Snapshots among them that have expired, so that it isn't known whether they have rewritten files of others, whose rows may be in the table. */
  readonly expired: readonly bigint[];
}

/**
 * The snapshots that added the rows of one: exactly those whose files it has and, where one rewrote files, also those that had added these.
 *
 * @throws IcebergError `snapshot-missing`; `file-missing` or `invalid-manifest`, with the manifest.
 */
export async function rowOrigins(
  { state: { metadata }, operations: { files } }: Pick<ScannedTable, "state" | "operations">,
  id: bigint,
  options: Abortable = {},
): Promise<RowOrigins> {
  const byId = new Map(metadata.snapshots.map((one) => [one["snapshot-id"], one]));
  const { added, hasDeletes } = await liveFiles(files, chosenSnapshot(metadata, { id }).snapshot!, options);
  const origins = new Map<bigint, RowOrigin>();
  for (const file of added.values()) count(origins, file, !hasDeletes);
  const expired: bigint[] = [];
  const queue = [...origins.keys()];
  for (const next of queue) {
    const snapshot = byId.get(next);
    const before = snapshot?.["parent-snapshot-id"];
    const parent = before === undefined ? undefined : byId.get(before);
    if (snapshot === undefined || (before !== undefined && parent === undefined && mayHaveRewritten(snapshot)))
      expired.push(next);
    if (snapshot === undefined || parent === undefined || !mayHaveRewritten(snapshot)) continue;
    const left = (await liveFiles(files, snapshot, options)).added;
    for (const [path, file] of (await liveFiles(files, parent, options)).added) {
      if (left.has(path) || origins.get(file.by)?.isCertain) continue;
      if (!origins.has(file.by)) queue.push(file.by);
      count(origins, file, false);
    }
  }
  return { origins: [...origins.values()], expired };
}

interface AddedFile {
  readonly by: bigint;
  readonly rows: number;
}

/** The data files of a snapshot by their paths. */
async function liveFiles(files: TableFiles, snapshot: Snapshot, options: Abortable) {
  const manifests = (await manifestsOf(files, snapshot, options)).filter(
    ({ addedFiles, existingFiles }) => addedFiles !== 0 || existingFiles !== 0,
  );
  const data = manifests.filter(({ content }) => content === "data");
  const entries = await inParallel(MANIFESTS_AT_ONCE, data, (manifest) =>
    liveEntries(files, manifest, { ...options, statistics: false }),
  );
  const added = new Map<string, AddedFile>(
    entries.flat().map(({ snapshotId, file }) => [file.path, { by: snapshotId, rows: file.recordCount }]),
  );
  return { added, hasDeletes: data.length < manifests.length };
}

function count(origins: Map<bigint, RowOrigin>, { by, rows }: AddedFile, isCertain: boolean): void {
  const known = origins.get(by);
  origins.set(by, { snapshot: by, files: (known?.files ?? 0) + 1, rows: (known?.rows ?? 0) + rows, isCertain });
}

/** Not if it only added files, or removed whole ones, or says itself that it has rewritten none. */
function mayHaveRewritten({ summary = {} }: Snapshot): boolean {
  const { operation, "deleted-data-files": deleted = "0", [REWRITTEN_FILES]: rewritten = deleted } = summary;
  return operation === undefined || (operation !== "append" && rewritten !== "0");
}
