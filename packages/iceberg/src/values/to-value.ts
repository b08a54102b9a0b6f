/** What callers may give for a value of each type, brought to the one form that `value.ts` lists. */
import { IcebergError } from "../errors.ts";
import { typeText } from "../schema/type-text.ts";
import type { Field, PrimitiveType, Type } from "../schema/type.ts";
import { UUID } from "./bytes.ts";
import {
  MICROSECONDS,
  NANOSECONDS,
  parseDate,
  parseTime,
  parseTimestamp,
  splitZone,
  type Precision,
} from "./calendar.ts";
import { fitsPrecision, parseDecimal } from "./decimal.ts";
import type { PrimitiveValue, StructValue, Value } from "./value.ts";

const INT_MAX = 2 ** 31 - 1;
const MS_PER_DAY = 86_400_000;

/**
 * A value of a type. Beside the form that it returns it takes integers as numbers or bigints, decimals, dates and times as texts
 * (`14.20`, `2017-11-16`, `22:31:08`, `2017-11-16T22:31:08Z`), `Date` for dates and timestamps, and arrays of keys with their values for maps.
 *
 * @param what what the value is, for the error: `column price`.
 * @throws IcebergError `invalid-value` if it isn't of the type, is too large for it, or would lose digits.
 */
export function toValue(type: Type, given: unknown, what: string): Value {
  switch (type.kind) {
    case "struct":
      return toStruct(type.fields, given, what);
    case "list": {
      if (!Array.isArray(given)) throw misfit(type, given, what);
      const element: Field = { id: type.elementId, name: "", required: type.elementRequired, type: type.element };
      return given.map((v: unknown, i) => toFieldValue(element, v, `${what}[${i}]`));
    }
    case "map": {
      const entries = entriesOf(given);
      if (entries === undefined) throw misfit(type, given, what);
      const value: Field = { id: type.valueId, name: "", required: type.valueRequired, type: type.value };
      return new Map(
        Array.from(entries, ([k, v]) => [
          toValue(type.key, k, `a key of ${what}`),
          toFieldValue(value, v, `a value of ${what}`),
        ]),
      );
    }
    default:
      return toPrimitive(type, given, what);
  }
}

/** `toValue` of a primitive type. */
export function toPrimitive(type: PrimitiveType, given: unknown, what: string): PrimitiveValue {
  const value = primitive(type, given);
  if (value === undefined) throw misfit(type, given, what);
  return value;
}

/** What a map is given as; undefined for what isn't one, or has a key twice. */
function entriesOf(given: unknown): Iterable<readonly [unknown, unknown]> | undefined {
  if (given instanceof Map) return given as ReadonlyMap<unknown, unknown>;
  if (!Array.isArray(given) || !given.every((entry) => Array.isArray(entry) && entry.length === 2)) return undefined;
  const entries = given as readonly (readonly [unknown, unknown])[];
  return new Map(entries).size === entries.length ? entries : undefined;
}

function toStruct(fields: readonly Field[], given: unknown, what: string): StructValue {
  if (typeof given !== "object" || given === null)
    throw new IcebergError("invalid-value", `${what} is ${shown(given)}, which isn't an object with fields`);
  const row = given as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(row).find((name) => !fields.some((f) => f.name === name));
  if (unknown !== undefined)
    throw new IcebergError("invalid-value", `${what} has a field ${unknown}, which its type doesn't have`);
  return Object.fromEntries(
    fields.map((f) => [f.name, toFieldValue(f, Object.hasOwn(row, f.name) ? row[f.name] : null, `${what}.${f.name}`)]),
  );
}

function toFieldValue({ required, type }: Field, given: unknown, what: string): Value | null {
  if (given !== undefined && given !== null) return toValue(type, given, what);
  if (required) throw new IcebergError("invalid-value", `${what} is null, but it is required`);
  return null;
}

