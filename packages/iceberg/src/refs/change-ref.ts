/** Changes of branches and tags: decided by the table as it is, and decided anew if others were quicker. */
import type { Abortable } from "@orcajs/objectstore";
import type { TableChange, TableOperations, TableState } from "../catalog/table-operations.ts";
import { commitDecided } from "../commit/commit-decided.ts";
import { sameTable } from "../metadata/requirements.ts";
import type { SnapshotRef, TableMetadata } from "../metadata/table-metadata.ts";

/** What a branch or tag is to be; undefined: gone. */
export type Decide = (metadata: TableMetadata, ref: SnapshotRef | undefined) => SnapshotRef | undefined;

/** Sets a branch or tag to what is decided, on the condition that it is as it was then. Nothing is committed if it is so already. */
export async function changeRef(
  operations: TableOperations,
  name: string,
  decide: Decide,
  { signal }: Abortable,
): Promise<TableState> {
  const change = (metadata: TableMetadata): TableChange | undefined => {
    const ref = refOf(metadata, name);
    const next = decide(metadata, ref);
    if (next === undefined ? ref === undefined : ref !== undefined && isSame(ref, next)) return undefined;
    return {
      requirements: [
        ...sameTable(metadata),
        { type: "assert-ref-snapshot-id", ref: name, "snapshot-id": ref?.["snapshot-id"] ?? null },
      ],
      updates: [
        next === undefined
          ? { action: "remove-snapshot-ref", "ref-name": name }
          : { action: "set-snapshot-ref", "ref-name": name, ...next },
      ],
    };
  };
  return (await commitDecided(operations, change, { signal })).after;
}

export function refOf({ refs }: TableMetadata, name: string): SnapshotRef | undefined {
  return Object.hasOwn(refs, name) ? refs[name] : undefined;
}

function isSame(a: SnapshotRef, b: SnapshotRef): boolean {
  const names = [
    "snapshot-id",
    "type",
    "min-snapshots-to-keep",
    "max-snapshot-age-ms",
    "max-ref-age-ms",
  ] as const satisfies readonly (keyof SnapshotRef)[];
  return names.every((name) => a[name] === b[name]);
}
