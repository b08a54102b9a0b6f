/** Sort orders as they are declared: by columns' names. */
import { IcebergError } from "../errors.ts";
import { fieldByName, type Schema } from "../schema/schema.ts";
import type { SortField } from "./sort-order.ts";
import { parseTransform, resultType } from "./transform.ts";

export interface SortBy {
  /** Nested ones with dots. */
  readonly column: string;
  /** Default `identity`. */
  readonly transform?: string | undefined;
  /** Default `asc`. */
  readonly direction?: SortField["direction"] | undefined;
  /** Default: first if ascending, and last if descending. */
  readonly nullOrder?: SortField["nullOrder"] | undefined;
}

/**
 * The fields of a sort order.
 * @throws IcebergError `invalid-change`, with the column, if rows can't be sorted so.
 */
export function sortFields(by: readonly (string | SortBy)[], schema: Pick<Schema, "fields">): readonly SortField[] {
  return by.map((given) => {
    const { column, transform: text = "identity", direction = "asc", nullOrder } = declared(given);
    const transform = parseTransform(text);
    if (transform.kind === "unknown")
      throw new IcebergError("invalid-change", `${text} is no transform that this package knows`);
    const place = fieldByName(schema, column);
    if (place === undefined) throw new IcebergError("invalid-change", `there is no column ${column} to sort by`);
    if (place.parents.some((p) => p.type.kind !== "struct"))
      throw new IcebergError("invalid-change", `column ${column} can't be sorted by: it is in a list or map`);
    resultType(transform, place.field.type);
    const nulls = nullOrder ?? (direction === "asc" ? "nulls-first" : "nulls-last");
    return { sourceId: place.field.id, transform, direction, nullOrder: nulls };
  });
}

function declared(by: string | SortBy): SortBy {
  return typeof by === "string" ? { column: by } : by;
}
