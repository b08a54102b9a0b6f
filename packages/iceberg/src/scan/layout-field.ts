/** The columns of a Parquet file, with the types that tables and DuckDB have for them. */
import { quotedName } from "../engine/duck-type.ts";
import type { FileField } from "../schema/projection.ts";
import { parsePrimitive } from "../schema/type-text.ts";
import type { NestedType, PrimitiveType, SimpleType } from "../schema/type.ts";
import { nestedType, type ParquetColumn, type ParquetPart } from "../parquet/parquet-tree.ts";

/** A column of a file, or a part of one. */
export interface LayoutField extends FileField {
  /** What DuckDB reads it as. */
  readonly duckType: string;
  readonly fields: readonly LayoutField[];
}

/** A part of a Parquet file's schema, as DuckDB has it. */
export interface SchemaPart extends ParquetPart {
  readonly physical: string;
  readonly length: number;
  readonly duckType: string;
}

const TYPES: Readonly<Record<string, SimpleType["kind"]>> = {
  BOOLEAN: "boolean",
  TINYINT: "int",
  SMALLINT: "int",
  INTEGER: "int",
  UTINYINT: "int",
  USMALLINT: "int",
  UINTEGER: "long",
  BIGINT: "long",
  FLOAT: "float",
  DOUBLE: "double",
  DATE: "date",
  TIME: "time",
  TIMESTAMP: "timestamp",
  "TIMESTAMP WITH TIME ZONE": "timestamptz",
  TIMESTAMP_NS: "timestamp_ns",
  VARCHAR: "string",
  UUID: "uuid",
  BLOB: "binary",
};

/** A column as DuckDB reads it. */
export function layoutField(column: ParquetColumn<SchemaPart>): LayoutField {
  const { id, name, kind } = column;
  if (kind === "primitive") return leafLayout(column);
  const fields = column.fields.map(layoutField);
  return { id, name, type: nestedType(kind, fields), fields, duckType: nestedDuckType(kind, fields) };
}

/** A column without parts. Types that tables don't have are taken for bytes, which no other type is read from. */
function leafLayout({ id, name, part: { physical, length, duckType } }: ParquetColumn<SchemaPart>): LayoutField {
  const isFixed = duckType === "BLOB" && physical === "FIXED_LEN_BYTE_ARRAY";
  const simple = TYPES[duckType];
  const type: PrimitiveType = isFixed
    ? { kind: "fixed", length }
    : simple === undefined
      ? (parsePrimitive(duckType.toLowerCase()) ?? { kind: "binary" })
      : { kind: simple };
  return { id, name, type, fields: [], duckType };
}

/** What DuckDB reads a list, map or struct as. */
function nestedDuckType(kind: NestedType["kind"], fields: readonly LayoutField[]): string {
  const types = fields.map((f) => f.duckType);
  switch (kind) {
    case "list":
      return `${types[0]}[]`;
    case "map":
      return `MAP(${types.join(", ")})`;
    case "struct":
      return `STRUCT(${fields.map((f) => `${quotedName(f.name)} ${f.duckType}`).join(", ")})`;
    default:
      return kind satisfies never;
  }
}
