import { IcebergError } from "../errors.ts";
import { stringifyJson } from "../json/json.ts";
import { applyUpdates } from "../metadata/apply.ts";
import { snapshotById, type TableMetadata } from "../metadata/table-metadata.ts";
import type { TableUpdate } from "../metadata/updates.ts";

/**
 * Whether updates whose reply was lost have been applied to a table, to which others may have come: the snapshots that they add are there, or if they add
 * none, they would change nothing any more.
 */
export function areApplied(metadata: TableMetadata, updates: readonly TableUpdate[]): boolean {
  const added = updates.flatMap((update) => (update.action === "add-snapshot" ? [update.snapshot["snapshot-id"]] : []));
  if (added.length > 0) return added.every((id) => snapshotById(metadata, id) !== undefined);
  try {
    const again = applyUpdates(metadata, updates, { nowMs: metadata["last-updated-ms"] });
    return stringifyJson(again) === stringifyJson(metadata);
  } catch (error) {
    if (error instanceof IcebergError) return false;
    throw error;
  }
}
