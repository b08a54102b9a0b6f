/** Values in the statistics of Parquet footers. */
import type { SchemaElement } from "hyparquet";
import { IcebergError } from "../errors.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { fromBytes } from "../values/binary.ts";
import { integerOf } from "../values/bytes.ts";
import type { PrimitiveValue } from "../values/value.ts";

/**
 * The value of raw statistics as one of a table's column; undefined if it can't be told. The forms are mostly those of bounds, but for decimals
 * that Parquet has as integers, and for other units of time.
 */
export function footerValue(
  type: PrimitiveType,
  element: SchemaElement,
  bytes: Uint8Array,
): PrimitiveValue | undefined {
  try {
    const value = type.kind === "decimal" ? decimalOf(element, bytes) : fromBytes(type, bytes);
    if (value === undefined || Number.isNaN(value)) return undefined;
    return typeof value === "bigint" && type.kind.startsWith("time") ? inUnits(type, element, value) : value;
  } catch (error) {
    if (error instanceof IcebergError) return undefined;
    throw error;
  }
}

function decimalOf({ type }: SchemaElement, bytes: Uint8Array): bigint {
  return integerOf(type === "INT32" || type === "INT64" ? bytes.toReversed() : bytes);
}

const PER_SECOND = { MILLIS: 1000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n } as const;

function inUnits(type: PrimitiveType, element: SchemaElement, value: bigint): bigint | undefined {
  const { logical_type: logical, converted_type: converted } = element;
  const unit =
    logical?.type === "TIMESTAMP" || logical?.type === "TIME"
      ? logical.unit
      : converted?.endsWith("_MILLIS")
        ? "MILLIS"
        : converted?.endsWith("_MICROS")
          ? "MICROS"
          : undefined;
  // a date that became a timestamp has neither, and is in the type's own units already
  if (unit === undefined) return element.type === "INT32" ? value : undefined;
  const perSecond = type.kind.endsWith("_ns") ? PER_SECOND.NANOS : PER_SECOND.MICROS;
  const scaled = value * perSecond;
  return scaled % PER_SECOND[unit] === 0n ? scaled / PER_SECOND[unit] : undefined;
}
