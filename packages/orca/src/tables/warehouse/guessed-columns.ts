import type { Column, PlainType } from "../../core/datasets/column.ts";
import { OrcaError } from "../../core/errors.ts";
import { Day } from "../../core/keys/day.ts";
import type { Row } from "../../core/sql/relation.ts";

/**
 * The columns of a table of which a name and rows are known, by their values.
 *
 * @throws OrcaError `rows-misfit` if they can't be told.
 */
export function guessedColumns(name: string, rows: readonly Row[]): readonly Column[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (names.length === 0)
    throw new OrcaError("rows-misfit", `there are no rows of '${name}' to tell its columns by: give it as a dataset`);
  return names.map((column) => {
    const values = rows.map((row) => row[column]).filter((v) => v !== null && v !== undefined);
    const [type] = values.length === 0 ? ["string" as const] : (GUESSES.find(([, holds]) => values.every(holds)) ?? []);
    if (type === undefined)
      throw new OrcaError(
        "rows-misfit",
        `column ${column} of '${name}' holds values of several types, or none of a plain one: give it as a dataset`,
      );
    return { name: column, type: { type }, nullable: true };
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
