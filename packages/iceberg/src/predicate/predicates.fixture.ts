/** Arbitrary filters, for property tests. */
import fc from "fast-check";
import type { PrimitiveType } from "../schema/type.ts";
import type { PrimitiveValue } from "../values/value.ts";
import {
  and,
  eq,
  ge,
  gt,
  isIn,
  isNull,
  le,
  lt,
  ne,
  not,
  notIn,
  notNull,
  or,
  type Predicate,
  startsWith,
} from "./predicate.ts";

/** Filters of one column. @param held values of rows, which are compared with as often as others. */
export function predicates(
  type: PrimitiveType,
  column: string,
  values: fc.Arbitrary<PrimitiveValue>,
  held: readonly PrimitiveValue[] = [],
): fc.Arbitrary<Predicate> {
  const value = held.length === 0 ? values : fc.oneof(values, fc.constantFrom(...held));
  const tests = fc.oneof(
    fc.constantFrom(isNull(column), notNull(column)),
    fc.tuple(fc.constantFrom(eq, ne, lt, le, gt, ge), value).map(([test, v]) => test(column, v)),
    fc.tuple(fc.constantFrom(isIn, notIn), fc.array(value, { maxLength: 3 })).map(([test, vs]) => test(column, vs)),
    ...(type.kind === "string" ? [value.map((v) => startsWith(column, v as string))] : []),
  );
  return fc.letrec<{ predicate: Predicate }>((tie) => ({
    predicate: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      tests,
      tie("predicate").map(not),
      fc.tuple(tie("predicate"), tie("predicate")).map(([a, b]) => and(a, b)),
      fc.tuple(tie("predicate"), tie("predicate")).map(([a, b]) => or(a, b)),
    ),
  })).predicate;
}
