/**
 * Cells as JSON, the same from each reader of a table, so that tables are compared cell by cell; `python/canonical.py` and `Canonical.java` have the
 * same form. It keeps what readers differ in when they print:
 *
 * | type | JSON |
 * | --- | --- |
 * | any, null | `null` |
 * | `boolean`, `string`, `int` | as they are |
 * | `float`, `double` | a number; or `"NaN"`, `"Infinity"`, `"-Infinity"`, `"-0"` |
 * | `long` | a text of digits |
 * | `decimal(P, S)` | a text with S digits after the point |
 * | `date` | the number of days from 1970-01-01 |
 * | `time`, `timestamp` and the like | a text: the count of their units, microseconds or nanoseconds, from midnight or 1970-01-01 UTC |
 * | `uuid` | a text, in lower case with hyphens |
 * | `fixed`, `binary` | a text, hexadecimal |
 * | `struct`, `list`, `map` | an object by field names, an array, an array of pairs in any order |
 *
 * Rows are objects by column names, in any order.
 */
import {
  type Field,
  type Json,
  type JsonObject,
  type StructValue,
  type Type,
  type Value,
  toValue,
  valueText,
} from "@orcajs/iceberg";

/** A row as this package gives it, in the canonical form. */
export function canonicalRow(fields: readonly Field[], row: Readonly<Record<string, unknown>>): JsonObject {
  return canonicalStruct(fields, toValue({ kind: "struct", fields }, row, "row") as StructValue);
}

function canonicalStruct(fields: readonly Field[], row: StructValue): JsonObject {
  return Object.fromEntries(fields.map(({ name, type }) => [name, canonical(type, row[name]!)]));
}

function canonical(type: Type, value: Value | null): Json {
  if (value === null) return null;
  switch (type.kind) {
    case "struct":
      return canonicalStruct(type.fields, value as StructValue);
    case "list":
      return (value as readonly (Value | null)[]).map((element) => canonical(type.element, element));
    case "map":
      return Array.from(value as ReadonlyMap<Value, Value | null>, ([k, v]) => [
        canonical(type.key, k),
        canonical(type.value, v),
      ]);
    case "float":
    case "double":
      return Number.isFinite(value) && !Object.is(value, -0) ? (value as number) : valueText(type, value as number);
    case "decimal":
      return valueText(type, value as bigint);
    case "fixed":
    case "binary":
      return Buffer.from(value as Uint8Array).toString("hex");
    default:
      return typeof value === "bigint" ? String(value) : (value as Json);
  }
}

/** A row in the canonical form as this package takes it. */
export function rowOf(fields: readonly Field[], row: JsonObject): StructValue {
  return Object.fromEntries(fields.map(({ name, type }) => [name, valueOf(type, row[name]!)]));
}

export function valueOf(type: Type, json: Json): Value | null {
  if (json === null) return null;
  switch (type.kind) {
    case "struct":
      return rowOf(type.fields, json as JsonObject);
    case "list":
      return (json as readonly Json[]).map((element) => valueOf(type.element, element));
    case "map":
      return new Map(
        (json as readonly [Json, Json][]).map(([k, v]) => [valueOf(type.key, k)!, valueOf(type.value, v)]),
      );
    case "boolean":
    case "int":
    case "date":
    case "string":
    case "uuid":
      return json as Value;
    case "float":
    case "double":
      return Number(json);
    case "decimal":
      return BigInt((json as string).replace(".", ""));
    case "fixed":
    case "binary":
      return Buffer.from(json as string, "hex");
    default:
      return BigInt(json as string);
  }
}

/** Canonical rows in one order, whatever order a reader gave them in: of maps too. */
export function sorted(fields: readonly Field[], rows: readonly JsonObject[]): readonly JsonObject[] {
  return rows
    .map((row) => inOrder({ kind: "struct", fields }, row) as JsonObject)
    .map((row) => ({ row, key: JSON.stringify(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);
}

function inOrder(type: Type, json: Json): Json {
  if (json === null) return null;
  switch (type.kind) {
    case "struct":
      return Object.fromEntries(type.fields.map((f) => [f.name, inOrder(f.type, (json as JsonObject)[f.name]!)]));
    case "list":
      return (json as readonly Json[]).map((element) => inOrder(type.element, element));
    case "map":
      return (json as readonly [Json, Json][])
        .map(([k, v]) => [inOrder(type.key, k), inOrder(type.value, v)])
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    default:
      return json;
  }
}
