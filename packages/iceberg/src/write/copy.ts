/** DuckDB's `COPY` of a query into Parquet files with field ids. */
import type { DuckDBConnection, DuckDBResultReader } from "@duckdb/node-api";
import { quotedName, quotedText } from "../engine/duck-type.ts";
import { IcebergError } from "../errors.ts";
import type { Schema } from "../schema/schema.ts";
import { ROWS_FAULT } from "./column-cast.ts";
import { fieldIds, schemaMetadata } from "./field-ids.ts";
import type { WriteSettings } from "./write-settings.ts";

/** A file that was written. */
export interface CopiedFile {
  /** On this machine. */
  readonly path: string;
  readonly recordCount: number;
  readonly sizeBytes: number;
  /** Whether floating columns have NaNs, by their quoted names joined with dots. */
  readonly hasNaN: ReadonlyMap<string, boolean>;
}

export interface Copy {
  /** The query, which has the schema's columns, and the one that it is parted by. */
  readonly select: string;
  readonly schema: Schema;
  readonly settings: Pick<WriteSettings, "targetFileSizeBytes" | "rowGroupRows" | "compression">;
  /**
   * How files come about: of about the target's size, in an order of rows that is only nearly the query's; one with rows exactly in its order; or one
   * or more for each value of a column, which isn't written.
   */
  readonly into: { readonly files: "sized" | "one" } | { readonly files: "parted"; readonly by: string };
}

/**
 * Writes the rows of a query into a folder that isn't there yet. Nothing is returned of files without rows.
 * @throws IcebergError `invalid-rows` if the query says that one doesn't fit.
 */
export async function copyRows(
  connection: DuckDBConnection,
  { select, schema, settings, into }: Copy,
  target: string,
): Promise<readonly CopiedFile[]> {
  const options = [
    "FORMAT parquet",
    `COMPRESSION ${settings.compression}`,
    `ROW_GROUP_SIZE ${settings.rowGroupRows}`,
    `FIELD_IDS ${fieldIds(schema.fields)}`,
    `KV_METADATA ${schemaMetadata(schema)}`,
    "RETURN_STATS",
    ...(into.files === "sized" ? [`FILE_SIZE_BYTES ${settings.targetFileSizeBytes}`] : []),
    ...(into.files === "parted" ? [`PARTITION_BY (${quotedName(into.by)})`, "WRITE_PARTITION_COLUMNS false"] : []),
  ];
  const result = await runCopy(connection, `COPY (${select}) TO ${quotedText(target)} (${options.join(", ")})`);
  const files = result.getRowObjectsJson() as unknown as readonly ReturnedStats[];
  return files.map(copiedFile).filter((f) => f.recordCount > 0);
}

/**
 * Runs a `COPY` of rows that are cast by `tableColumns`.
 * @throws IcebergError `invalid-rows` if one doesn't fit.
 */
export async function runCopy(connection: DuckDBConnection, statement: string): Promise<DuckDBResultReader> {
  try {
    return await connection.runAndReadAll(statement);
  } catch (error) {
    throw rowsFault(error) ?? error;
  }
}

interface ReturnedStats {
  readonly filename: string;
  readonly count: string;
  readonly file_size_bytes: string;
  readonly column_statistics: readonly {
    readonly key: string;
    readonly value: readonly { readonly key: string; readonly value: string }[];
  }[];
}

function copiedFile({ filename, count, file_size_bytes: size, column_statistics: columns }: ReturnedStats): CopiedFile {
  const hasNaN = columns.flatMap(({ key, value }) => {
    const known = value.find((v) => v.key === "has_nan")?.value;
    return known === undefined ? [] : [[key, known === "true"] as const];
  });
  return { path: filename, recordCount: Number(count), sizeBytes: Number(size), hasNaN: new Map(hasNaN) };
}

/** The error of a query that ended because a row doesn't fit; undefined for others. */
function rowsFault(error: unknown): IcebergError | undefined {
  const message = error instanceof Error ? error.message : "";
  const start = message.indexOf(ROWS_FAULT);
  return start === -1 ? undefined : new IcebergError("invalid-rows", message.slice(start).trim(), { cause: error });
}
