/** Whether something is a filter, for those whom no compiler tells. */
import { IcebergError } from "../errors.ts";
import type { Predicate } from "./predicate.ts";

type Given = Readonly<Record<string, unknown>>;

const ofColumn = ({ column }: Given) => typeof column === "string";
const ofValues = (given: Given) => ofColumn(given) && Array.isArray(given["values"]);
const ofFilters = ({ of }: Given) => Array.isArray(of);
const always = () => true;

/** What each must have; what is within `and`, `or` and `not` is looked at when its turn comes. */
const FORMS: Readonly<Record<Predicate["op"], (given: Given) => boolean>> = {
  true: always,
  false: always,
  not: always,
  and: ofFilters,
  or: ofFilters,
  "is-null": ofColumn,
  "not-null": ofColumn,
  eq: ofColumn,
  ne: ofColumn,
  lt: ofColumn,
  le: ofColumn,
  gt: ofColumn,
  ge: ofColumn,
  in: ofValues,
  "not-in": ofValues,
  "starts-with": ofColumn,
};

/** @throws IcebergError `invalid-predicate` if something is no filter. */
export function checkForm(predicate: unknown): void {
  const given = (typeof predicate === "object" && predicate !== null ? predicate : {}) as Given;
  const op = given["op"];
  if (typeof op === "string" && Object.hasOwn(FORMS, op) && FORMS[op as Predicate["op"]](given)) return;
  throw new IcebergError(
    "invalid-predicate",
    "that is no filter: write eq(column, value), and(…), or another of the functions that make one; ALWAYS selects all rows",
  );
}
