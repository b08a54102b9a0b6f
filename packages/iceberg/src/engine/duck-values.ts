/** DuckDB's values as rows have them. */
import type { DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { IcebergError } from "../errors.ts";
import { childFields, type Type } from "../schema/type.ts";
import { dateText, MICROSECONDS, NANOSECONDS, timestampText, timeText } from "../values/calendar.ts";
import { decimalText } from "../values/decimal.ts";

/** DuckDB's module, which is loaded when it is first needed. */
export type Duck = typeof import("@duckdb/node-api");

/** Brings a value to the form that rows have for its column. */
export type FromDuck = (value: DuckDBValue) => unknown;

/**
 * What brings values of a type to the form that rows have: integers of 64 bits and more as `bigint`, dates and times as texts (`2024-01-02`,
 * `2024-01-02T03:04:05.000006`, with `Z` if they have a zone), decimals and UUIDs as texts, bytes as `Uint8Array`, structs as objects, lists as
 * arrays and maps as `Map`.
 *
 * @param field the type of the table's column, if it is of one: nanoseconds with a zone have no type in DuckDB.
 * @throws IcebergError `query-failed` for a type that has no such form.
 */
export function fromDuck(type: DuckDBType, duck: Duck, field?: Type): FromDuck {
  const orNull = (convert: (value: never) => unknown): FromDuck => {
    return (value) => (value === null ? null : convert(value as never));
  };
  if (type instanceof duck.DuckDBDateType) return orNull((v: Value<"DuckDBDateValue">) => dateText(v.days));
  if (type instanceof duck.DuckDBTimeType)
    return orNull((v: Value<"DuckDBTimeValue">) => timeText(v.micros, MICROSECONDS));
  if (type instanceof duck.DuckDBTimestampType)
    return orNull((v: Value<"DuckDBTimestampValue">) => timestampText(v.micros, MICROSECONDS));
  if (type instanceof duck.DuckDBTimestampTZType)
    return orNull((v: Value<"DuckDBTimestampTZValue">) => `${timestampText(v.micros, MICROSECONDS)}Z`);
  if (type instanceof duck.DuckDBTimestampNanosecondsType) {
    const zone = field?.kind === "timestamptz_ns" ? "Z" : "";
    return orNull((v: Value<"DuckDBTimestampNanosecondsValue">) => `${timestampText(v.nanos, NANOSECONDS)}${zone}`);
  }
  if (type instanceof duck.DuckDBTimestampMillisecondsType)
    return orNull((v: Value<"DuckDBTimestampMillisecondsValue">) => timestampText(v.millis * 1000n, MICROSECONDS));
  if (type instanceof duck.DuckDBTimestampSecondsType)
    return orNull((v: Value<"DuckDBTimestampSecondsValue">) => timestampText(v.seconds * 1_000_000n, MICROSECONDS));
  if (type instanceof duck.DuckDBDecimalType)
    return orNull((v: Value<"DuckDBDecimalValue">) => decimalText(v.value, v.scale));
  if (type instanceof duck.DuckDBUUIDType) return orNull((v: Value<"DuckDBUUIDValue">) => v.toString());
  // copied: short ones are views of memory that DuckDB uses again
  if (type instanceof duck.DuckDBBlobType) return orNull((v: Value<"DuckDBBlobValue">) => new Uint8Array(v.bytes));
  const parts = field === undefined ? [] : childFields(field);
  if (type instanceof duck.DuckDBListType || type instanceof duck.DuckDBArrayType) {
    const item = fromDuck(type.valueType, duck, parts[0]?.type);
    return orNull((v: Value<"DuckDBListValue">) => v.items.map(item));
  }
  if (type instanceof duck.DuckDBStructType) {
    const entries = type.entryTypes.map((t, i) => ({
      name: type.entryNames[i]!,
      convert: fromDuck(t, duck, parts[i]?.type),
    }));
    return orNull((v: Value<"DuckDBStructValue">) =>
      Object.fromEntries(entries.map(({ name, convert }) => [name, convert(v.entries[name]!)])),
    );
  }
  if (type instanceof duck.DuckDBMapType) {
    const [key, value] = [fromDuck(type.keyType, duck, parts[0]?.type), fromDuck(type.valueType, duck, parts[1]?.type)];
    return orNull((v: Value<"DuckDBMapValue">) => new Map(v.entries.map((e) => [key(e.key), value(e.value)])));
  }
  return (value) => {
    if (value === null || typeof value !== "object") return value;
    throw new IcebergError(
      "query-failed",
      `a value of type ${type.toString()} has no JavaScript value here: cast it, such as x::varchar`,
    );
  };
}

type Value<Name extends keyof Duck> = Duck[Name] extends { readonly prototype: infer V } ? V : never;
