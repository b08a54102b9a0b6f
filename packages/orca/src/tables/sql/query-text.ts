/** A query as DuckDB takes it. */
import type { DuckDBValue } from "@duckdb/node-api";
import { SqlFragment } from "../../core/sql/fragment.ts";
import type { Duck } from "./duck-values.ts";
import { SqlQuery } from "./sql-query.ts";

/** A query's text, with a parameter for each value. */
export function queryText(
  fragment: SqlFragment,
  duck: Duck,
): { readonly text: string; readonly values: DuckDBValue[] } {
  const values: DuckDBValue[] = [];
  const textOf = (f: SqlFragment): string =>
    f.texts.map((text, i) => (i < f.values.length ? text + placeOf(f.values[i]) : text)).join("");
  const placeOf = (v: unknown): string => {
    if (v instanceof SqlFragment) return textOf(v);
    // on a line of its own: the query may end in a comment
    if (v instanceof SqlQuery) return `(${textOf(v.fragment)}\n)`;
    // not one parameter: that would be of the first value's type, which null and an empty list don't have
    if (Array.isArray(v)) return `[${v.map(placeOf).join(", ")}]`;
    const parameter = `$${values.push(parameterOf(v, duck))}`;
    return isBeyondIntegers(v) ? `${parameter}::DOUBLE` : parameter;
  };
  return { text: textOf(fragment), values };
}

function parameterOf(v: unknown, duck: Duck): DuckDBValue {
  if (v instanceof Date) return new duck.DuckDBTimestampTZValue(BigInt(v.getTime()) * 1000n);
  if (v instanceof Uint8Array) return new duck.DuckDBBlobValue(v);
  return isBeyondIntegers(v) ? String(v) : (v as DuckDBValue); // checkInSql let nothing else through
}

/** Whether a number is whole, and too large to be exact: DuckDB's driver would make it an integer. */
function isBeyondIntegers(v: unknown): boolean {
  return Number.isInteger(v) && !Number.isSafeInteger(v);
}
