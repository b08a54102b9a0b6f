/** What DuckDB's `COPY` can't write as other readers need it. */
import { childFields, type Field } from "../schema/type.ts";

/**
 * Whether a `COPY` writes columns so that every reader takes them. DuckDB has no `FIXED_LEN_BYTE_ARRAY` of a length of one's own, which PyIceberg and
 * Java's implementation want for `fixed`. And all that it writes may be null: where a struct is null, PyIceberg finds a null in its required fields and
 * refuses. Elsewhere there is no such null: elements, keys and values are only where their list or map is.
 */
export function canBeCopied(fields: readonly Field[]): boolean {
  return fields.every((field) => isCopied(field, false));
}

/** @param mayLackParent whether the struct that has the field may be null. */
function isCopied({ required, type }: Field, mayLackParent: boolean): boolean {
  if (type.kind === "fixed" || (required && mayLackParent)) return false;
  const isLacking = type.kind === "struct" && (mayLackParent || !required);
  return childFields(type).every((field) => isCopied(field, isLacking));
}
