import type { Snapshot, TableMetadata } from "../metadata/table-metadata.ts";

/** A snapshot and those that it follows on, the newest first, as far as they are still there. */
export function ancestorsOf(metadata: TableMetadata, id: bigint | undefined): readonly Snapshot[] {
  const byId = new Map(metadata.snapshots.map((snapshot) => [snapshot["snapshot-id"], snapshot]));
  const ancestors = new Map<bigint, Snapshot>();
  for (let next = id; next !== undefined && !ancestors.has(next);) {
    const snapshot = byId.get(next);
    if (snapshot === undefined) break;
    ancestors.set(next, snapshot);
    next = snapshot["parent-snapshot-id"];
  }
  return [...ancestors.values()];
}

/** Whether a snapshot is another, or comes before it. */
export function isAncestor(metadata: TableMetadata, id: bigint, of: bigint): boolean {
  return ancestorsOf(metadata, of).some((snapshot) => snapshot["snapshot-id"] === id);
}
