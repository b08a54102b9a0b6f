/** Bounds of columns, cut short so that long texts don't fill manifests. */
import type { PrimitiveType } from "../schema/type.ts";
import { toBytes } from "./binary.ts";
import type { PrimitiveValue } from "./value.ts";

/** How much of a text (in code points) or of bytes a bound keeps: what the reference implementation does by default. */
export const BOUND_LENGTH = 16;

const LAST_CODE_POINT = 0x10ffff;

/**
 * The bytes of a bound that is at most `value`, whole or cut short. -0 and 0 are equal to filters: the lower bound of both is -0 and the
 * upper bound is 0 ("Manifest Lists", note 2).
 *
 * @param length how many code points or bytes are kept; `Infinity` for all.
 */
export function lowerBound(type: PrimitiveType, value: PrimitiveValue, length = BOUND_LENGTH): Uint8Array {
  if (value === 0) return toBytes(type, isFloating(type) ? -0 : 0);
  return toBytes(type, cut(value, type, length) ?? value);
}

/** The bytes of a bound that is at least `value`, or undefined if all that could be cut short are too low. */
export function upperBound(type: PrimitiveType, value: PrimitiveValue, length = BOUND_LENGTH): Uint8Array | undefined {
  if (value === 0) return toBytes(type, 0);
  const short = cut(value, type, length);
  if (short === undefined) return toBytes(type, value);
  const above = typeof short === "string" ? textAbove(short) : bytesAbove(short);
  return above === undefined ? undefined : toBytes(type, above);
}

/** The first part of a value that is too long for a bound; undefined if it isn't. */
function cut(value: PrimitiveValue, type: PrimitiveType, length: number): string | Uint8Array | undefined {
  if (value instanceof Uint8Array) return value.length > length ? value.subarray(0, length) : undefined;
  if (type.kind !== "string" || (value as string).length <= length) return undefined;
  const points = Array.from(value as string);
  return points.length > length ? points.slice(0, length).join("") : undefined;
}

/** The lowest text that is above all that start with `text`, at its length or shorter; undefined if there is none. */
function textAbove(text: string): string | undefined {
  const points = Array.from(text, (c) => c.codePointAt(0)!);
  for (let i = points.length - 1; i >= 0; i--) {
    if (points[i]! >= LAST_CODE_POINT) continue;
    const next = points[i]! + 1;
    const start = String.fromCodePoint(...points.slice(0, i));
    return start + String.fromCodePoint(next >= 0xd800 && next <= 0xdfff ? 0xe000 : next); // surrogates aren't characters
  }
  return undefined;
}

function bytesAbove(bytes: Uint8Array): Uint8Array | undefined {
  const last = bytes.findLastIndex((b) => b < 0xff);
  if (last === -1) return undefined;
  const above = bytes.slice(0, last + 1);
  above[last]! += 1;
  return above;
}

function isFloating({ kind }: PrimitiveType): boolean {
  return kind === "float" || kind === "double";
}
