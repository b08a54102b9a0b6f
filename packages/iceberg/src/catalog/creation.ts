/** The first metadata of a table that a catalog is to make. */
import { randomUUID } from "node:crypto";
import { IcebergError } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import { applyUpdates } from "../metadata/apply.ts";
import { refused } from "../metadata/refused.ts";
import { checkList } from "../metadata/lists.ts";
import { checkTexts } from "../metadata/texts.ts";
import { newTable } from "../metadata/new-table.ts";
import { schemaOf, type TableMetadata } from "../metadata/table-metadata.ts";
import { sortFields } from "../partition/sort-by.ts";
import { sortOrderToJson } from "../partition/sort-order.ts";
import { fieldsOf } from "../schema/columns.ts";
import { checkWritable } from "../schema/writable.ts";
import type { CreateTableOptions } from "./catalog.ts";

/**
 * A table without rows, as it is wished for.
 * @throws IcebergError `invalid-metadata`; `invalid-change`
 */
export function firstMetadata(wished: CreateTableOptions, location: string): TableMetadata {
  const { columns, fields, identifiedBy, partitionBy = [], sortBy = [], properties, formatVersion } = wished;
  if ((columns === undefined) === (fields === undefined))
    throw new IcebergError("invalid-metadata", "a table has either columns or fields: give one of them");
  for (const [what, value] of Object.entries({ partitionBy, sortBy, identifiedBy }))
    if (value !== undefined) checkList(value, what);
  if (formatVersion !== undefined && formatVersion !== 1 && formatVersion !== 2)
    throw refused(`formatVersion is ${String(formatVersion)}: tables are made in version 1 or 2`);
  checkTexts(properties ?? {}, "the property");
  const nowMs = Date.now();
  const table = newTable({
    fields: fields ?? fieldsOf(columns!),
    partitionBy: partitionBy.map((by) => (typeof by === "string" ? { column: by } : by)),
    ...(identifiedBy !== undefined && { identifiedBy }),
    ...(properties !== undefined && { properties }),
    ...(formatVersion !== undefined && { formatVersion }),
    location,
    uuid: randomUUID(),
    nowMs,
  });
  checkWritable(schemaOf(table).fields);
  if (sortBy.length === 0) return table;
  const order = sortOrderToJson({ id: 1, fields: sortFields(sortBy, schemaOf(table)) }) as JsonObject;
  return {
    // a new table has the order that it is made with, and no other
    ...applyUpdates(
      table,
      [
        { action: "add-sort-order", "sort-order": order },
        { action: "set-default-sort-order", "sort-order-id": -1 },
      ],
      { nowMs },
    ),
    "sort-orders": [order],
  };
}
