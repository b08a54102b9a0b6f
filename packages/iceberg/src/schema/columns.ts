/** Columns as people write them: `{ id: "long", day: "date", value: "double?" }`. */
import { IcebergError } from "../errors.ts";
import { parsePrimitive } from "./type-text.ts";
import type { Field, PrimitiveType, Type } from "./type.ts";

/**
 * A column's type: `"long"`, `"double?"` (nullable), `"decimal(10, 2)"`, `["string"]` (a list), `{ lat: "double" }` (a struct),
 * `{ "[string]": "long" }` (a map), `nullable({ … })`.
 */
export type ColumnNotation = string | readonly [ColumnNotation] | { readonly [name: string]: ColumnNotation };

/** A table's columns, in order. */
export interface Columns {
  readonly [column: string]: ColumnNotation;
}

/** A list, struct or map that may be null. For other types, write `"long?"`. */
export function nullable(type: ColumnNotation): ColumnNotation {
  return { "?": type };
}

interface Item {
  readonly type: Type;
  readonly required: boolean;
}

/** Nested deeper, a notation is taken for one that contains itself. */
const DEPTH_MAX = 100;

/**
 * The fields that a notation gives, with ids from 1.
 *
 * @throws IcebergError `invalid-metadata` on what is no type, with the column.
 */
export function fieldsOf(columns: Columns): readonly Field[] {
  let lastId = 0;
  return structFields(columns, "", 0, () => ++lastId);
}

/** The type that a notation gives, and whether it is required: `itemOf("double?")`. */
export function itemOf(notation: ColumnNotation, column: string): Item {
  let lastId = 0;
  return item(notation, column, 0, () => ++lastId);
}

function structFields(columns: Columns, path: string, depth: number, nextId: () => number): readonly Field[] {
  const entries = Object.entries(columns);
  if (entries.length === 0) throw wrong(path === "" ? "a table has no columns" : `struct ${path} has no fields`);
  return entries.map(([name, notation]) => {
    const column = path === "" ? name : `${path}.${name}`;
    return { id: nextId(), name, ...item(notation, column, depth + 1, nextId) };
  });
}

function item(notation: ColumnNotation, column: string, depth: number, nextId: () => number): Item {
  if (depth > DEPTH_MAX) throw wrong(`column ${column.slice(0, 100)}… is nested over ${DEPTH_MAX} deep`);
  if (typeof notation === "string")
    return { type: primitive(notation.replace(/\?$/, ""), column), required: !notation.endsWith("?") };
  if (typeof notation !== "object" || notation === null)
    throw wrong(`column ${column} has no type: write a text, [type] or { … }`);
  if (isList(notation)) {
    if (notation.length !== 1) throw wrong(`column ${column}: a list's type is written [type]`);
    const element = item(notation[0], `${column}.element`, depth + 1, nextId);
    const type: Type = {
      kind: "list",
      elementId: nextId(),
      elementRequired: element.required,
      element: element.type,
    };
    return { type, required: true };
  }
  const entries = Object.entries(notation);
  const [name, inner] = entries[0] ?? [""];
  if (entries.length === 1 && name === "?") return { ...item(inner!, column, depth + 1, nextId), required: false };
  const key = entries.length === 1 ? /^\[(.*)\]$/.exec(name)?.[1] : undefined;
  if (key === undefined)
    return { type: { kind: "struct", fields: structFields(notation, column, depth, nextId) }, required: true };
  if (key.endsWith("?")) throw wrong(`column ${column}: a map's keys are never null: write [${key.slice(0, -1)}]`);
  const value = item(inner!, `${column}.value`, depth + 1, nextId);
  const type: Type = {
    kind: "map",
    keyId: nextId(),
    key: primitive(key, `${column}.key`),
    valueId: nextId(),
    valueRequired: value.required,
    value: value.type,
  };
  return { type, required: true };
}

function isList(notation: Exclude<ColumnNotation, string>): notation is readonly [ColumnNotation] {
  return Array.isArray(notation);
}

/** @param text as the specification has it; `fixed(16)` is `fixed[16]`. */
function primitive(text: string, column: string): PrimitiveType {
  const type = parsePrimitive(text.replace(/^fixed\((.*)\)$/, "fixed[$1]"));
  if (type !== undefined) return type;
  const meant = MEANT.get(text.toLowerCase().replace(/\(.*/, ""));
  throw wrong(
    `column ${column} has the type '${text}', which there isn't${meant === undefined ? "" : `: write ${meant}`}`,
  );
}

/** What is meant by the names that other systems give to types. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ...["bool"].map((name) => [name, "boolean"] as const),
  ...["integer", "int32", "smallint", "tinyint"].map((name) => [name, "int"] as const),
  ...["bigint", "int64"].map((name) => [name, "long"] as const),
  ...["real", "float32"].map((name) => [name, "float"] as const),
  ...["number", "float64"].map((name) => [name, "double"] as const),
  ...["varchar", "text", "char"].map((name) => [name, "string"] as const),
  ...["bytes", "blob", "bytea"].map((name) => [name, "binary"] as const),
  ...["datetime"].map((name) => [name, "timestamp"] as const),
  ...["timestamp_tz", "timestampz", "instant"].map((name) => [name, "timestamptz"] as const),
  ...["decimal", "numeric"].map((name) => [name, "decimal(precision, scale), of at most 38 digits"] as const),
  ["fixed", "fixed[bytes]"],
  ...["object", "struct"].map((name) => [name, "{ … }"] as const),
  ...["list", "array"].map((name) => [name, "[type]"] as const),
  ["map", '{ "[string]": type }'],
]);

function wrong(why: string): IcebergError {
  return new IcebergError("invalid-metadata", why);
}
