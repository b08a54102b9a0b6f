/** What is known of a column's values in a file, a partition or all partitions of a manifest: what filters prune by. */
import type { PrimitiveValue } from "../values/value.ts";

/** Each is undefined where it isn't known; unknowns never prune. */
export interface ColumnStats {
  readonly hasNull?: boolean | undefined;
  readonly hasNaN?: boolean | undefined;
  /** Whether there is a value that is neither null nor NaN. */
  readonly hasValue?: boolean | undefined;
  /** At most all values that are neither null nor NaN. */
  readonly lower?: PrimitiveValue | undefined;
  /** At least all values that are neither null nor NaN. */
  readonly upper?: PrimitiveValue | undefined;
}

/** The statistics of a column by its field id. */
export type StatsOf = (id: number) => ColumnStats;

/** Of a column that has one value everywhere: a partition's own. */
export function statsOfValue(value: PrimitiveValue | null): ColumnStats {
  if (value === null) return { hasNull: true, hasNaN: false, hasValue: false };
  if (Number.isNaN(value)) return { hasNull: false, hasNaN: true, hasValue: false };
  return { hasNull: false, hasNaN: false, hasValue: true, lower: value, upper: value };
}
