/** Changes of branches and tags: decided by the table as it is, and decided anew if others were quicker. */
import type { Abortable } from "@orcajs/objectstore";
import { backOff } from "../catalog/backoff.ts";
import type { TableOperations, TableState } from "../catalog/table-operations.ts";
import { commitSettings } from "../commit/settings.ts";
import { IcebergError } from "../errors.ts";
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
  let state = await operations.load({ signal });
  const { retries, waitMs, waitMsMax } = commitSettings(state.metadata);
  for (let attempt = 1; ; attempt++) {
    const { metadata } = state;
    const ref = refOf(metadata, name);
    const next = decide(metadata, ref);
    if (next === undefined ? ref === undefined : ref !== undefined && isSame(ref, next)) return state;
    const uuid = metadata["table-uuid"];
    try {
      return await operations.commit(state, {
        requirements: [
          ...(uuid === undefined ? [] : [{ type: "assert-table-uuid" as const, uuid }]),
          { type: "assert-ref-snapshot-id", ref: name, "snapshot-id": ref?.["snapshot-id"] ?? null },
        ],
        updates: [
          next === undefined
            ? { action: "remove-snapshot-ref", "ref-name": name }
            : { action: "set-snapshot-ref", "ref-name": name, ...next },
        ],
      });
    } catch (error) {
      const isConflict = error instanceof IcebergError && error.code === "commit-conflict";
      if (!isConflict || attempt > retries) throw error;
    }
    await backOff(attempt, waitMs, { signal }, waitMsMax);
    state = await operations.load({ signal });
  }
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
