/** The history of a table's snapshots, whoever made them. */
import { openTable } from "@orcajs/iceberg";
import type { Snapshot } from "../../core/ctx.ts";

/**
 * The snapshots that one follows on, the nearest first.
 *
 * @param location the table's.
 * @returns none if the table or the snapshot isn't there any more.
 */
export async function ancestorsOf(location: string, snapshot: Snapshot): Promise<readonly Snapshot[]> {
  const table = await openTable(location).catch(() => undefined);
  if (table === undefined) return [];
  await using _ = table;
  const parents = new Map(table.snapshots().map((s) => [s["snapshot-id"], s["parent-snapshot-id"]]));
  const ancestors: Snapshot[] = [];
  for (let id = parents.get(snapshot); id !== undefined && ancestors.length < parents.size; id = parents.get(id))
    ancestors.push(id);
  return ancestors;
}
