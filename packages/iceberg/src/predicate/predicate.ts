/** Filters of rows, by column names. A row is selected where its filter is true; one that is unknown, for a null, selects nothing, as in SQL. */

export type Comparison = "eq" | "ne" | "lt" | "le" | "gt" | "ge";

/** What a filter compares with: any form that `toValue` takes for the column's type. */
export type Literal = boolean | number | bigint | string | Date | Uint8Array;

export type Predicate =
  | { readonly op: "true" | "false" }
  | { readonly op: "and" | "or"; readonly of: readonly Predicate[] }
  | { readonly op: "not"; readonly of: Predicate }
  | { readonly op: "is-null" | "not-null"; readonly column: string }
  | { readonly op: Comparison; readonly column: string; readonly value: Literal }
  | { readonly op: "in" | "not-in"; readonly column: string; readonly values: readonly Literal[] }
  | { readonly op: "starts-with"; readonly column: string; readonly value: string };

export const ALWAYS: Predicate = { op: "true" };
export const NEVER: Predicate = { op: "false" };

/** True where all are; true of none. */
export function and(...of: readonly Predicate[]): Predicate {
  return { op: "and", of: flat("and", of) };
}

/** True where one is; false of none. */
export function or(...of: readonly Predicate[]): Predicate {
  return { op: "or", of: flat("or", of) };
}

/** Parts of the same kind are taken apart: a filter that is put together bit by bit would be as deep as it has parts. */
function flat(op: "and" | "or", of: readonly Predicate[]): readonly Predicate[] {
  return of.flatMap((part) => (part?.op === op ? part.of : [part]));
}

/** True where `of` is false: not where it is unknown for a null. */
export function not(of: Predicate): Predicate {
  return of?.op === "not" ? of.of : { op: "not", of };
}

export function isNull(column: string): Predicate {
  return { op: "is-null", column };
}

export function notNull(column: string): Predicate {
  return { op: "not-null", column };
}

/** Equal. NaN equals itself, and -0 equals 0. */
export function eq(column: string, value: Literal): Predicate {
  return { op: "eq", column, value };
}

/** Neither equal nor null. */
export function ne(column: string, value: Literal): Predicate {
  return { op: "ne", column, value };
}

export function lt(column: string, value: Literal): Predicate {
  return { op: "lt", column, value };
}

export function le(column: string, value: Literal): Predicate {
  return { op: "le", column, value };
}

/** Greater. NaN is greater than all other numbers. */
export function gt(column: string, value: Literal): Predicate {
  return { op: "gt", column, value };
}

export function ge(column: string, value: Literal): Predicate {
  return { op: "ge", column, value };
}

/** Equal to one of the values. */
export function isIn(column: string, values: readonly Literal[]): Predicate {
  return { op: "in", column, values };
}

/** Neither equal to one of the values nor null. */
export function notIn(column: string, values: readonly Literal[]): Predicate {
  return { op: "not-in", column, values };
}

/** A text that begins with another. */
export function startsWith(column: string, value: string): Predicate {
  return { op: "starts-with", column, value };
}
