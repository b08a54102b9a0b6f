/** What writers put into files for a type, beside what the specification has (Appendix A, "Parquet"). */
import type { Field, Type } from "../schema/type.ts";
import { childFields } from "../schema/type.ts";
import type { NameMapping } from "../schema/name-mapping.ts";
import type { LayoutField } from "./layout-field.ts";

/** Types of files, by the types of fields that they are read as though they aren't promoted to those. */
const READ_AS: Readonly<Record<string, readonly Type["kind"][]>> = {
  string: ["binary"],
  uuid: ["binary", "fixed"],
  fixed: ["binary", "uuid"],
  binary: ["string", "fixed"],
  timestamp: ["timestamptz", "timestamp_ns"], // INT96 has no zone and nanoseconds
  timestamptz: ["timestamp", "timestamp_ns"],
  timestamptz_ns: ["timestamp_ns"],
};

/** The columns of a file with the types of the fields that they are read as, where that is allowed. */
export function readableColumns(
  columns: readonly LayoutField[],
  fields: readonly Field[],
  mapping: NameMapping,
): readonly LayoutField[] {
  return columns.map((column) => {
    const id = column.id ?? mapping.find((m) => m.names.includes(column.name))?.id;
    const field = fields.find((f) => f.id === id);
    if (field === undefined) return column;
    const isAllowed = READ_AS[field.type.kind]?.includes(column.type.kind) === true;
    const below = mapping.find((m) => m.id === id)?.fields ?? [];
    const parts = childFields(field.type);
    return {
      ...column,
      type: isAllowed ? field.type : column.type,
      fields: parts.length === 0 ? column.fields : readableColumns(column.fields, parts, below),
    };
  });
}
