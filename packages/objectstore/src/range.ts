import { ObjectStoreError } from "./errors.ts";
import { quoted } from "./key.ts";
import type { ByteRange } from "./object-store.ts";

/** Bytes of an object, from `start` up to and without `end`. */
export interface ResolvedRange {
  readonly start: number;
  readonly end: number;
}

/** @throws ObjectStoreError `invalid-range` on a range that no object has. */
export function checkRange(range: ByteRange | undefined): void {
  if (range === undefined) return;
  const isPossible =
    "suffix" in range
      ? isCount(range.suffix) && range.suffix > 0
      : isCount(range.start) && (range.end === undefined || (isCount(range.end) && range.end > range.start));
  if (!isPossible)
    throw new ObjectStoreError(
      "invalid-range",
      `${JSON.stringify(range)} isn't a range of bytes: give whole numbers, start below end, or a suffix of at least 1`,
    );
}

/**
 * Where a range lies in an object of `size` bytes. Its end is cut to the object's.
 * @throws ObjectStoreError `invalid-range` if it begins beyond the object's end.
 */
export function resolveRange(range: ByteRange | undefined, size: number, key: string): ResolvedRange {
  if (range === undefined) return { start: 0, end: size };
  if ("suffix" in range) return { start: Math.max(0, size - range.suffix), end: size };
  if (range.start >= size) throw beyondEnd(range.start, size, key);
  return { start: range.start, end: Math.min(range.end ?? size, size) };
}

/** The error for a range that begins where the object has no bytes. */
export function beyondEnd(start: number, size: number | undefined, key: string): ObjectStoreError {
  const has = size === undefined ? "" : `, which has ${size} bytes`;
  return new ObjectStoreError("invalid-range", `byte ${start} is beyond the end of ${quoted(key)}${has}`);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
