/** Files that DuckDB can't write as other readers need them: it writes them first, and `hyparquet-writer` writes their rows again. */
import { rm } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { ParquetWriter } from "hyparquet-writer";
import { IcebergError } from "../errors.ts";
import { stringifyJson } from "../json/json.ts";
import { schemaToJson, type Schema } from "../schema/schema.ts";
import { childFields, type Type } from "../schema/type.ts";
import type { CopiedFile } from "./copy.ts";
import { encodedColumns, parquetValues, sizeOfValues } from "./encoded-rows.ts";
import { parquetRows } from "./file-sql.ts";
import { CODECS, COMPRESSORS } from "./page-compression.ts";
import { parquetSchema } from "./parquet-schema.ts";
import type { WriteSettings } from "./write-settings.ts";

export interface Encoding {
  readonly connection: DuckDBConnection;
  readonly schema: Schema;
  readonly settings: Pick<WriteSettings, "rowGroupRows" | "compression">;
}

/** Rows are kept in memory until a row group has them: such with large values have fewer of them. */
const ROW_GROUP_BYTES = 64 * 1024 * 1024;

/** Longer texts and bytes are cut in footers, to bounds that hold. */
const STATISTICS_BYTES = 1024;

/**
 * Writes the rows of a file into another, in their order, and deletes the first.
 * @throws IcebergError `query-failed` if it can't be read back.
 */
export async function encodeFile(encoding: Encoding, file: CopiedFile, target: string): Promise<CopiedFile> {
  const { fileWriter, ParquetWriter } = await import("hyparquet-writer");
  const { connection, schema, settings } = encoding;
  const writer = fileWriter(target);
  const parquet = new ParquetWriter({
    writer,
    schema: parquetSchema(schema.fields),
    codec: CODECS[settings.compression],
    compressors: COMPRESSORS,
    statisticsTruncateLength: STATISTICS_BYTES,
    kvMetadata: [{ key: "iceberg.schema", value: stringifyJson(schemaToJson(schema)) }],
  });
  const converters = schema.fields.map((f) => parquetValues(f.type));
  const result = await connection.stream(`SELECT ${encodedColumns(schema.fields)} FROM ${parquetRows(file.path)}`);
  let group = new RowGroup(schema);
  let rowCount = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    rowCount += chunk.rowCount;
    group.add(converters.map((convert, i) => chunk.getColumnValues(i).map(convert)));
    if (group.rowCount < settings.rowGroupRows && group.sizeBytes < ROW_GROUP_BYTES) continue;
    await group.write(parquet);
    group = new RowGroup(schema);
  }
  // DuckDB's streamed results end alike at their end and at an error
  if (rowCount < file.recordCount)
    throw new IcebergError(
      "query-failed",
      `${file.recordCount - rowCount} of ${file.recordCount} rows can't be read back from ${file.path}, which DuckDB has just written`,
    );
  await group.write(parquet);
  await parquet.finish();
  await rm(file.path);
  return { ...file, path: target, sizeBytes: writer.offset };
}

/** Rows that are gathered, by columns. */
class RowGroup {
  readonly #columns: readonly { readonly name: string; readonly type: Type; readonly data: unknown[] }[];
  rowCount = 0;
  sizeBytes = 0;

  constructor({ fields }: Schema) {
    this.#columns = fields.map(({ name, type }) => ({ name, type, data: [] }));
  }

  add(columns: readonly (readonly unknown[])[]): void {
    for (const [i, values] of columns.entries()) {
      this.#columns[i]!.data.push(...values);
      this.sizeBytes += sizeOfValues(values);
    }
    this.rowCount += columns[0]?.length ?? 0;
  }

  async write(parquet: ParquetWriter): Promise<void> {
    if (this.rowCount === 0) return;
    const columnData = this.#columns.map(({ name, type, data }) => ({
      name,
      data,
      offsetIndex: false,
      ...(isPlain(type) && { encoding: "PLAIN" as const }),
    }));
    await parquet.write({ columnData, rowGroupSize: this.rowCount });
  }
}

/** The library's dictionaries take -0 for 0, and its runs of booleans aren't read by all readers. */
function isPlain(type: Type): boolean {
  return ["float", "double", "boolean"].includes(type.kind) || childFields(type).some((f) => isPlain(f.type));
}
