/** Rows as a table of DuckDB's. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Column, PlainType } from "../core/datasets/column.ts";
import { OrcaError } from "../core/errors.ts";
import { Day } from "../core/keys/day.ts";
import type { Row } from "../core/sql/relation.ts";
import { duckType, toDuck, type Duck } from "./duck-values.ts";
import type { Held } from "./memory-relation.ts";

/**
 * Makes a table in DuckDB, for one connection, and puts rows into it.
 *
 * @throws OrcaError `sql-misfit` if its columns aren't known, and can't be told by its rows.
 */
export async function makeTable(
  connection: DuckDBConnection,
  table: string,
  { columns, rows }: Held,
  duck: Duck,
): Promise<void> {
  const all = columns ?? guessedColumns(rows);
  const quoted = all.map((c) => `"${c.name.replaceAll('"', '""')}" ${duckType(c.type)}`);
  await connection.run(`CREATE TEMP TABLE ${table} (${quoted.join(", ")})`);
  const appender = await connection.createAppender(table);
  const types = all.map((_, i) => appender.columnType(i));
  for (const row of rows) {
    all.forEach((c, i) => {
      const v = toDuck(c, row[c.name], duck);
      if (v === null) appender.appendNull();
      else appender.appendValue(v, types[i]);
    });
    appender.endRow();
  }
  appender.closeSync();
}

/** The columns of a table known by its name alone, by their values. */
function guessedColumns(rows: readonly Row[]): readonly Column[] {
  const names = [...new Set(rows.flatMap((r) => Object.keys(r)))];
  if (names.length === 0)
    throw new OrcaError("sql-misfit", "a table in memory that has no rows has no columns: give it as a dataset");
  return names.map((name) => {
    const values = rows.map((r) => r[name]).filter((v) => v !== null && v !== undefined);
    const [type] = values.length === 0 ? ["string" as const] : (GUESSES.find(([, holds]) => values.every(holds)) ?? []);
    if (type === undefined)
      throw new OrcaError(
        "sql-misfit",
        `column ${name} of a table in memory holds values of several types, or none of a plain one: give it as a dataset`,
      );
    return { name, type: { type }, nullable: true };
  });
}

/** The first that holds all of a column's values; text, if it has none. */
const GUESSES: readonly (readonly [PlainType, (v: unknown) => boolean])[] = [
  ["date", (v) => Day.is(v)],
  ["string", (v) => typeof v === "string"],
  ["long", (v) => typeof v === "bigint"],
  ["double", (v) => typeof v === "number"],
  ["boolean", (v) => typeof v === "boolean"],
  ["timestamptz", (v) => v instanceof Date],
  ["binary", (v) => v instanceof Uint8Array],
];
