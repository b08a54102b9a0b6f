/** Which types a column may be widened to ("Schema Evolution", "Valid primitive type promotions"). */
import type { PrimitiveValue } from "../values/value.ts";
import { isNested, type PrimitiveType, type Type } from "./type.ts";
import { sameType } from "./type-text.ts";

/** Whether a column of type `from` may become one of type `to` in a table of a format version; each type may become itself. */
export function canPromote(from: Type, to: Type, formatVersion: number): boolean {
  if (isNested(from) || isNested(to)) return false;
  if (sameType(from, to)) return true;
  switch (from.kind) {
    case "int":
      return to.kind === "long";
    case "float":
      return to.kind === "double";
    case "decimal":
      return to.kind === "decimal" && to.scale === from.scale && to.precision > from.precision;
    case "date":
      return formatVersion >= 3 && (to.kind === "timestamp" || to.kind === "timestamp_ns");
    default:
      return false;
  }
}

/** A value that was written before its column was promoted, in the form of the type that it has now: an int's or a date's number as a bigint. */
export function promoted({ kind }: PrimitiveType, value: PrimitiveValue | null): PrimitiveValue | null {
  if (typeof value !== "number") return value;
  if (kind === "long") return BigInt(value);
  if (kind === "timestamp") return BigInt(value) * 86_400_000_000n;
  return kind === "timestamp_ns" ? BigInt(value) * 86_400_000_000_000n : value;
}
