/** The columns of a Parquet file, with the types that tables and DuckDB have for them. */
import { quotedName } from "../engine/duck-type.ts";
import type { FileField } from "../schema/projection.ts";
import { parsePrimitive } from "../schema/type-text.ts";
import type { NestedType, PrimitiveType, SimpleType } from "../schema/type.ts";

/** A column of a file, or a part of one. */
export interface LayoutField extends FileField {
  /** What DuckDB reads it as. */
  readonly duckType: string;
  readonly fields: readonly LayoutField[];
}

/** A part of a Parquet file's schema. */
export interface SchemaPart {
  readonly name: string;
  readonly id: number | undefined;
  readonly physical: string;
  readonly length: number;
  readonly isRepeated: boolean;
  readonly childCount: number;
  /** What a group is: `LIST`, `MAP`, `MAP_KEY_VALUE`, or nothing. */
  readonly annotation: string;
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

/** A column without parts. Types that tables don't have are taken for bytes, which no other type is read from. */
export function leafLayout({ id, name, physical, length, duckType }: SchemaPart): LayoutField {
  const isFixed = duckType === "BLOB" && physical === "FIXED_LEN_BYTE_ARRAY";
  const simple = TYPES[duckType];
  const type: PrimitiveType = isFixed
    ? { kind: "fixed", length }
    : simple === undefined
      ? (parsePrimitive(duckType.toLowerCase()) ?? { kind: "binary" })
      : { kind: simple };
  return { id, name, type, fields: [], duckType };
}

/** What DuckDB reads a list, map or struct of some parts as. */
export function nestedLayout(
  { id, name }: Pick<LayoutField, "id" | "name">,
  kind: NestedType["kind"],
  fields: readonly LayoutField[],
): LayoutField {
  const [first, second] = fields;
  const partId = (field: LayoutField | undefined) => field?.id ?? -1;
  switch (kind) {
    case "list":
      return {
        id,
        name,
        fields,
        type: { kind: "list", elementId: partId(first), elementRequired: false, element: first!.type },
        duckType: `${first!.duckType}[]`,
      };
    case "map":
      return {
        id,
        name,
        fields,
        type: {
          kind: "map",
          keyId: partId(first),
          key: first!.type,
          valueId: partId(second),
          valueRequired: false,
          value: second!.type,
        },
        duckType: `MAP(${first!.duckType}, ${second!.duckType})`,
      };
    default: {
      const parts = fields.map((f) => ({ id: partId(f), name: f.name, required: false, type: f.type }));
      const types = fields.map((f) => `${quotedName(f.name)} ${f.duckType}`);
      return {
        id,
        name,
        fields,
        type: { kind: "struct", fields: parts },
        duckType: `STRUCT(${types.join(", ")})`,
      };
    }
  }
}
