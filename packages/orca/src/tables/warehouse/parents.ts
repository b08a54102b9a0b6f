/** The history of a table's snapshots, whoever made them. */
import { snapshotParents } from "@orcajs/iceberg/history";
import type { Snapshot } from "../../core/ctx.ts";

/** Which snapshot each of a table's follows on; of none if the table isn't there any more. */
export async function parentsOf(location: string): Promise<ReadonlyMap<Snapshot, Snapshot | undefined>> {
  return await snapshotParents(location).catch(() => new Map());
}
