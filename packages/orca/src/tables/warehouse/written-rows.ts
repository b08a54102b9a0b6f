/** What a step gives to be written to a table in a warehouse. */
import { IcebergError, isArrowBatch, Relation, type RowsToWrite } from "@orcajs/iceberg";
import { storedRow, untypedRow } from "../../core/datasets/stored-row.ts";
import { OrcaError } from "../../core/errors.ts";
import { whatRowsAre } from "../memory-rows.ts";
import type { KnownColumns } from "../where.ts";

/**
 * Rows as a table takes them. Those of a scan or a query stay in DuckDB; Arrow's are
 * read from its buffers, and checked there; others are checked one by one as they come.
 *
 * @throws OrcaError `rows-misfit` if they aren't rows.
 */
export function writtenRows(table: KnownColumns, given: unknown): RowsToWrite {
  if (given instanceof Relation || isArrowBatch(given)) return given;
  if (typeof given === "object" && given !== null) {
    if (Symbol.iterator in given) return checked(table, given as Iterable<unknown>);
    if (Symbol.asyncIterator in given) return checkedLater(table, given as AsyncIterable<unknown>);
  }
  throw new OrcaError("rows-misfit", whatRowsAre(given));
}

/** A misfit that was found by the writer, in the words of others. */
export function asMisfit(table: string, error: unknown): unknown {
  if (!(error instanceof IcebergError && error.code === "invalid-rows")) return error;
  return new OrcaError("rows-misfit", `rows don't fit ${table}: ${error.message}`, { cause: error });
}

function* checked(table: KnownColumns, rows: Iterable<unknown>): Generator<object, void, void> {
  let number = 0;
  for (const row of rows) yield isArrowBatch(row) ? row : fitting(table, row, ++number);
}

async function* checkedLater(table: KnownColumns, rows: AsyncIterable<unknown>): AsyncGenerator<object, void, void> {
  let number = 0;
  for await (const row of rows) yield isArrowBatch(row) ? row : fitting(table, row, ++number);
}

function fitting({ name, columns }: KnownColumns, row: unknown, number: number): object {
  return columns === undefined ? untypedRow(name, row, number) : storedRow(name, columns, row, number);
}
