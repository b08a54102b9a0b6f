/** What the footer of a Parquet file on this machine says, without DuckDB: it takes 2 ms for each query about files to begin. */
import { open } from "node:fs/promises";
import { parquetMetadata, type SchemaElement } from "hyparquet";
import { footerBytes } from "../parquet/footer-bytes.ts";
import { hasSchemaTypes } from "../parquet/schema-types.ts";
import type { SchemaPart } from "./layout-field.ts";

export interface LocalFooter {
  /** As DuckDB has them. */
  readonly parts: readonly SchemaPart[];
  readonly rowCount: number;
}

/** Undefined if DuckDB is to be asked: for what may be wrong with the file, and for types that aren't those of tables. */
export async function localFooter(path: string): Promise<LocalFooter | undefined> {
  try {
    const footer = await bytesOf(path);
    if (!hasSchemaTypes(footer)) return undefined;
    const { schema, num_rows: said, row_groups: groups } = parquetMetadata(footer, { geoparquet: false });
    const parts = partsOf(schema);
    const rowCount = groups.reduce((sum, group) => sum + group.num_rows, 0n);
    return parts !== undefined && rowCount === said ? { parts, rowCount: Number(rowCount) } : undefined;
  } catch {
    return undefined;
  }
}

/** A schema as DuckDB has it; undefined if it has a type that isn't known here. */
export function partsOf(schema: readonly SchemaElement[]): readonly SchemaPart[] | undefined {
  const parts = schema.map(partOf);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

async function bytesOf(path: string): Promise<ArrayBuffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const readEnd = async (length: number) => {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, size - length);
      return buffer.subarray(0, bytesRead);
    };
    return await footerBytes(size, readEnd, (why) => new Error(why));
  } finally {
    await file.close();
  }
}

function partOf(element: SchemaElement): SchemaPart | undefined {
  const { name, type, type_length, repetition_type, num_children, converted_type, logical_type, field_id } = element;
  const isLeaf = type !== undefined;
  const duckType = isLeaf ? duckTypeOf(element) : "";
  if (duckType === undefined) return undefined;
  return {
    name,
    physical: type ?? "",
    length: type_length ?? 0,
    isRepeated: repetition_type === "REPEATED",
    childCount: num_children ?? 0,
    annotation: isLeaf ? "" : (converted_type ?? logical_type?.type ?? ""),
    id: field_id,
    duckType,
  };
}

/** What DuckDB reads values as, by how they are written and what they are annotated as: as all writers of tables do. */
const DUCK_TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: "BOOLEAN",
  INT32: "INTEGER",
  "INT32 INT_32": "INTEGER",
  "INT32 INT_32 INTEGER(32,signed)": "INTEGER",
  "INT32 DATE": "DATE",
  "INT32 DATE DATE": "DATE",
  INT64: "BIGINT",
  "INT64 INT_64": "BIGINT",
  "INT64 INT_64 INTEGER(64,signed)": "BIGINT",
  "INT64 TIME_MICROS TIME(MICROS,local)": "TIME",
  "INT64 TIMESTAMP_MICROS TIMESTAMP(MICROS,local)": "TIMESTAMP",
  "INT64 TIMESTAMP(MICROS,local)": "TIMESTAMP",
  "INT64 TIMESTAMP_MICROS TIMESTAMP(MICROS,utc)": "TIMESTAMP WITH TIME ZONE",
  "INT64 TIMESTAMP(MICROS,utc)": "TIMESTAMP WITH TIME ZONE",
  "INT64 TIMESTAMP(NANOS,local)": "TIMESTAMP_NS",
  FLOAT: "FLOAT",
  DOUBLE: "DOUBLE",
  BYTE_ARRAY: "BLOB",
  "BYTE_ARRAY UTF8": "VARCHAR",
  "BYTE_ARRAY UTF8 STRING": "VARCHAR",
  "BYTE_ARRAY STRING": "VARCHAR",
  FIXED_LEN_BYTE_ARRAY: "BLOB",
  "FIXED_LEN_BYTE_ARRAY UUID": "UUID",
};

function duckTypeOf({ type, converted_type, logical_type, precision, scale }: SchemaElement): string | undefined {
  if (converted_type === "DECIMAL") return decimalOf(precision ?? 0, scale ?? 0);
  const written = [type, converted_type, logical_type && textOf(logical_type)];
  return DUCK_TYPES[written.filter((word) => word !== undefined).join(" ")];
}

function decimalOf(precision: number, scale: number): string | undefined {
  return 0 < precision && precision <= 38 && 0 <= scale && scale <= precision
    ? `DECIMAL(${precision},${scale})`
    : undefined;
}

function textOf(logical: NonNullable<SchemaElement["logical_type"]>): string {
  switch (logical.type) {
    case "TIME":
    case "TIMESTAMP":
      return `${logical.type}(${logical.unit},${logical.isAdjustedToUTC ? "utc" : "local"})`;
    case "INTEGER":
      return `INTEGER(${logical.bitWidth},${logical.isSigned ? "signed" : "unsigned"})`;
    default:
      return logical.type;
  }
}
