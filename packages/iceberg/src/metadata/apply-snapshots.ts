/** Updates of snapshots and of the branches and tags that keep them. */
import { refused } from "./refused.ts";
import { MAIN, type Snapshot, snapshotById, type SnapshotRef, type TableMetadata } from "./table-metadata.ts";
import type { TableUpdate } from "./updates.ts";

type SnapshotUpdate = Extract<
  TableUpdate,
  { readonly action: "add-snapshot" | "set-snapshot-ref" | "remove-snapshots" | "remove-snapshot-ref" }
>;

export function applySnapshotUpdate(table: TableMetadata, update: SnapshotUpdate, timeMs: number): TableMetadata {
  switch (update.action) {
    case "add-snapshot":
      return addSnapshot(table, update.snapshot);
    case "set-snapshot-ref": {
      const { action: _, "ref-name": name, ...ref } = update;
      return setRef(table, name, ref, timeMs);
    }
    case "remove-snapshots":
      return removeSnapshots(table, new Set(update["snapshot-ids"]));
    case "remove-snapshot-ref": {
      const { [update["ref-name"]]: _, ...refs } = table.refs;
      return { ...table, refs, ...(update["ref-name"] === MAIN ? { "current-snapshot-id": undefined } : {}) };
    }
    default:
      return update satisfies never;
  }
}

function addSnapshot(table: TableMetadata, snapshot: Snapshot): TableMetadata {
  const { "snapshot-id": id, "sequence-number": sequenceNumber } = snapshot;
  const isFirst = table["format-version"] === 1;
  if (snapshotById(table, id) !== undefined) throw refused(`there is a snapshot ${id} already`);
  if (!isFirst && sequenceNumber <= table["last-sequence-number"])
    throw refused(
      `snapshot ${id} has sequence number ${sequenceNumber}: it must be above the table's last, ${table["last-sequence-number"]}`,
    );
  return {
    ...table,
    ...rowIdsAfter(table, snapshot),
    "last-sequence-number": isFirst ? 0 : sequenceNumber,
    snapshots: [...table.snapshots, isFirst ? { ...snapshot, "sequence-number": 0 } : snapshot],
  };
}

/** Version 3: the rows that a snapshot adds have ids from the table's next ("Row Lineage"). */
function rowIdsAfter(table: TableMetadata, snapshot: Snapshot): Pick<TableMetadata, "next-row-id"> {
  if (table["format-version"] < 3) return {};
  const [first, next] = [snapshot["first-row-id"], table["next-row-id"] ?? 0];
  if (first === undefined || snapshot["added-rows"] === undefined)
    throw refused(`snapshot ${snapshot["snapshot-id"]} needs first-row-id and added-rows: the table has version 3`);
  if (first < next)
    throw refused(`snapshot ${snapshot["snapshot-id"]} has first-row-id ${first}, below the next, ${next}`);
  return { "next-row-id": first + snapshot["added-rows"] };
}

function setRef(table: TableMetadata, name: string, ref: SnapshotRef, timeMs: number): TableMetadata {
  const id = ref["snapshot-id"];
  if (snapshotById(table, id) === undefined) throw refused(`there is no snapshot ${id} for ${ref.type} ${name}`);
  const refs = { ...table.refs, [name]: ref };
  if (name !== MAIN) return { ...table, refs };
  if (ref.type !== "branch") throw refused(`${MAIN} is a branch and can't be a tag`);
  const isSame = table["current-snapshot-id"] === id;
  return {
    ...table,
    refs,
    "current-snapshot-id": id,
    "snapshot-log": isSame
      ? table["snapshot-log"]
      : [...table["snapshot-log"], { "snapshot-id": id, "timestamp-ms": timeMs }],
  };
}

/** Without snapshots, and what is of them: branches, tags, statistics, and the log up to the last of them, since what was current between isn't known any more. */
function removeSnapshots(table: TableMetadata, ids: ReadonlySet<bigint>): TableMetadata {
  const isKept = (of: { readonly "snapshot-id": bigint }) => !ids.has(of["snapshot-id"]);
  const log = table["snapshot-log"];
  const current = table["current-snapshot-id"];
  return {
    ...table,
    snapshots: table.snapshots.filter(isKept),
    refs: Object.fromEntries(Object.entries(table.refs).filter(([, ref]) => isKept(ref))),
    "current-snapshot-id": current !== undefined && ids.has(current) ? undefined : current,
    "snapshot-log": log.slice(log.findLastIndex((entry) => !isKept(entry)) + 1),
    statistics: table.statistics.filter(isKept),
    "partition-statistics": table["partition-statistics"].filter(isKept),
  };
}
