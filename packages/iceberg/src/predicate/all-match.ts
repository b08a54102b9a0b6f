/** Strict evaluation: whether statistics prove that all rows are selected, so that a delete can drop the file whole ("Scan Planning", note 1). */
import { compareValues } from "../values/compare.ts";
import type { BoundPredicate, BoundTest } from "./bind.ts";
import type { ColumnStats, StatsOf } from "./column-stats.ts";
import { isTrueOf } from "./is-true-of.ts";
import { allStartWith, isOnly } from "./may-match.ts";

/** True only if every row is selected. */
export function allMatch(predicate: BoundPredicate, statsOf: StatsOf): boolean {
  return isTrueOf(predicate, (test) => allPass(test, statsOf(test.column.id)));
}

function allPass(test: BoundTest, stats: ColumnStats): boolean {
  const { hasNull, hasValue, lower, upper } = stats;
  const hasNaN = test.column.type.kind === "float" || test.column.type.kind === "double" ? stats.hasNaN : false;
  if (test.op === "is-null") return hasValue === false && hasNaN === false;
  if (hasNull !== false) return false;
  const isNaNOnly = hasValue === false;
  switch (test.op) {
    case "not-null":
      return true;
    case "eq":
      if (Number.isNaN(test.value)) return isNaNOnly;
      return hasNaN === false && isOnly(test.value, stats);
    case "in":
      if (test.values.some(Number.isNaN) && isNaNOnly) return true;
      return hasNaN === false && test.values.some((v) => isOnly(v, stats));
    case "ne":
      return lacks(test.value, stats, hasNaN);
    case "not-in":
      return test.values.every((v) => lacks(v, stats, hasNaN));
    case "lt":
      if (Number.isNaN(test.value)) return hasNaN === false;
      return hasNaN === false && upper !== undefined && compareValues(upper, test.value) < 0;
    case "le":
      if (Number.isNaN(test.value)) return true;
      return hasNaN === false && upper !== undefined && compareValues(upper, test.value) <= 0;
    case "gt":
      if (Number.isNaN(test.value)) return false;
      return isNaNOnly || (lower !== undefined && compareValues(lower, test.value) > 0);
    case "ge":
      if (Number.isNaN(test.value)) return isNaNOnly;
      return isNaNOnly || (lower !== undefined && compareValues(lower, test.value) >= 0);
    case "starts-with":
      return allStartWith(test.value as string, stats);
    case "not-starts-with":
      return noneStartsWith(test.value as string, stats);
    default:
      return test satisfies never;
  }
}

/** Whether a value is known not to be there. */
function lacks(
  value: Extract<BoundTest, { readonly value: unknown }>["value"],
  { hasValue, lower, upper }: ColumnStats,
  hasNaN: boolean | undefined,
): boolean {
  if (Number.isNaN(value)) return hasNaN === false;
  return (
    hasValue === false ||
    (lower !== undefined && compareValues(lower, value) > 0) ||
    (upper !== undefined && compareValues(upper, value) < 0)
  );
}

function noneStartsWith(prefix: string, { lower, upper }: ColumnStats): boolean {
  const isBelow = upper !== undefined && compareValues(upper, prefix) < 0;
  const isAbove = lower !== undefined && compareValues(lower, prefix) > 0 && !(lower as string).startsWith(prefix);
  return isBelow || isAbove;
}
