/** A bound filter by its tests. */
import type { BoundPredicate, BoundTest } from "./bind.ts";

/** Whether a filter is true, where each of its tests passes or doesn't. */
export function isTrueOf(predicate: BoundPredicate, passes: (test: BoundTest) => boolean): boolean {
  switch (predicate.op) {
    case "true":
      return true;
    case "false":
      return false;
    case "and":
      return predicate.of.every((part) => isTrueOf(part, passes));
    case "or":
      return predicate.of.some((part) => isTrueOf(part, passes));
    default:
      return passes(predicate);
  }
}
