/** DuckDB's values and JavaScript's: what a column of each type holds, exactly. */
import type { DuckDBType, DuckDBValue } from "@duckdb/node-api";
import type { Item, Type } from "../core/datasets/column.ts";
import { clockOfMicros, Instant, microsOf, textOfMicros, type DateTime, type Time } from "../core/datasets/moments.ts";
import { textOfDecimal } from "../core/datasets/stored-value.ts";
import { OrcaError } from "../core/errors.ts";
import { Day } from "../core/keys/day.ts";
import { epochDay } from "../core/keys/civil.ts";
import type { Row } from "../core/sql/relation.ts";

/** DuckDB's module, which is loaded when it is first needed. */
export type Duck = typeof import("@duckdb/node-api");

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

/** A column's value as DuckDB takes it. */
export function toDuck({ type: t }: Item, v: unknown, duck: Duck): DuckDBValue {
  if (v === null || v === undefined) return null;
  switch (t.type) {
    case "date":
      return new duck.DuckDBDateValue(epochDay(v as Day));
    case "time":
      return new duck.DuckDBTimeValue(microsOf(v as Time));
    case "timestamp":
      return new duck.DuckDBTimestampValue(microsOf(v as DateTime));
    case "timestamptz":
      return new duck.DuckDBTimestampTZValue(microsOf(v instanceof Date ? Instant.of(v) : (v as Instant)));
    case "decimal":
      return new duck.DuckDBDecimalValue(BigInt((v as string).replace(".", "")), t.precision, t.scale);
    case "uuid":
      return duck.DuckDBUUIDValue.fromUint128(BigInt(`0x${(v as string).replaceAll("-", "")}`));
    case "binary":
    case "fixed":
      return new duck.DuckDBBlobValue(v as Uint8Array);
    case "list":
      return duck.listValue((v as unknown[]).map((x) => toDuck(t.element, x, duck)));
    case "struct":
      return duck.structValue(Object.fromEntries(t.fields.map((f) => [f.name, toDuck(f, (v as Row)[f.name], duck)])));
    case "map": {
      const key = { type: t.key, nullable: false };
      const entries = Array.from(v as Map<unknown, unknown>, ([k, x]) => ({
        key: toDuck(key, k, duck),
        value: toDuck(t.value, x, duck),
      }));
      return duck.mapValue(entries);
    }
    default:
      return v as DuckDBValue;
  }
}

/** A value of DuckDB's as a column of its type holds it. @throws OrcaError `sql-misfit` for a type that has no such value. */
export function fromDuck(v: DuckDBValue, type: DuckDBType, duck: Duck): unknown {
  if (v === null || typeof v !== "object") return v;
  if (v instanceof duck.DuckDBDateValue) return Day.at(v.days);
  if (v instanceof duck.DuckDBTimeValue) return clockOfMicros(Number(v.micros));
  if (v instanceof duck.DuckDBTimestampValue) return textOfMicros(v.micros);
  if (v instanceof duck.DuckDBTimestampTZValue) return `${textOfMicros(v.micros)}Z`;
  if (v instanceof duck.DuckDBDecimalValue) return textOfDecimal(v.value, v.scale);
  if (v instanceof duck.DuckDBUUIDValue) return v.toString();
  // copied: short ones are views of memory that DuckDB uses again
  if (v instanceof duck.DuckDBBlobValue) return new Uint8Array(v.bytes);
  if (v instanceof duck.DuckDBListValue && type instanceof duck.DuckDBListType)
    return v.items.map((x) => fromDuck(x, type.valueType, duck));
  if (v instanceof duck.DuckDBStructValue && type instanceof duck.DuckDBStructType)
    return Object.fromEntries(type.entryNames.map((n, i) => [n, fromDuck(v.entries[n]!, type.entryTypes[i]!, duck)]));
  if (v instanceof duck.DuckDBMapValue && type instanceof duck.DuckDBMapType)
    return new Map(
      v.entries.map((e) => [fromDuck(e.key, type.keyType, duck), fromDuck(e.value, type.valueType, duck)]),
    );
  throw new OrcaError(
    "sql-misfit",
    `a value of type ${type.toString()} has no JavaScript value here: cast it, such as x::varchar`,
  );
}
