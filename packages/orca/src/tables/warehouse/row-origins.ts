/** Which snapshots' rows a snapshot has, by the table's files. */
import { IcebergError, openTable, rowOrigins, type RowOrigins } from "@orcajs/iceberg";
import type { Snapshot } from "../../core/ctx.ts";
import { OrcaError } from "../../core/errors.ts";
import { textOfSnapshot } from "../../core/lineage.ts";

/** @throws OrcaError `table-missing`; `snapshot-expired`. */
export async function originsAt(dataset: string, location: string, snapshot: Snapshot): Promise<RowOrigins> {
  try {
    await using table = await openTable(location);
    return await rowOrigins(table, snapshot);
  } catch (cause) {
    const code = cause instanceof IcebergError ? cause.code : undefined;
    if (code === "table-missing")
      throw new OrcaError("table-missing", `there is no table of ${dataset} in ${location} any more`, { cause });
    if (code === "snapshot-missing")
      throw new OrcaError(
        "snapshot-expired",
        `${textOfSnapshot({ dataset, snapshot })} isn't in the table ${location} any more: which rows it had isn't known`,
        { cause },
      );
    throw cause;
  }
}
