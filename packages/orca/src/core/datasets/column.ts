/** Columns at run time: the notation of column-notation.ts, parsed, and checked with the same sentences. Plain data, so JSON holds it. */
import { OrcaError } from "../errors.ts";
import { checkColumnName, checkPaths } from "./column-names.ts";
import type { AnyColumns, TypeMeant } from "./column-notation.ts";

/** What a list or a map holds, and a column without its name. */
export interface Item {
  readonly type: Type;
  readonly nullable: boolean;
}
/** A table's column, or a struct's field. */
export interface Column extends Item {
  readonly name: string;
  readonly doc?: string;
}
/** A column's type. */
export type Type =
  | { readonly type: PlainType }
  | { readonly type: "decimal"; readonly precision: number; readonly scale: number }
  | { readonly type: "fixed"; readonly length: number }
  | { readonly type: "list"; readonly element: Item }
  | { readonly type: "struct"; readonly fields: readonly Column[] }
  | { readonly type: "map"; readonly key: Type; readonly value: Item };
export type PlainType = (typeof PLAIN)[number];

// prettier-ignore
const PLAIN = ["boolean", "int", "long", "float", "double", "date", "time", "timestamp", "timestamptz", "string", "uuid", "binary"] as const;
// prettier-ignore
const MEANT: TypeMeant = {
  bool: "boolean", integer: "int", int32: "int", smallint: "int", bigint: "long", int64: "long", number: "double", real: "float",
  float32: "float", float64: "double", varchar: "string", text: "string", bytes: "binary", blob: "binary", bytea: "binary",
  datetime: "timestamp", timestamp_tz: "timestamptz", timestampz: "timestamptz", instant: "timestamptz",
  numeric: "decimal(precision, scale)", object: "{ … }", struct: "{ … }", list: "[type]", array: "[type]", map: '{ "[string]": type }',
};

/**
 * The columns that a notation gives, in order.
 *
 * @param docs what columns are, by path: `place.lat`, and `stops.at` for a field of a list's struct.
 * @throws OrcaError `invalid-dataset` with the compiler's sentence on what is no type, and on what is no name.
 */
export function columnsOf(columns: AnyColumns, docs: Readonly<Record<string, string>>, path = ""): readonly Column[] {
  const all = Object.entries(columns).map(([name, type]) => {
    checkColumnName(name);
    const doc = docOf(docs, `${path}${name}`);
    return { name, ...itemOf(type, docs, `${path}${name}`), ...(doc === undefined ? {} : { doc }) };
  });
  if (all.length === 0) throw wrong(`${path === "" ? "a dataset" : `struct ${path.slice(0, -1)}`} has no columns`);
  if (path === "") checkPaths(pathsOf(all));
  return all;
}

/** The column at a path such as `place.lat`. */
export function columnAt(columns: readonly Column[], path: string): Column | undefined {
  const whole = columns.find((c) => c.name === path);
  if (whole !== undefined) return whole;
  const dot = path.indexOf(".");
  const column = dot < 0 ? undefined : columns.find((c) => c.name === path.slice(0, dot));
  return column?.type.type === "struct" ? columnAt(column.type.fields, path.slice(dot + 1)) : undefined;
}

/** The paths of columns and of the fields within them: `place`, `place.lat`, and `stops.at` for a list's or a map's structs. */
export function pathsOf(columns: readonly Column[], path = ""): readonly string[] {
  return columns.flatMap((c) => [`${path}${c.name}`, ...pathsWithin(c.type, `${path}${c.name}`)]);
}
function pathsWithin(t: Type, path: string): readonly string[] {
  if (t.type === "struct") return pathsOf(t.fields, `${path}.`);
  if (t.type === "list") return pathsWithin(t.element.type, path);
  return t.type === "map" ? pathsWithin(t.value.type, path) : [];
}

/** A type as it is written in a sentence. */
export function textOfType(t: Type): string {
  if (t.type === "decimal") return `decimal(${t.precision}, ${t.scale})`;
  if (t.type === "fixed") return `fixed(${t.length})`;
  return isNested(t) ? "list, struct or map" : t.type;
}

/** Whether values of the type are made of others. */
export function isNested(t: Type): boolean {
  return t.type === "list" || t.type === "struct" || t.type === "map";
}

function itemOf(type: unknown, docs: Readonly<Record<string, string>>, path: string): Item {
  if (typeof type === "string")
    return type.endsWith("?")
      ? { type: typeOf(type.slice(0, -1), type), nullable: true }
      : { type: typeOf(type, type), nullable: false };
  if (Array.isArray(type)) {
    if (type.length !== 1) throw wrong("a list's type is written [type]");
    return { type: { type: "list", element: itemOf(type[0], docs, path) }, nullable: false };
  }
  if (typeof type !== "object" || type === null) throw wrong("a column's type is a string, [type] or { … }");
  const entries = Object.entries(type);
  const [name, value] = entries.length === 1 ? entries[0]! : [""];
  if (name === "?") return { ...itemOf(value, docs, path), nullable: true };
  const key = /^\[(.*)\]$/.exec(name)?.[1];
  if (key !== undefined) {
    if (key.endsWith("?")) throw wrong(`a map's keys are never null: write [${key.slice(0, -1)}]`);
    return { type: { type: "map", key: typeOf(key, key), value: itemOf(value, docs, path) }, nullable: false };
  }
  return { type: { type: "struct", fields: columnsOf(type as AnyColumns, docs, `${path}.`) }, nullable: false };
}

/** @param whole the text as it was written, with its `?`. */
function typeOf(text: string, whole: string): Type {
  const plain = PLAIN.find((p) => p === text);
  if (plain !== undefined) return { type: plain };
  if (text.startsWith("decimal")) return decimalOf(text, whole);
  if (text.startsWith("fixed")) {
    const length = Number(/^fixed\(([1-9]\d*)\)$/.exec(text)?.[1]);
    if (!Number.isSafeInteger(length)) throw wrong(`'${whole}' isn't a fixed(bytes)`);
    return { type: "fixed", length };
  }
  const meant = Object.entries(MEANT).find(([name]) => name === text.toLowerCase())?.[1];
  throw wrong(`'${whole}' isn't a column type${meant === undefined ? "" : `: write ${meant}`}`);
}

function decimalOf(text: string, whole: string): Type {
  const [, first, second] = /^decimal\(([1-9]\d?), *(0|[1-9]\d?) *\)$/.exec(text) ?? [];
  const [precision, scale] = [Number(first), Number(second)];
  if (!(precision <= 38 && scale <= 38))
    throw wrong(`'${whole}' isn't a decimal(precision, scale) of at most 38 digits`);
  if (scale > precision) throw wrong(`'${whole}' has more decimals than digits`);
  return { type: "decimal", precision, scale };
}

/** Own properties only: a column may be called `constructor`. */
function docOf(docs: Readonly<Record<string, string>>, path: string): string | undefined {
  return Object.hasOwn(docs, path) ? docs[path] : undefined;
}

function wrong(message: string): OrcaError {
  return new OrcaError("invalid-dataset", message);
}
