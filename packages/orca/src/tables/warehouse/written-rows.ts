/** What a step gives to be written to a table in a warehouse. */
import { IcebergError, isArrowBatch, Relation, type RowsToWrite } from "@orcajs/iceberg";
import { storedRow, untypedRow } from "../../core/datasets/stored-row.ts";
import { OrcaError } from "../../core/errors.ts";
import type { Row } from "../../core/sql/relation.ts";
import { isWhere, type KnownColumns, textOfWhere } from "../where.ts";

/**
 * Rows as a table takes them. Those of a scan or a query stay in DuckDB; Arrow's are
 * read from its buffers, and checked there; others are checked one by one as they come.
 *
 * @param where what the rows that an overwrite replaces equal, as it is stored.
 * @throws OrcaError `rows-misfit` if they aren't rows.
 */
export function writtenRows(table: KnownColumns, given: unknown, where: Row = {}): RowsToWrite {
  if (given instanceof Relation || isArrowBatch(given)) return given;
  if (typeof given === "object" && given !== null) {
    if (Symbol.iterator in given) return checked({ ...table, where }, given as Iterable<unknown>);
    if (Symbol.asyncIterator in given) return checkedLater({ ...table, where }, given as AsyncIterable<unknown>);
  }
  throw new OrcaError("rows-misfit", whatRowsAre(given));
}

/** A misfit that was found by the writer, in the words of others. */
export function asMisfit(table: string, error: unknown): unknown {
  if (!(error instanceof IcebergError && error.code === "invalid-rows")) return error;
  return new OrcaError("rows-misfit", `rows don't fit ${table}: ${error.message}`, { cause: error });
}

/** A table, and what its rows that are replaced equal. */
interface ReplacedRows extends KnownColumns {
  readonly where: Row;
}

function* checked(table: ReplacedRows, rows: Iterable<unknown>): Generator<object, void, void> {
  let number = 0;
  for (const row of rows) yield isArrowBatch(row) ? row : fitting(table, row, ++number);
}

async function* checkedLater(table: ReplacedRows, rows: AsyncIterable<unknown>): AsyncGenerator<object, void, void> {
  let number = 0;
  for await (const row of rows) yield isArrowBatch(row) ? row : fitting(table, row, ++number);
}

function fitting({ name, columns, where }: ReplacedRows, given: unknown, number: number): object {
  const row = columns === undefined ? untypedRow(name, given, number) : storedRow(name, columns, given, number);
  if (isWhere(where, row)) return row;
  throw new OrcaError(
    "rows-misfit",
    `rows don't fit ${name}: the overwrite replaces only rows where ${textOfWhere(where)} (row ${number})`,
  );
}

/** Why something isn't rows. */
function whatRowsAre(given: unknown): string {
  const { then } = (given ?? {}) as PromiseLike<unknown>;
  if (typeof then !== "function") return "rows come as an array, an iterable, Arrow, a scan or a query";
  // how it ends matters no more: it would be a rejection that nobody handles
  Promise.resolve(given).catch(() => undefined);
  return "the rows are a promise: await it";
}
