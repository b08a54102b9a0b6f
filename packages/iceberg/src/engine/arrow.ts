/** Rows as tables of Arrow's. */
import type { RecordBatch, Schema, Table } from "apache-arrow";
import { IcebergError } from "../errors.ts";
import type { Field } from "../schema/type.ts";
import { arrowData } from "./arrow-data.ts";
import { type Arrow, arrowField } from "./arrow-type.ts";
import type { DuckChunk } from "./relation.ts";

/**
 * @param fields of a table that the columns are, if they are of one.
 * @throws IcebergError `unsupported` if the package `apache-arrow` isn't there.
 */
export async function arrowTable(
  chunks: AsyncIterable<DuckChunk>,
  fields: readonly Field[] | undefined,
): Promise<Table> {
  const [arrow, duck] = [await loadArrow(), await import("@duckdb/node-api")];
  let schema: Schema | undefined;
  const batches: RecordBatch[] = [];
  for await (const { names, types, chunk } of chunks) {
    schema ??= new arrow.Schema(names.map((name, i) => arrowField(name, types[i]!, fields?.[i], { arrow, duck })));
    const children = schema.fields.map((field, i) => arrowData(field.type, chunk.getColumnValues(i), arrow));
    const struct = new arrow.Struct(schema.fields);
    const data = arrow.makeData({ type: struct, length: chunk.rowCount, nullCount: 0, children });
    batches.push(new arrow.RecordBatch(schema, data));
  }
  return new arrow.Table(schema!, batches);
}

async function loadArrow(): Promise<Arrow> {
  try {
    return await import("apache-arrow");
  } catch (cause) {
    throw new IcebergError("unsupported", "toArrow() takes the package apache-arrow: npm install apache-arrow", {
      cause,
    });
  }
}
