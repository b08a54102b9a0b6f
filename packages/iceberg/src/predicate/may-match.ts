/** Inclusive evaluation: whether statistics leave it open that a row is selected ("Scan Planning"). */
import { compareValues } from "../values/compare.ts";
import type { PrimitiveValue } from "../values/value.ts";
import type { BoundPredicate, BoundTest } from "./bind.ts";
import type { ColumnStats, StatsOf } from "./column-stats.ts";
import { isTrueOf } from "./is-true-of.ts";

/** False only if no row can be selected, so that its file, or manifest, needn't be read. */
export function mayMatch(predicate: BoundPredicate, statsOf: StatsOf): boolean {
  return isTrueOf(predicate, (test) => mayPass(test, statsOf(test.column.id)));
}

function mayPass(test: BoundTest, stats: ColumnStats): boolean {
  if (test.op === "is-null") return stats.hasNull !== false;
  const mayHaveNaN = stats.hasNaN !== false && canBeNaN(test);
  if (stats.hasValue === false && !mayHaveNaN) return false;
  switch (test.op) {
    case "not-null":
      return true;
    case "eq":
      return Number.isNaN(test.value) ? mayHaveNaN : within(test.value, stats);
    case "in":
      return test.values.some((v) => (Number.isNaN(v) ? mayHaveNaN : within(v, stats)));
    case "ne":
      return mayHaveNaN || !isOnly(test.value, stats);
    case "not-in":
      return mayHaveNaN || !test.values.some((v) => isOnly(v, stats));
    case "lt":
      return stats.hasValue !== false && (stats.lower === undefined || compareValues(stats.lower, test.value) < 0);
    case "le":
      if (Number.isNaN(test.value)) return true;
      return stats.hasValue !== false && (stats.lower === undefined || compareValues(stats.lower, test.value) <= 0);
    case "gt":
      if (Number.isNaN(test.value)) return false;
      return mayHaveNaN || stats.upper === undefined || compareValues(stats.upper, test.value) > 0;
    case "ge":
      return mayHaveNaN || stats.upper === undefined || compareValues(stats.upper, test.value) >= 0;
    case "starts-with":
      return mayStartWith(test.value as string, stats);
    case "not-starts-with":
      return !allStartWith(test.value as string, stats);
    default:
      return test satisfies never;
  }
}

function canBeNaN({ column: { type } }: BoundTest): boolean {
  return type.kind === "float" || type.kind === "double";
}

function within(value: PrimitiveValue, { hasValue, lower, upper }: ColumnStats): boolean {
  return (
    hasValue !== false &&
    (lower === undefined || compareValues(lower, value) <= 0) &&
    (upper === undefined || compareValues(upper, value) >= 0)
  );
}

/** Whether all values that are neither null nor NaN are known to be this one. */
export function isOnly(value: PrimitiveValue, { lower, upper }: ColumnStats): boolean {
  return (
    lower !== undefined && upper !== undefined && compareValues(lower, value) === 0 && compareValues(upper, value) === 0
  );
}

function mayStartWith(prefix: string, { lower, upper }: ColumnStats): boolean {
  const isBelow = upper !== undefined && compareValues(upper, prefix) < 0; // all are below the prefix itself
  const isAbove = lower !== undefined && compareValues(lower, prefix) > 0 && !(lower as string).startsWith(prefix);
  return !isBelow && !isAbove;
}

/** Whether all texts are known to start with a prefix: both bounds do, and so does all between. */
export function allStartWith(prefix: string, { lower, upper }: ColumnStats): boolean {
  return (
    lower !== undefined &&
    upper !== undefined &&
    (lower as string).startsWith(prefix) &&
    (upper as string).startsWith(prefix)
  );
}
