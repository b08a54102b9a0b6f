/** What a manifest says of a file's columns, by the file's footer. */
import type { DataFile } from "../manifest/data-file.ts";
import type { FieldPlace } from "../schema/schema.ts";
import { isNested, type PrimitiveType } from "../schema/type.ts";
import { lowerBound, upperBound } from "../values/bounds.ts";
import { compareValues } from "../values/compare.ts";
import type { PrimitiveValue } from "../values/value.ts";
import type { LeafColumn } from "../parquet/footer.ts";
import { footerValue } from "./footer-value.ts";
import type { MetricsMode } from "./metrics-mode.ts";

/** What footers don't say of floating columns: how many NaNs there are, and between what the others are if there are some. */
export interface NaNMetrics {
  readonly count: number;
  readonly lowest?: number | undefined;
  readonly highest?: number | undefined;
}

export interface MetricsContext {
  /** The columns of the table's schema, by `fieldsById`. */
  readonly columns: ReadonlyMap<number, FieldPlace>;
  readonly modes: ReadonlyMap<number, MetricsMode>;
  /** By field id, as far as they are known. */
  readonly nans: ReadonlyMap<number, NaNMetrics>;
}

interface Bounds {
  readonly lowest: PrimitiveValue;
  readonly highest: PrimitiveValue;
}

export type ColumnMetrics = Pick<
  DataFile,
  "columnSizes" | "valueCounts" | "nullCounts" | "nanCounts" | "lowerBounds" | "upperBounds"
>;

/** The statistics of a file's columns, which are given by field id. Columns that the table doesn't have are left out. */
export function columnMetrics(leaves: ReadonlyMap<number, LeafColumn>, context: MetricsContext): ColumnMetrics {
  const [columnSizes, valueCounts, nullCounts, nanCounts] = Array.from({ length: 4 }, () => new Map<number, number>());
  const [lowerBounds, upperBounds] = [new Map<number, Uint8Array>(), new Map<number, Uint8Array>()];
  for (const [id, leaf] of leaves) {
    const type = context.columns.get(id)?.field.type;
    const mode = context.modes.get(id);
    if (type === undefined || isNested(type) || mode?.isCounted !== true) continue;
    columnSizes!.set(id, sumOf(leaf.chunks.map((c) => c.sizeBytes))!);
    valueCounts!.set(id, sumOf(leaf.chunks.map((c) => c.valueCount))!);
    setKnown(nullCounts!, id, nullCountOf(leaf));
    setKnown(nanCounts!, id, context.nans.get(id)?.count);
    // bounds of elements would say nothing of the rows that have them
    if (leaf.isRepeated || mode.boundLength === 0) continue;
    const bounds = boundsOf(leaf, type, context.nans.get(id));
    if (bounds === undefined || !isInOneOrder(type, bounds)) continue;
    lowerBounds.set(id, lowerBound(type, bounds.lowest, mode.boundLength));
    setKnown(upperBounds, id, upperBound(type, bounds.highest, mode.boundLength));
  }
  return { columnSizes, valueCounts, nullCounts, nanCounts, lowerBounds, upperBounds };
}

/**
 * Whether readers of both orders find all values between the bounds. UUIDs are in the order of their bytes, but the reference implementation (1.12)
 * compares them as two signed numbers of 64 bits, and would pass over files that have them in both halves of the order. The second number has one sign
 * in all UUIDs of RFC 9562.
 */
function isInOneOrder({ kind }: PrimitiveType, { lowest, highest }: Bounds): boolean {
  const isNegative = (uuid: PrimitiveValue) => (uuid as string) >= "8";
  return kind !== "uuid" || isNegative(lowest) === isNegative(highest);
}

/** How many values of a column are null; undefined if a row group doesn't say. */
export function nullCountOf({ chunks }: LeafColumn): number | undefined {
  return sumOf(chunks.map((c) => c.nullCount));
}

/** Between what the values of a column are that are neither null nor NaN; undefined if it isn't known, or there are none. */
export function boundsOf(
  { chunks, element }: LeafColumn,
  type: PrimitiveType,
  nans: NaNMetrics | undefined,
): Bounds | undefined {
  if (nans !== undefined && nans.count > 0) {
    const { lowest, highest } = nans;
    return lowest === undefined || highest === undefined ? undefined : { lowest, highest };
  }
  let [lowest, highest]: (PrimitiveValue | undefined)[] = [];
  for (const { min, max, nullCount, valueCount } of chunks) {
    if (nullCount === valueCount) continue;
    const low = min && footerValue(type, element, min);
    const high = max && footerValue(type, element, max);
    if (low === undefined || high === undefined) return undefined;
    if (lowest === undefined || compareValues(low, lowest) < 0) lowest = low;
    if (highest === undefined || compareValues(high, highest) > 0) highest = high;
  }
  return lowest === undefined || highest === undefined ? undefined : { lowest, highest };
}

function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce((sum, n) => (sum === undefined || n === undefined ? undefined : sum + n), 0);
}

function setKnown<T>(map: Map<number, T>, id: number, value: T | undefined): void {
  if (value !== undefined) map.set(id, value);
}
