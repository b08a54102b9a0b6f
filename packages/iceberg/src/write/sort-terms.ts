/** A table's sort order in SQL. */
import { resultType } from "../partition/transform.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { placeSql } from "./file-sql.ts";
import { bucketSql } from "./partition-key.ts";
import type { WrittenTable } from "./written-table.ts";

/** What an `ORDER BY` has for the table's sort order; nothing if it has none. Rows that are in a column's order are in that of any transform but buckets. */
export function sortTerms({ sortOrder, columns }: Pick<WrittenTable, "sortOrder" | "columns">): readonly string[] {
  return sortOrder.fields.flatMap(({ sourceId, transform, direction, nullOrder }) => {
    const place = columns.get(sourceId);
    if (place === undefined || transform.kind === "void") return [];
    resultType(transform, place.field.type);
    const column = placeSql(place);
    const by =
      transform.kind === "bucket" ? bucketSql(place.field.type as PrimitiveType, column, transform.buckets) : column;
    return [`${by} ${direction} ${nullOrder === "nulls-first" ? "NULLS FIRST" : "NULLS LAST"}`];
  });
}
