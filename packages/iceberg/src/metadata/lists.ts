import { inspect } from "node:util";
import { unknownChange } from "../schema/unknown-change.ts";
import { refused } from "./refused.ts";

/**
 * Passes if a value is a list.
 *
 * @param what in the sentence: `sortBy`.
 * @throws IcebergError `invalid-change`
 */
export function checkList(value: unknown, what: string): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) {
    const item = typeof value === "string" ? JSON.stringify(value) : inspect(value);
    throw refused(`${what} isn't a list: write [${item}]`);
  }
}

/**
 * Passes if a value is a list of objects, as changes are. @param of what they change, in the sentence.
 * @throws IcebergError `invalid-change`
 */
export function checkChanges(value: unknown, of: string): void {
  checkList(value, `what changes of ${of} are given as`);
  for (const change of value) if (typeof change !== "object" || change === null) throw unknownChange(change, of);
}
