/** Rows as objects, checked against a table's columns. */
import { IcebergError } from "../errors.ts";
import type { Field } from "../schema/type.ts";
import { toValue } from "../values/to-value.ts";
import type { Value } from "../values/value.ts";

/**
 * A row by its columns' names. Values are as `toValue` takes them; a column that is left out, `undefined` or null is null, or has its write default if
 * it was left out.
 */
export type GivenRow = object; // an interface has no index signature, so that no narrower type takes it

const NO_ROW = "which isn't an object of columns";
/** Objects that have no columns: taken for rows, they would be rows of nulls. */
const OTHERS = [Array, Map, Set, Date, Error, Promise, ArrayBuffer, Uint8Array] as const;

/**
 * A row's values, in the order of the fields.
 *
 * @param number from 1, for messages.
 * @throws IcebergError `invalid-rows`, with the row, the column, what it is and what it was to be.
 */
export function rowValues(
  row: unknown,
  number: number,
  fields: readonly Field[],
  names: ReadonlySet<string>,
): readonly (Value | null)[] {
  const fail = (why: string, cause?: unknown) => new IcebergError("invalid-rows", `row ${number}: ${why}`, { cause });
  if (typeof row !== "object" || row === null)
    throw fail(`it is ${row === null ? "null" : `a ${typeof row}`}, ${NO_ROW}`);
  const kind = OTHERS.find((other) => row instanceof other);
  if (kind !== undefined) throw fail(`it is ${/^[AE]/.test(kind.name) ? "an" : "a"} ${kind.name}, ${NO_ROW}`);
  const given = row as Readonly<Record<string, unknown>>;
  for (const name in given)
    if (!names.has(name))
      throw fail(`there is no column ${name} in the table: its columns are ${[...names].join(", ")}`);
  return fields.map(({ name, type, required, writeDefault }) => {
    const value = Object.hasOwn(given, name) ? given[name] : writeDefault;
    if (value === undefined || value === null) {
      if (required) throw fail(`column ${name} is null, but it is required`);
      return null;
    }
    try {
      return toValue(type, value, `column ${name}`);
    } catch (error) {
      throw error instanceof IcebergError ? fail(error.message, error) : error;
    }
  });
}
