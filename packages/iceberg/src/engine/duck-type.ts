/** Columns' types in DuckDB. */
import { childFields, type Type } from "../schema/type.ts";

/** The type that DuckDB has for a column's. Nanoseconds with a zone have none there, and are without one. */
export function duckType(type: Type): string {
  switch (type.kind) {
    case "boolean":
      return "BOOLEAN";
    case "int":
      return "INTEGER";
    case "long":
      return "BIGINT";
    case "float":
      return "FLOAT";
    case "double":
      return "DOUBLE";
    case "decimal":
      return `DECIMAL(${type.precision},${type.scale})`;
    case "date":
      return "DATE";
    case "time":
      return "TIME";
    case "timestamp":
      return "TIMESTAMP";
    case "timestamptz":
      return "TIMESTAMP WITH TIME ZONE";
    case "timestamp_ns":
    case "timestamptz_ns":
      return "TIMESTAMP_NS";
    case "string":
      return "VARCHAR";
    case "uuid":
      return "UUID";
    case "fixed":
    case "binary":
      return "BLOB";
    case "list":
      return `${duckType(type.element)}[]`;
    case "map":
      return `MAP(${duckType(type.key)}, ${duckType(type.value)})`;
    case "struct":
      return `STRUCT(${childFields(type)
        .map((f) => `${quotedName(f.name)} ${duckType(f.type)}`)
        .join(", ")})`;
    default:
      return type satisfies never;
  }
}

/** A name as SQL has it: `"of ""quotes"""`. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The path of one file as SQL has it: what would be a pattern isn't one. */
export function quotedPath(path: string): string {
  return quotedText(path.replace(/[*?[]/g, "[$&]"));
}

/** A text as SQL has it. A NUL would end the statement. */
export function quotedText(text: string): string {
  const parts = text.split("\0").map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? parts[0]! : `(${parts.join(" || chr(0) || ")})`;
}
