/** Whether the rows of written files are those that a filter selects. */
import type { Abortable } from "@orcajs/objectstore";
import type { FileOfSpec } from "../commit/file-change.ts";
import { IcebergError } from "../errors.ts";
import { stringifyJson } from "../json/json.ts";
import { fileStats } from "../manifest/stats.ts";
import { partitionFieldsOf } from "../metadata/all-fields.ts";
import { allMatch } from "../predicate/all-match.ts";
import { columnsOf } from "../predicate/bind.ts";
import { type ChosenFiles, rowsOfFiles } from "../scan/rows-of-files.ts";
import type { ScannedTable } from "../scan/scan.ts";
import { fieldsById } from "../schema/schema.ts";

/**
 * Passes if the filter selects every row. Files are read where their statistics don't tell.
 * @throws IcebergError `invalid-rows`, with a row that it doesn't select.
 */
export async function checkSelected(
  table: ScannedTable,
  { schema, filter }: Pick<ChosenFiles, "schema" | "filter">,
  written: readonly FileOfSpec[],
  options: Abortable,
): Promise<void> {
  const columns = fieldsById(schema);
  const { metadata } = table.state;
  const untold = written.filter(
    ({ specId, file }) => !allMatch(filter, fileStats(file, columns, partitionFieldsOf(metadata, specId, schema))),
  );
  if (untold.length === 0) return;
  const tasks = untold.map((file) => ({ file: { ...file, sequenceNumber: 0 }, deletes: [], isWhole: false }));
  const others = rowsOfFiles(table, { schema, filter, tasks }, "others");
  const [row] = await table.engine.sql`select * from ${others} limit 1`.toArray(options);
  if (row === undefined) return;
  const names = new Set(columnsOf(filter).map((column) => column.path[0]!));
  const values = Array.from(names, (name) => `${name} is ${stringifyJson(row[name])}`).join(", ");
  throw new IcebergError(
    "invalid-rows",
    `a row isn't one of those that are to be replaced${values === "" ? "" : `: its ${values}`}; write only rows that the filter selects, or replace more`,
  );
}
