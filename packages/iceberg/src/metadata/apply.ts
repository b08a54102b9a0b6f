/** Updates applied to table metadata: a pure function from one state to the next. */
import { applyStructureUpdate } from "./apply-structure.ts";
import { applySnapshotUpdate } from "./apply-snapshots.ts";
import { checkMetadata } from "./check.ts";
import { refused } from "./refused.ts";
import type { TableMetadata } from "./table-metadata.ts";
import type { TableUpdate } from "./updates.ts";

/** The ids that -1 stands for in the updates that follow: of what was added last. */
export interface Added {
  schemaId?: number;
  specId?: number;
  sortOrderId?: number;
}

/**
 * The metadata after updates, one after the other.
 *
 * @param nowMs becomes `last-updated-ms`, which never goes back.
 * @throws IcebergError `invalid-change`, with the rule, if one isn't allowed; the metadata that was given is never changed.
 */
export function applyUpdates(
  metadata: TableMetadata,
  updates: readonly TableUpdate[],
  { nowMs }: { readonly nowMs: number },
): TableMetadata {
  const added: Added = {};
  const timeMs = Math.max(nowMs, metadata["last-updated-ms"]);
  const changed = updates.reduce((table, update) => applyUpdate(table, update, added, timeMs), metadata);
  return checkMetadata({ ...changed, "last-updated-ms": timeMs });
}

function applyUpdate(table: TableMetadata, update: TableUpdate, added: Added, timeMs: number): TableMetadata {
  switch (update.action) {
    case "assign-uuid":
      if (table["table-uuid"] !== undefined && table["table-uuid"] !== update.uuid)
        throw refused(`the table has the UUID ${table["table-uuid"]}, which stays`);
      return { ...table, "table-uuid": update.uuid };
    case "upgrade-format-version":
      return upgraded(table, update["format-version"]);
    case "set-location":
      return { ...table, location: update.location };
    case "set-properties":
      return { ...table, properties: { ...table.properties, ...update.updates } };
    case "remove-properties": {
      const kept = Object.entries(table.properties).filter(([name]) => !update.removals.includes(name));
      return { ...table, properties: Object.fromEntries(kept) };
    }
    case "set-statistics":
      return { ...table, statistics: [...table.statistics.filter(isNotOf(update.statistics)), update.statistics] };
    case "remove-statistics":
      return { ...table, statistics: table.statistics.filter(isNotOf(update)) };
    case "set-partition-statistics": {
      const file = update["partition-statistics"];
      return { ...table, "partition-statistics": [...table["partition-statistics"].filter(isNotOf(file)), file] };
    }
    case "remove-partition-statistics":
      return { ...table, "partition-statistics": table["partition-statistics"].filter(isNotOf(update)) };
    case "add-snapshot":
    case "set-snapshot-ref":
    case "remove-snapshots":
    case "remove-snapshot-ref":
      return applySnapshotUpdate(table, update, timeMs);
    default:
      return applyStructureUpdate(table, update, added);
  }
}

/** A later version's metadata (Appendix E). Version 1 is held in the fields of version 2, but must have a UUID by then. */
function upgraded(table: TableMetadata, to: TableMetadata["format-version"]): TableMetadata {
  const from = table["format-version"];
  if (to < from) throw refused(`the table has format version ${from}, and can't go back to ${to}`);
  if (to > 1 && table["table-uuid"] === undefined)
    throw refused("a table of version 2 has a UUID: assign one first (assign-uuid)");
  const rowIds = to >= 3 && from < 3 ? { "next-row-id": 0 } : {};
  return { ...table, ...rowIds, "format-version": to };
}

function isNotOf({ "snapshot-id": id }: { readonly "snapshot-id": bigint }) {
  return (file: { readonly "snapshot-id": bigint }): boolean => file["snapshot-id"] !== id;
}
