/** How the rows of files are sorted ("Sorting"). */
import type { Json } from "../json/json.ts";
import { asArray, asInteger, asString, asWord, at, type Place } from "../json/read.ts";
import { sourceIdAt } from "./spec.ts";
import { parseTransform, type Transform, transformText } from "./transform.ts";

export interface SortField {
  readonly sourceId: number;
  readonly transform: Transform;
  readonly direction: "asc" | "desc";
  readonly nullOrder: "nulls-first" | "nulls-last";
}

export interface SortOrder {
  /** 0 is of unsorted rows alone. */
  readonly id: number;
  readonly fields: readonly SortField[];
}

export const UNSORTED: SortOrder = { id: 0, fields: [] };

/**
 * The sort order that JSON describes (Appendix C, "Sort Orders").
 *
 * @throws IcebergError `invalid-metadata`, with the path.
 */
export function parseSortOrder(json: Json): SortOrder {
  return sortOrderAt({ json, path: "sort-order" });
}

export function sortOrderAt(place: Place): SortOrder {
  return {
    id: asInteger(at(place, "order-id")),
    fields: asArray(at(place, "fields"), (field) => ({
      sourceId: sourceIdAt(field),
      transform: parseTransform(asString(at(field, "transform"))),
      direction: asWord(at(field, "direction"), ["asc", "desc"]),
      nullOrder: asWord(at(field, "null-order"), ["nulls-first", "nulls-last"]),
    })),
  };
}

/** The JSON of a sort order (Appendix C, "Sort Orders"). */
export function sortOrderToJson({ id, fields }: SortOrder): Json {
  return {
    "order-id": id,
    fields: fields.map(({ sourceId, transform, direction, nullOrder }) => ({
      transform: transformText(transform),
      "source-id": sourceId,
      direction,
      "null-order": nullOrder,
    })),
  };
}
