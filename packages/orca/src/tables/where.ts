/** Which rows of a table an overwrite replaces. */
import { format, isDeepStrictEqual } from "node:util";
import type { Column } from "../core/datasets/column.ts";
import { storedItem } from "../core/datasets/stored-row.ts";
import { OrcaError } from "../core/errors.ts";
import type { Row } from "../core/sql/relation.ts";

/** A table by its name, and its columns if they are known. */
export interface KnownColumns {
  readonly name: string;
  readonly columns: readonly Column[] | undefined;
}

/** @throws OrcaError `rows-misfit` if an overwrite doesn't say where: it would replace the whole table. */
export function whereOf(options: { readonly where: Row } | undefined): Row {
  const where: unknown = options?.where;
  if (typeof where === "object" && where !== null) return where as Row;
  throw new OrcaError(
    "rows-misfit",
    "overwrite says which rows it replaces: ctx.overwrite(dataset, rows, { where: { day } })",
  );
}

/**
 * What rows are to equal, as it is stored.
 *
 * @throws OrcaError `rows-misfit` if it has a value that its column can't hold, or that is undefined: what a mistyped name gives.
 */
export function storedWhere(table: KnownColumns, where: Row): Row {
  const misfits: string[] = [];
  const stored = Object.entries(where).map(([name, value]) => [name, storedColumn(table, name, value, misfits)]);
  if (misfits.length > 0) throw new OrcaError("rows-misfit", `where doesn't fit ${table.name}: ${misfits.join("; ")}`);
  return Object.fromEntries(stored) as Row;
}

/** Whether a row's columns equal `where`. Both are as they are stored. */
export function isWhere(where: Row, row: Row): boolean {
  return Object.entries(where).every(([name, value]) => {
    const own = row[name] ?? null;
    return own === value || isDeepStrictEqual(own, value); // -0 is 0
  });
}

/** As a sentence has it: `day is 2024-01-01 and kind is rain`. */
export function textOfWhere(where: Row): string {
  return Object.entries(where)
    .map(([name, value]) => `${name} is ${format("%s", value)}`)
    .join(" and ");
}

function storedColumn(table: KnownColumns, name: string, value: unknown, misfits: string[]): unknown {
  if (value === undefined) return void misfits.push(`${name} is undefined: write null for rows that have none`);
  if (table.columns === undefined) return structuredClone(value);
  const column = table.columns.find((c) => c.name === name);
  if (column === undefined) return void misfits.push(`${name} isn't a column`);
  const { type } = column.type;
  if (type === "list" || type === "map" || type === "struct")
    return void misfits.push(`${name} is a ${type}, which rows can't be chosen by`);
  return storedItem(column, value, name, misfits);
}
