/** What columns and the fields of structs may be called, besides what CheckName of column-notation.ts says of literals. */
import { OrcaError } from "../errors.ts";

/** @throws OrcaError `invalid-dataset` if no table can have a column, or a field, of that name. */
export function checkColumnName(name: string): void {
  if (name === "") throw wrong("a column has no name");
  if (/[\p{Cc}\p{Cs}]/u.test(name))
    throw wrong(`${JSON.stringify(name)} isn't a column's name: it has a character that can't be written`);
}

/** @throws OrcaError `invalid-dataset` if two of the paths of columns, such as `place.lat`, are one: SQL doesn't tell `id` from `ID`. */
export function checkPaths(paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const folded = path.toLowerCase();
    const before = seen.get(folded);
    if (before === path) throw wrong(`'${path}' is a column and a field of a struct: rename one`);
    if (before !== undefined)
      throw wrong(`another name differs from '${path}' by case only, and SQL takes them as one: rename one`);
    seen.set(folded, path);
  }
}

function wrong(message: string): OrcaError {
  return new OrcaError("invalid-dataset", message);
}
