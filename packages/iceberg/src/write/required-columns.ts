/** Nulls in required columns, by the footers of files that have them. */
import { IcebergError } from "../errors.ts";
import { type Field, isNested } from "../schema/type.ts";
import { nullCountOf } from "./column-metrics.ts";
import type { MeasuredFile } from "./data-file-of.ts";

/**
 * Checks that files have no null in required columns: DuckDB has none such. Of nested columns footers don't tell, and the query checks.
 * @throws IcebergError `invalid-rows`, with the count.
 */
export function checkRequired(fields: readonly Field[], files: readonly Pick<MeasuredFile, "leaves">[]): void {
  for (const { id, name, required, type } of fields) {
    if (!required || isNested(type)) continue;
    const leaves = files.flatMap(({ leaves }) => leaves.get(id) ?? []);
    const nulls = leaves.reduce((sum, leaf) => sum + (nullCountOf(leaf) ?? 0), 0);
    if (nulls > 0)
      throw new IcebergError(
        "invalid-rows",
        `column ${name} is required, and it is null in ${nulls} ${nulls === 1 ? "row" : "rows"}`,
      );
  }
}
