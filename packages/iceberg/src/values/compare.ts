/** The order of values, as filters and bounds have it. */
import { hex } from "./bytes.ts";
import type { PrimitiveValue } from "./value.ts";

/**
 * Less than, equal to or more than 0 as `a` is below, equal to or above `b`, which are of one type. False is below true; -0 equals 0, and NaN
 * equals itself and is above all other numbers, as in DuckDB; texts are ordered by code points and bytes as unsigned.
 */
export function compareValues(a: PrimitiveValue, b: PrimitiveValue): number {
  if (typeof a === "string") return compareTexts(a, b as string);
  if (a instanceof Uint8Array) return Buffer.compare(a, b as Uint8Array);
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/** A text that two values share exactly if `compareValues` calls them equal: a key for sets and maps. */
export function valueKey(value: PrimitiveValue): string {
  if (value instanceof Uint8Array) return `x${hex(value)}`;
  return `${typeof value} ${String(value)}`;
}

/** JavaScript's own order is of UTF-16's units, which puts U+1F600 below U+FFFD; UTF-8's bytes are in the order of code points. */
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all of the other units. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
