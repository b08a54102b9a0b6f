/** What a step gives to be written, as the rows that a table in memory holds. */
import type { Column } from "../core/datasets/column.ts";
import { storedRow, untypedRow } from "../core/datasets/stored-row.ts";
import { OrcaError } from "../core/errors.ts";
import type { Row } from "../core/sql/relation.ts";
import { MemoryQuery } from "./memory-relation.ts";
import type { MemoryTable } from "./memory-table.ts";

/** Rows that come one by one, as the table holds them. @throws OrcaError `rows-misfit` if they aren't rows, or don't fit its columns. */
export async function rowsThatFit(table: MemoryTable, given: unknown): Promise<readonly Row[]> {
  if (given === null || typeof given !== "object" || !(Symbol.iterator in given || Symbol.asyncIterator in given))
    throw new OrcaError("rows-misfit", whatRowsAre(given));
  const { columns } = table;
  const rows: Row[] = [];
  for await (const row of given as AsyncIterable<unknown>) {
    if (columns === undefined) rows.push(untypedRow(table.name, row, rows.length + 1));
    else {
      const cast = given instanceof MemoryQuery ? countsCast(columns, row as Row) : row;
      rows.push(storedRow(table.name, columns, cast, rows.length + 1));
    }
  }
  // once more, if the table has learnt columns while they came
  return table.columns === columns ? rows : rowsThatFit(table, rows);
}

/** Why something isn't rows. */
export function whatRowsAre(given: unknown): string {
  const isPromise = typeof (given as PromiseLike<unknown> | null | undefined)?.then === "function";
  return isPromise
    ? "the rows are a promise: await it"
    : "rows come as an array, an iterable, Arrow, a scan or a query";
}

/** SQL's counts are bigints: one that goes into an `int` column is made a number, which is then checked as any other. */
function countsCast(columns: readonly Column[], row: Row): Row {
  const counts = columns.filter((c) => c.type.type === "int" && typeof row[c.name] === "bigint");
  return { ...row, ...Object.fromEntries(counts.map((c) => [c.name, Number(row[c.name])])) };
}
