/** The Parquet schema of a table's files ("Parquet", Appendix A). */
import type { SchemaElement } from "hyparquet-writer";
import { childFields, type Field, type PrimitiveType } from "../schema/type.ts";
import { decimalLength } from "../values/decimal.ts";

/** The schema as one list, as footers have it: each part is followed by those within it. */
export function parquetSchema(fields: readonly Field[]): SchemaElement[] {
  return [{ name: "table", num_children: fields.length }, ...fields.flatMap(elementsOf)];
}

function elementsOf(field: Field): readonly SchemaElement[] {
  const { id, name, required, type } = field;
  const element = { name, field_id: id, repetition_type: required ? "REQUIRED" : "OPTIONAL" } as const;
  const parts = childFields(type);
  const within = parts.flatMap(elementsOf);
  const repeated = (name: string) => ({ name, repetition_type: "REPEATED", num_children: parts.length }) as const;
  switch (type.kind) {
    case "struct":
      return [{ ...element, num_children: parts.length }, ...within];
    case "list":
      return [
        { ...element, num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } },
        repeated("list"),
        ...within,
      ];
    case "map":
      return [
        { ...element, num_children: 1, converted_type: "MAP", logical_type: { type: "MAP" } },
        repeated("key_value"),
        ...within,
      ];
    default:
      return [{ ...element, ...primitiveElement(type) }];
  }
}

/** Times have the older annotations beside the newer ones, which alone say whether they are in UTC: Java's implementation writes them so. */
function primitiveElement(type: PrimitiveType): Omit<SchemaElement, "name"> {
  switch (type.kind) {
    case "boolean":
      return { type: "BOOLEAN" };
    case "int":
      return { type: "INT32" };
    case "long":
      return { type: "INT64" };
    case "float":
      return { type: "FLOAT" };
    case "double":
      return { type: "DOUBLE" };
    case "decimal": {
      const { precision, scale } = type;
      const logical = { type: "DECIMAL", precision, scale } as const;
      return { ...decimalStorage(precision), converted_type: "DECIMAL", precision, scale, logical_type: logical };
    }
    case "date":
      return { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } };
    case "time":
      return {
        type: "INT64",
        converted_type: "TIME_MICROS",
        logical_type: { type: "TIME", isAdjustedToUTC: false, unit: "MICROS" },
      };
    case "timestamp":
    case "timestamptz":
      return {
        type: "INT64",
        converted_type: "TIMESTAMP_MICROS",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: type.kind === "timestamptz", unit: "MICROS" },
      };
    case "timestamp_ns":
    case "timestamptz_ns":
      return {
        type: "INT64",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: type.kind === "timestamptz_ns", unit: "NANOS" },
      };
    case "string":
      return { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
    case "uuid":
      return { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, logical_type: { type: "UUID" } };
    case "fixed":
      return { type: "FIXED_LEN_BYTE_ARRAY", type_length: type.length };
    case "binary":
      return { type: "BYTE_ARRAY" };
    default:
      return type satisfies never;
  }
}

const INT32_DIGITS = 9;
const INT64_DIGITS = 18;

function decimalStorage(precision: number): Pick<SchemaElement, "type" | "type_length"> {
  if (precision <= INT32_DIGITS) return { type: "INT32" };
  if (precision <= INT64_DIGITS) return { type: "INT64" };
  return { type: "FIXED_LEN_BYTE_ARRAY", type_length: decimalLength(precision) };
}
