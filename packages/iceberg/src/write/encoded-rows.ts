/** Rows of DuckDB's, by columns, as `hyparquet-writer` takes their values. */
import type * as DuckDB from "@duckdb/node-api";
import { quotedName } from "../engine/duck-type.ts";
import { childFields, type Field, type Type } from "../schema/type.ts";

/** Brings a value of DuckDB's to the form that the library takes. */
export type ToParquetValue = (value: DuckDB.DuckDBValue) => unknown;

/** The columns of a relation, with texts as bytes: DuckDB's client leaves out the byte order mark that a text begins with. */
export function encodedColumns(fields: readonly Field[]): string {
  return fields.map(({ name, type }) => `${bytesSql(type, quotedName(name))} AS ${quotedName(name)}`).join(", ");
}

function bytesSql(type: Type, sql: string, depth = 0): string {
  if (!hasText(type)) return sql;
  const item = `x${depth}`;
  switch (type.kind) {
    case "struct": {
      const parts = type.fields.map(({ name, type }) => {
        const quoted = quotedName(name);
        return `${quoted} := ${bytesSql(type, `(${sql}).${quoted}`, depth)}`;
      });
      return `CASE WHEN ${sql} IS NOT NULL THEN struct_pack(${parts.join(", ")}) END`;
    }
    case "list":
      return `list_transform(${sql}, lambda ${item}: ${bytesSql(type.element, item, depth + 1)})`;
    case "map": {
      const [key, value] = childFields(type).map((f) => bytesSql(f.type, `${item}.${f.name}`, depth + 1));
      return `map_from_entries(list_transform(map_entries(${sql}), lambda ${item}: struct_pack(key := ${key}, value := ${value})))`;
    }
    default:
      return `encode(${sql})`;
  }
}

function hasText(type: Type): boolean {
  return type.kind === "string" || childFields(type).some((f) => hasText(f.type));
}

/** What brings values of a column of `encodedColumns` to the library's form. */
export function parquetValues(type: Type): ToParquetValue {
  const convert = valuesOf(type);
  return (value) => (value === null ? null : convert(value as never));
}

function valuesOf(type: Type): (value: never) => unknown {
  switch (type.kind) {
    case "date":
      return (value: DuckDB.DuckDBDateValue) => value.days;
    case "time":
    case "timestamp":
    case "timestamptz":
      return (value: DuckDB.DuckDBTimestampValue) => value.micros;
    case "timestamp_ns":
    case "timestamptz_ns":
      return (value: DuckDB.DuckDBTimestampNanosecondsValue) => value.nanos;
    case "decimal":
      return (value: DuckDB.DuckDBDecimalValue) => value.value;
    case "uuid":
      return (value: DuckDB.DuckDBUUIDValue) => value.toString();
    case "string":
    case "fixed":
    case "binary":
      // copied: short ones are views of memory that DuckDB uses again
      return (value: DuckDB.DuckDBBlobValue) => new Uint8Array(value.bytes);
    case "struct": {
      const parts = type.fields.map((f) => [f.name, parquetValues(f.type)] as const);
      return ({ entries }: DuckDB.DuckDBStructValue) =>
        Object.fromEntries(parts.map(([name, convert]) => [name, convert(entries[name]!)]));
    }
    case "list": {
      const element = parquetValues(type.element);
      return ({ items }: DuckDB.DuckDBListValue) => items.map(element);
    }
    case "map": {
      const [toKey, toValue] = [parquetValues(type.key), parquetValues(type.value)];
      return ({ entries }: DuckDB.DuckDBMapValue) =>
        entries.map(({ key, value }) => ({ key: toKey(key), value: toValue(value) }));
    }
    default:
      return (value: DuckDB.DuckDBValue) => value;
  }
}

/** About what values take of memory, in bytes. */
export function sizeOfValues(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + sizeOfValue(value), 0);
}

const VALUE_BYTES = 16;
const OBJECT_BYTES = 96;

function sizeOfValue(value: unknown): number {
  if (typeof value !== "object" || value === null) return VALUE_BYTES;
  if (value instanceof Uint8Array) return OBJECT_BYTES + value.length;
  return OBJECT_BYTES + sizeOfValues(Array.isArray(value) ? value : Object.values(value));
}
