import type { Type } from "../../core/datasets/column.ts";

// prettier-ignore
const DUCK_TYPES = {
  boolean: "BOOLEAN", int: "INTEGER", long: "BIGINT", float: "FLOAT", double: "DOUBLE", date: "DATE", time: "TIME", timestamp: "TIMESTAMP",
  timestamptz: "TIMESTAMPTZ", string: "VARCHAR", uuid: "UUID", binary: "BLOB", fixed: "BLOB",
} as const;

/** A column type in DuckDB's SQL. */
export function duckType(t: Type): string {
  switch (t.type) {
    case "decimal":
      return `DECIMAL(${t.precision}, ${t.scale})`;
    case "list":
      return `${duckType(t.element.type)}[]`;
    case "map":
      return `MAP(${duckType(t.key)}, ${duckType(t.value.type)})`;
    case "struct":
      return `STRUCT(${t.fields.map((f) => `"${f.name.replaceAll('"', '""')}" ${duckType(f.type)}`).join(", ")})`;
    default:
      return DUCK_TYPES[t.type];
  }
}
