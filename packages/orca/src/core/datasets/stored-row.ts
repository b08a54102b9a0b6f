/** Rows at run time: checked against a dataset's columns with the sentences of rows.ts, and made what reading gives back. */
import { OrcaError } from "../errors.ts";
import type { Row } from "../sql/relation.ts";
import type { Column, Item } from "./column.ts";
import { storedValue, TAKES } from "./stored-value.ts";

/**
 * `row` as it is read back.
 *
 * @param number which row it is, from 1, for the error.
 * @throws OrcaError `rows-misfit` that names the dataset, each column that doesn't fit, and the row.
 */
export function storedRow(dataset: string, columns: readonly Column[], row: unknown, number: number): Row {
  const misfits: string[] = [];
  const stored = storedFields(columns, row, "", misfits);
  if (misfits.length > 0)
    throw new OrcaError("rows-misfit", `rows don't fit ${dataset}: ${misfits.join("; ")} (row ${number})`);
  return stored as Row;
}

/** A row for a table whose columns aren't known: a copy. @throws OrcaError `rows-misfit` if it is no row. */
export function untypedRow(dataset: string, row: unknown, number: number): Row {
  if (kindOf(row) === "an object") return structuredClone(row as Row);
  throw new OrcaError("rows-misfit", `rows don't fit ${dataset}: they're ${kindOf(row)} (row ${number})`);
}

/** A value as its column holds it; what doesn't fit is added to `misfits`. */
export function storedItem({ type, nullable }: Item, v: unknown, path: string, misfits: string[]): unknown {
  if (nullable && (v === null || v === undefined)) return null;
  if (type.type === "struct") return storedFields(type.fields, v, `${path}.`, misfits);
  if (type.type === "list") {
    if (Array.isArray(v)) return v.map((x) => storedItem(type.element, x, `${path}[]`, misfits));
    return void misfits.push(`${path} takes an array, not ${kindOf(v)}`);
  }
  if (type.type === "map") {
    if (!(v instanceof Map)) return void misfits.push(`${path} takes a Map, not ${kindOf(v)}`);
    const key = { type: type.key, nullable: false };
    return new Map(
      Array.from(v, ([k, x]) => [
        storedItem(key, k, `a key of ${path}`, misfits),
        storedItem(type.value, x, `a value of ${path}`, misfits),
      ]),
    );
  }
  const stored = storedValue(type, v);
  if (stored instanceof Error) misfits.push(`${path}: ${stored.message}`);
  else if (stored === undefined) misfits.push(`${path} takes ${TAKES[type.type]}, not ${kindOf(v)}`);
  return stored;
}

function storedFields(columns: readonly Column[], row: unknown, path: string, misfits: string[]): Row | undefined {
  if (kindOf(row) !== "an object") {
    misfits.push(path === "" ? `they're ${kindOf(row)}` : `${path.slice(0, -1)} takes an object, not ${kindOf(row)}`);
    return undefined;
  }
  const given = row as Row;
  for (const name of Object.keys(given))
    if (!columns.some((c) => c.name === name)) misfits.push(`${path}${name} isn't a column`);
  return Object.fromEntries(columns.map((c) => [c.name, storedColumn(c, given, path, misfits)]));
}

function storedColumn(column: Column, row: Row, path: string, misfits: string[]): unknown {
  if (Object.hasOwn(row, column.name) || column.nullable)
    return storedItem(column, row[column.name], `${path}${column.name}`, misfits);
  return void misfits.push(`${path}${column.name} is missing`);
}

function kindOf(v: unknown): string {
  if (v === null) return "null";
  if (typeof v !== "object") return typeof v;
  if (v instanceof Date) return "Date";
  if (v instanceof Uint8Array) return "Uint8Array";
  if (Array.isArray(v)) return "an array";
  if (v instanceof Map) return "a Map";
  return v instanceof Promise ? "a promise" : "an object";
}
