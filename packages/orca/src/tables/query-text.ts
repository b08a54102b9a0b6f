/** A query as DuckDB takes it. */
import type { DuckDBValue } from "@duckdb/node-api";
import { SqlFragment } from "../core/sql/fragment.ts";
import type { Duck } from "./duck-values.ts";
import { MemoryQuery, MemoryScan, type Held } from "./memory-relation.ts";

/** A query's text, with a parameter for each value and a name for each table. */
export interface QueryText {
  readonly text: string;
  readonly values: DuckDBValue[];
  /** By the index that their names are made of. */
  readonly tables: readonly Held[];
}

export function queryText(fragment: SqlFragment, duck: Duck): QueryText {
  const values: DuckDBValue[] = [];
  const tables: Held[] = [];
  const textOf = (f: SqlFragment): string =>
    f.texts.map((text, i) => (i < f.values.length ? text + placeOf(f.values[i]) : text)).join("");
  const placeOf = (v: unknown): string => {
    if (v instanceof SqlFragment) return textOf(v);
    // on a line of its own: the query may end in a comment
    if (v instanceof MemoryQuery) return `(${textOf(v.fragment)}\n)`;
    if (v instanceof MemoryScan) return tableName(tables.push(v.held()) - 1);
    // not one parameter: that would be of the first value's type, which null and an empty list don't have
    if (Array.isArray(v)) return `[${v.map(placeOf).join(", ")}]`;
    const parameter = `$${values.push(parameterOf(v, duck))}`;
    return isBeyondIntegers(v) ? `${parameter}::DOUBLE` : parameter;
  };
  return { text: textOf(fragment), values, tables };
}

/** Not a name that a query would give to a table of its own, which would hide this one. */
export function tableName(index: number): string {
  return `orca_scan_${index}`;
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
