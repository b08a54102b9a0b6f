/** Transforms applied to values. */
import { IcebergError } from "../errors.ts";
import { typeText } from "../schema/type-text.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { civilOf, floorDiv } from "../values/calendar.ts";
import { fitsPrecision } from "../values/decimal.ts";
import { valueText } from "../values/text.ts";
import type { PrimitiveValue } from "../values/value.ts";
import { hashValue } from "./hash.ts";
import { type Transform, transformText } from "./transform.ts";

/**
 * What a transform makes of a value of a type that it takes ("Partition Transforms"); null of null.
 *
 * @throws IcebergError `unsupported` for a transform that this package doesn't know; `invalid-value` if a number is rounded down
 * below the lowest of its type.
 */
export function applyTransform(
  transform: Transform,
  type: PrimitiveType,
  value: PrimitiveValue | null,
): PrimitiveValue | null {
  if (value === null) return null;
  switch (transform.kind) {
    case "identity":
      return value;
    case "bucket":
      return (hashValue(type, value) & 0x7fffffff) % transform.buckets;
    case "truncate": {
      const result = truncated(value, transform.width);
      if (fits(type, result)) return result;
      throw new IcebergError(
        "invalid-value",
        `${valueText(type, value)} can't be in a partition by ${transformText(transform)}: it would be below the lowest ${typeText(type)}`,
      );
    }
    case "year":
      return civilOf(daysOf(type, value)).year - 1970;
    case "month": {
      const { year, month } = civilOf(daysOf(type, value));
      return (year - 1970) * 12 + month - 1;
    }
    case "day":
      return daysOf(type, value);
    case "hour":
      return Number(floorDiv(value as bigint, 3600n * unitsPerSecond(type)));
    case "void":
      return null;
    case "unknown":
      throw new IcebergError(
        "unsupported",
        `partitions by ${transformText(transform)} can't be written: the transform isn't known`,
      );
    default:
      return transform satisfies never;
  }
}

/** Numbers are rounded down to a multiple of the width; texts keep so many code points, and bytes so many bytes. */
export function truncated(value: PrimitiveValue, width: number): PrimitiveValue {
  if (typeof value === "number") return Math.floor(value / width) * width;
  if (typeof value === "bigint") return floorDiv(value, BigInt(width)) * BigInt(width);
  if (typeof value !== "string") return (value as Uint8Array).slice(0, width);
  if (value.length <= width) return value;
  let end = 0;
  for (let points = 0; points < width && end < value.length; points++) end += value.codePointAt(end)! > 0xffff ? 2 : 1;
  return value.slice(0, end);
}

function fits(type: PrimitiveType, value: PrimitiveValue): boolean {
  switch (type.kind) {
    case "int":
      return (value as number) >= -(2 ** 31);
    case "long":
      return (value as bigint) >= -(2n ** 63n);
    case "decimal":
      return fitsPrecision(value as bigint, type.precision);
    default:
      return true;
  }
}

function daysOf(type: PrimitiveType, value: PrimitiveValue): number {
  return typeof value === "number" ? value : Number(floorDiv(value as bigint, 86_400n * unitsPerSecond(type)));
}

function unitsPerSecond({ kind }: PrimitiveType): bigint {
  return kind.endsWith("_ns") ? 1_000_000_000n : 1_000_000n;
}
