/** Values as DuckDB's vectors take them. */
import type * as DuckDB from "@duckdb/node-api";
import { childFields, type Type } from "../schema/type.ts";
import { hex, uuidBytes } from "../values/bytes.ts";
import type { StructValue, Value } from "../values/value.ts";

/** What makes DuckDB's form of a value of a type from the form that it has in JavaScript. */
export type ToDuckValue = (value: Value) => DuckDB.DuckDBValue;

/** @param duckdb the library, which is only loaded when it is used. */
export function duckValues(duckdb: typeof DuckDB, type: Type): ToDuckValue {
  switch (type.kind) {
    case "date":
      return (value) => new duckdb.DuckDBDateValue(value as number);
    case "time":
      return (value) => new duckdb.DuckDBTimeValue(value as bigint);
    case "timestamp":
      return (value) => new duckdb.DuckDBTimestampValue(value as bigint);
    case "timestamptz":
      return (value) => new duckdb.DuckDBTimestampTZValue(value as bigint);
    case "timestamp_ns":
    case "timestamptz_ns":
      return (value) => new duckdb.DuckDBTimestampNanosecondsValue(value as bigint);
    case "decimal":
      return (value) => new duckdb.DuckDBDecimalValue(value as bigint, type.precision, type.scale);
    case "uuid":
      return (value) => duckdb.DuckDBUUIDValue.fromUint128(BigInt(`0x${hex(uuidBytes(value as string))}`));
    case "fixed":
    case "binary":
      return (value) => new duckdb.DuckDBBlobValue(value as Uint8Array);
    case "list": {
      const element = orNull(duckValues(duckdb, type.element));
      return (value) => new duckdb.DuckDBListValue((value as readonly (Value | null)[]).map(element));
    }
    case "map": {
      const [toKey, toMapped] = [duckValues(duckdb, type.key), orNull(duckValues(duckdb, type.value))];
      return (value) =>
        new duckdb.DuckDBMapValue(
          Array.from(value as ReadonlyMap<Value, Value | null>, ([k, v]) => ({ key: toKey(k), value: toMapped(v) })),
        );
    }
    case "struct": {
      const fields = childFields(type).map((f) => [f.name, orNull(duckValues(duckdb, f.type))] as const);
      return (value) =>
        new duckdb.DuckDBStructValue(
          Object.fromEntries(fields.map(([name, convert]) => [name, convert((value as StructValue)[name] ?? null)])),
        );
    }
    default:
      return (value) => value as DuckDB.DuckDBValue;
  }
}

function orNull(convert: ToDuckValue): (value: Value | null) => DuckDB.DuckDBValue {
  return (value) => (value === null ? null : convert(value));
}
