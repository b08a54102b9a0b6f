/** The history of a table's snapshots, whoever made them. */
import { openTable } from "@orcajs/iceberg";
import type { Snapshot } from "../../core/ctx.ts";

/** Which snapshot each of a table's follows on; of none if the table isn't there any more. */
export async function parentsOf(location: string): Promise<ReadonlyMap<Snapshot, Snapshot | undefined>> {
  const table = await openTable(location).catch(() => undefined);
  if (table === undefined) return new Map();
  await using _ = table;
  return new Map(table.snapshots().map((s) => [s["snapshot-id"], s["parent-snapshot-id"]]));
}
