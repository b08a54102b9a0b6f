/** Plain values at run time: what a column takes, made what reading gives back. Exact (save that a float is rounded), or refused. */
import { Day } from "../keys/day.ts";
import type { PlainType, Type } from "./column.ts";
import { DateTime, Instant, Time } from "./moments.ts";

/** What each type takes, in a sentence. */
export const TAKES: Readonly<Record<PlainType | "decimal" | "fixed", string>> = {
  boolean: "boolean",
  int: "number",
  long: "bigint or number",
  float: "number",
  double: "number",
  date: "Day",
  time: "Time",
  timestamp: "DateTime",
  timestamptz: "Instant or Date",
  string: "string",
  uuid: "string",
  binary: "Uint8Array",
  fixed: "Uint8Array",
  decimal: "a number or its text",
};

/** The stored value; undefined if `v` is of another type, and an error if it is of the right one but can't be held exactly. */
// prettier-ignore
export function storedValue(type: Exclude<Type, { readonly type: "list" | "struct" | "map" }>, v: unknown): unknown {
  switch (type.type) {
    case "boolean": return typeof v === "boolean" ? v : undefined;
    case "int": return typeof v === "number" ? int(v) : undefined;
    case "long": return typeof v === "number" || typeof v === "bigint" ? long(v) : undefined;
    case "float": return typeof v === "number" ? float(v) : undefined;
    case "double": return typeof v === "number" ? v : undefined;
    case "decimal": return typeof v === "number" || typeof v === "string" ? decimal(String(v), type.precision, type.scale) : undefined;
    case "date": return typeof v === "string" ? parsed(Day, v) : undefined;
    case "time": return typeof v === "string" ? parsed(Time, v) : undefined;
    case "timestamp": return typeof v === "string" ? parsed(DateTime, v) : undefined;
    case "timestamptz": return typeof v === "string" ? parsed(Instant, v) : v instanceof Date ? parsed(Instant.of, v) : undefined;
    case "string": return typeof v === "string" ? text(v) : undefined;
    case "uuid": return typeof v === "string" ? uuid(v) : undefined;
    case "binary": return v instanceof Uint8Array ? new Uint8Array(v) : undefined;
    case "fixed": return v instanceof Uint8Array ? fixed(v, type.length) : undefined;
    default: return type satisfies never;
  }
}

/** The text of a decimal from its unscaled value: `textOfDecimal(1230n, 2)` is `"12.30"`. */
export function textOfDecimal(unscaled: bigint, scale: number): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  const fraction = scale === 0 ? "" : `.${digits.slice(-scale)}`;
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, digits.length - scale)}${fraction}`;
}

function parsed<V, T>(parse: (v: V) => T, v: V): T | Error {
  try {
    return parse(v);
  } catch (error) {
    return error as Error;
  }
}

function int(v: number): number | Error {
  return v === (v | 0) ? v : new RangeError(`${v} isn't a 32-bit integer`);
}

/** The nearest float, as wherever 64 bits become 32: only what would become infinite is refused. */
function float(v: number): number | Error {
  const rounded = Math.fround(v);
  return Number.isFinite(v) && !Number.isFinite(rounded) ? new RangeError(`${v} is more than a float holds`) : rounded;
}

/** Text is stored as UTF-8, which has no half of a surrogate pair. */
function text(v: string): string | Error {
  return v.isWellFormed() ? v : new RangeError("the text has half of a surrogate pair");
}

function long(v: number | bigint): bigint | Error {
  if (typeof v === "number")
    return Number.isSafeInteger(v) ? BigInt(v) : new RangeError(`${v} isn't an integer that a number holds exactly`);
  return BigInt.asIntN(64, v) === v ? v : new RangeError(`${v} isn't a 64-bit integer`);
}

function uuid(v: string): string | Error {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(v);
  return isUuid ? v.toLowerCase() : new RangeError(`'${v}' isn't a UUID`);
}

function fixed(v: Uint8Array, length: number): Uint8Array | Error {
  return v.length === length ? new Uint8Array(v) : new RangeError(`${v.length} bytes, and it's a fixed(${length})`);
}

/** Nothing is rounded: a text with more digits than the type has is refused. */
function decimal(text: string, precision: number, scale: number): string | Error {
  const [, sign = "", whole, part = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === undefined) return new RangeError(`'${text}' isn't a decimal`);
  const shift = Number(exponent) - part.length + scale;
  const digits = (whole + part).replace(/^0+(?=\d)/, "");
  // 80 zeros are more than any precision, so that a huge exponent makes no huge text
  const scaled = shift >= 0 ? digits + "0".repeat(Math.min(shift, 80)) : digits.slice(0, shift) || "0";
  if (shift < 0 && /[1-9]/.test(digits.slice(shift)))
    return new RangeError(`${text} has more than ${scale} decimals: round it first`);
  if (scaled.replace(/^0+/, "").length > precision) return new RangeError(`${text} has more than ${precision} digits`);
  return textOfDecimal(BigInt(sign + scaled), scale);
}
