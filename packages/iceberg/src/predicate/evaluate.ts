/** Filters evaluated for rows. */
import { compareValues } from "../values/compare.ts";
import type { PrimitiveValue, StructValue, Value } from "../values/value.ts";
import type { BoundPredicate, BoundTest } from "./bind.ts";
import { isTrueOf } from "./is-true-of.ts";

/** Whether a row is selected: whether the filter is true of it, and neither false nor unknown for a null. */
export function matches(predicate: BoundPredicate, row: StructValue): boolean {
  return isTrueOf(predicate, (test) => testValue(test, valueAt(row, test.column.path)));
}

/** Whether a value passes a test. */
function testValue(test: BoundTest, value: PrimitiveValue | null): boolean {
  if (test.op === "is-null") return value === null;
  if (value === null) return false;
  switch (test.op) {
    case "not-null":
      return true;
    case "in":
      return test.values.some((v) => compareValues(value, v) === 0);
    case "not-in":
      return test.values.every((v) => compareValues(value, v) !== 0);
    case "starts-with":
      return (value as string).startsWith(test.value as string);
    case "not-starts-with":
      return !(value as string).startsWith(test.value as string);
    default:
      return holds(test.op, compareValues(value, test.value));
  }
}

/** Whether a comparison holds for an order as `compareValues` gives it. */
function holds(op: "eq" | "ne" | "lt" | "le" | "gt" | "ge", order: number): boolean {
  switch (op) {
    case "eq":
      return order === 0;
    case "ne":
      return order !== 0;
    case "lt":
      return order < 0;
    case "le":
      return order <= 0;
    case "gt":
      return order > 0;
    case "ge":
      return order >= 0;
    default:
      return op satisfies never;
  }
}

/** The value at a path; null if it, or a struct around it, is null or missing. */
function valueAt(row: StructValue, path: readonly string[]): PrimitiveValue | null {
  let value: Value | null = row;
  for (const name of path) value = (value as StructValue | null)?.[name] ?? null;
  return value as PrimitiveValue | null;
}