/** The value, or undefined if what is given isn't one. */
function primitive(type: PrimitiveType, given: unknown): PrimitiveValue | undefined {
  switch (type.kind) {
    case "boolean":
      return typeof given === "boolean" ? given : undefined;
    case "int": {
      const n = typeof given === "bigint" ? Number(given) : given;
      return isInt(n) ? n : undefined;
    }
    case "long":
      return long(Number.isSafeInteger(given) ? BigInt(given as number) : given);
    case "float":
      return typeof given === "number" ? float(given) : undefined;
    case "double":
      return typeof given === "number" ? given : undefined;
    case "decimal": {
      const unscaled =
        typeof given === "string" || typeof given === "number" ? parseDecimal(String(given), type.scale) : given;
      return typeof unscaled === "bigint" && fitsPrecision(unscaled, type.precision) ? unscaled : undefined;
    }
    case "date": {
      const days = given instanceof Date ? given.getTime() / MS_PER_DAY : given;
      const n = typeof days === "string" ? parseDate(days) : days;
      return isInt(n) ? n : undefined;
    }
    case "time": {
      const time = typeof given === "string" ? parseTime(given, MICROSECONDS) : given;
      return typeof time === "bigint" && time >= 0n && time < 86_400_000_000n ? time : undefined;
    }
    case "timestamp":
    case "timestamp_ns":
      return timestamp(given, type.kind === "timestamp" ? MICROSECONDS : NANOSECONDS, false);
    case "timestamptz":
    case "timestamptz_ns":
      return timestamp(given, type.kind === "timestamptz" ? MICROSECONDS : NANOSECONDS, true);
    case "string":
      // a text is stored as UTF-8, which has no half of a surrogate pair
      return typeof given === "string" && given.isWellFormed() ? given : undefined;
    case "uuid":
      return typeof given === "string" && UUID.test(given.toLowerCase()) ? given.toLowerCase() : undefined;
    case "fixed":
      return given instanceof Uint8Array && given.length === type.length ? given : undefined;
    case "binary":
      return given instanceof Uint8Array ? given : undefined;
    default:
      return type satisfies never;
  }
}

function timestamp(given: unknown, precision: Precision, hasZone: boolean): bigint | undefined {
  if (given instanceof Date) {
    const ms = given.getTime();
    return Number.isNaN(ms) ? undefined : long((BigInt(ms) * precision.perSecond) / 1000n);
  }
  if (typeof given !== "string") return long(given);
  const zoned = splitZone(given);
  if ((zoned !== undefined) !== hasZone) return undefined;
  const units = parseTimestamp(zoned?.local ?? given, precision);
  return units === undefined ? undefined : long(units - BigInt(zoned?.seconds ?? 0) * precision.perSecond);
}

/** The nearest float; undefined for what would become infinite. */
function float(n: number): number | undefined {
  const rounded = Math.fround(n);
  return Number.isFinite(n) && !Number.isFinite(rounded) ? undefined : rounded;
}

function isInt(n: unknown): n is number {
  return Number.isInteger(n) && (n as number) >= -INT_MAX - 1 && (n as number) <= INT_MAX;
}

function long(n: unknown): bigint | undefined {
  return typeof n === "bigint" && BigInt.asIntN(64, n) === n ? n : undefined;
}

function misfit(type: Type, given: unknown, what: string): IcebergError {
  const why =
    typeof given === "string" && !given.isWellFormed()
      ? "has half of a surrogate pair"
      : `isn't of type ${typeText(type)}`;
  return new IcebergError("invalid-value", `${what} is ${shown(given)}, which ${why}`);
}

function shown(given: unknown): string {
  if (typeof given === "string") return JSON.stringify(given.slice(0, 60));
  if (given instanceof Uint8Array) return `${given.length} bytes`;
  if (given instanceof Date) return Number.isNaN(given.getTime()) ? "an invalid date" : given.toISOString();
  if (typeof given === "object" && given !== null) return Array.isArray(given) ? "an array" : "an object";
  return typeof given === "function" ? "a function" : `${String(given)}${typeof given === "bigint" ? "n" : ""}`;
}
