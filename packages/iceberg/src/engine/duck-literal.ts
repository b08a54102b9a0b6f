/** Values of columns as constants in SQL. */
import { childFields, type Type } from "../schema/type.ts";
import { hex } from "../values/bytes.ts";
import { valueText } from "../values/text.ts";
import type { StructValue, Value } from "../values/value.ts";
import { duckType, quotedName, quotedText } from "./duck-type.ts";

/** A value, in its type's form in JavaScript, as an expression of the type that DuckDB has for it. */
export function duckLiteral(type: Type, value: Value | null): string {
  if (value === null) return `CAST(NULL AS ${duckType(type)})`;
  switch (type.kind) {
    case "boolean":
      return value === true ? "true" : "false";
    case "date":
      return `make_date(${value as number})`;
    case "timestamp":
      return `make_timestamp(${value as bigint})`;
    case "timestamptz":
      return `make_timestamptz(${value as bigint})`;
    case "timestamp_ns":
    case "timestamptz_ns":
      return `make_timestamp_ns(${value as bigint})`;
    case "string":
      return `CAST(${quotedText(value as string)} AS VARCHAR)`;
    case "fixed":
    case "binary":
      return `from_hex('${hex(value as Uint8Array)}')`;
    case "list":
      return `CAST([${(value as readonly (Value | null)[]).map((v) => duckLiteral(type.element, v)).join(", ")}] AS ${duckType(type)})`;
    case "map": {
      const entries = [...(value as ReadonlyMap<Value, Value | null>)];
      const keys = entries.map(([k]) => duckLiteral(type.key, k)).join(", ");
      const values = entries.map(([, v]) => duckLiteral(type.value, v)).join(", ");
      return `CAST(map([${keys}], [${values}]) AS ${duckType(type)})`;
    }
    case "struct":
      return `struct_pack(${childFields(type)
        .map((f) => `${quotedName(f.name)} := ${duckLiteral(f.type, (value as StructValue)[f.name] ?? null)}`)
        .join(", ")})`;
    default:
      return `CAST('${valueText(type, value as Exclude<Value, object>)}' AS ${duckType(type)})`;
  }
}
