/** Snapshots taken out of a table, and the files deleted that nothing else reaches. */
import type { Abortable } from "@orcajs/objectstore";
import { readOnly } from "../catalog/read-only-operations.ts";
import type { TableChange, TableOperations, TableState } from "../catalog/table-operations.ts";
import { commitDecided } from "../commit/commit-decided.ts";
import { refused } from "../metadata/refused.ts";
import { sameTable } from "../metadata/requirements.ts";
import type { Snapshot, TableMetadata } from "../metadata/table-metadata.ts";
import { deleteExpired, type DeletedFiles } from "./expired-files.ts";
import { expiredOf, type Expired, type RetentionPolicy } from "./retention.ts";

export interface ExpireOptions extends RetentionPolicy, Abortable {
  /** Whether the files are deleted that only the expired snapshots reach. Default: true. */
  readonly deletesFiles?: boolean | undefined;
}

export interface ExpiredSnapshots {
  readonly state: TableState;
  readonly snapshots: readonly Snapshot[];
  /** Branches and tags that were past their own time. */
  readonly refs: readonly string[];
  readonly deleted: DeletedFiles;
}

const NOTHING: DeletedFiles = { dataFiles: 0, deleteFiles: 0, manifests: 0, manifestLists: 0, statisticsFiles: 0 };

/**
 * Expires snapshots by age and number, each branch and tag with its own settings, or those of given ids; then deletes the files that no snapshot
 * reaches any more. What others commit meanwhile stays whole. Files whose deletion came to nothing are orphans.
 *
 * @throws IcebergError `invalid-change` if a given snapshot is a branch's or tag's, or the table says that its files aren't to be deleted (`gc.enabled`);
 * `snapshot-missing`; `commit-conflict` if others were always quicker; `commit-unknown`: no file was deleted then; `file-missing` or `invalid-manifest`
 * if what is left can't be read: the snapshots are expired then, and no file is deleted that may be reached.
 */
export async function expireSnapshots(
  operations: TableOperations,
  { deletesFiles = true, signal, ...policy }: ExpireOptions = {},
): Promise<ExpiredSnapshots> {
  let expired: Expired = { snapshots: [], refs: [] };
  const decide = (metadata: TableMetadata) => {
    if (deletesFiles) checkDeletable(operations, metadata);
    expired = expiredOf(metadata, policy, Date.now());
    const isNothing = expired.snapshots.length === 0 && expired.refs.length === 0;
    return isNothing ? undefined : changeOf(metadata, expired);
  };
  const { before, after: state } = await commitDecided(operations, decide, { signal });
  const deleted =
    deletesFiles && state !== before
      ? await deleteExpired(operations.files, before.metadata, state.metadata, expired.snapshots, { signal })
      : NOTHING;
  return { state, ...expired, deleted };
}

/** @throws IcebergError `invalid-change` if the table shares its files with others; `read-only`. */
export function checkDeletable({ name, isReadOnly = false }: TableOperations, { properties }: TableMetadata): void {
  if (isReadOnly) throw readOnly(name);
  if (properties["gc.enabled"]?.toLowerCase() === "false")
    throw refused(
      `files of ${name} aren't to be deleted: its property gc.enabled is false, as others may have them too`,
    );
}

function changeOf(metadata: TableMetadata, { snapshots, refs }: Expired): TableChange {
  const ids = snapshots.map((snapshot) => snapshot["snapshot-id"]);
  return {
    requirements: [
      ...sameTable(metadata),
      // a branch that was put back meanwhile may be of a snapshot that is to expire
      ...Object.entries(metadata.refs).map(([ref, { "snapshot-id": id }]) => ({
        type: "assert-ref-snapshot-id" as const,
        ref,
        "snapshot-id": id,
      })),
    ],
    updates: [
      ...refs.map((name) => ({ action: "remove-snapshot-ref" as const, "ref-name": name })),
      ...(ids.length === 0 ? [] : [{ action: "remove-snapshots" as const, "snapshot-ids": ids }]),
    ],
  };
}
