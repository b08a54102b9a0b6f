/** The columns of a Parquet file that others wrote, as `projectFields` takes them. */
import type { SchemaElement } from "hyparquet";
import { IcebergError } from "../errors.ts";
import { columnsOfSchema, nestedType, type ParquetColumn, type ParquetPart } from "../parquet/parquet-tree.ts";
import type { MappedField, NameMapping } from "../schema/name-mapping.ts";
import type { FileField } from "../schema/projection.ts";
import type { FieldPlace } from "../schema/schema.ts";
import type { PrimitiveType, Type } from "../schema/type.ts";
import type { LeafColumn, ParquetFooter } from "../parquet/footer.ts";

export interface FileColumn extends FileField {
  readonly fields: readonly FileColumn[];
  /** Of a column of a primitive type. */
  readonly leaf: LeafColumn | undefined;
}

export interface KnownColumns {
  /** The table's, by `fieldsById`. */
  readonly columns: ReadonlyMap<number, FieldPlace>;
  readonly mapping: NameMapping;
}

/** @throws IcebergError `unsupported` on a type that no column has. */
export function parquetFields(
  { schema, leaves }: ParquetFooter,
  { mapping, columns }: KnownColumns,
): readonly FileColumn[] {
  let next = 0;
  const parts = schema.map((element): Part => {
    const childCount = element.num_children ?? 0;
    return {
      name: element.name,
      id: element.field_id,
      isRepeated: element.repetition_type === "REPEATED",
      childCount,
      annotation: element.converted_type ?? element.logical_type?.type ?? "",
      leaf: childCount === 0 && element.type !== undefined ? leaves[next++] : undefined,
    };
  });
  return columnsOfSchema(parts).map((column) => fieldOf(column, mapping, columns));
}

interface Part extends ParquetPart {
  readonly leaf: LeafColumn | undefined;
}

function fieldOf(
  { name, id: ownId, kind, part, fields: parts }: ParquetColumn<Part>,
  mapping: readonly MappedField[],
  columns: KnownColumns["columns"],
): FileColumn {
  const mapped = mapping.find((m) => m.names.includes(name));
  const id = ownId ?? mapped?.id;
  const fields = parts.map((column) => fieldOf(column, mapped?.fields ?? [], columns));
  if (kind !== "primitive") return { id, name, type: nestedType(kind, fields), fields, leaf: undefined };
  const { leaf } = part;
  // a group without parts
  if (leaf === undefined) return { id, name, type: nestedType("struct", []), fields, leaf };
  const wanted = id === undefined ? undefined : columns.get(id)?.field.type;
  return { id, name, type: primitiveOf(leaf.element, wanted), fields, leaf };
}

/** The type of values ("Parquet", Appendix A). @param wanted bytes that nothing more is said of may be texts, or of one length, if the table has it so. */
function primitiveOf(element: SchemaElement, wanted: Type | undefined): PrimitiveType {
  const { type, converted_type: converted, logical_type: logical } = element;
  if (logical?.type === "DECIMAL" || converted === "DECIMAL")
    return { kind: "decimal", precision: element.precision ?? 38, scale: element.scale ?? 0 };
  switch (type) {
    case "BOOLEAN":
      return { kind: "boolean" };
    case "FLOAT":
      return { kind: "float" };
    case "DOUBLE":
      return { kind: "double" };
    case "INT96":
      return { kind: "timestamptz" };
    case "INT32":
      if (converted === "DATE" || logical?.type === "DATE") return { kind: "date" };
      if (converted === "TIME_MILLIS" || logical?.type === "TIME") return { kind: "time" };
      if (converted !== "UINT_32") return { kind: "int" };
      break;
    case "INT64":
      if (logical?.type === "TIMESTAMP" || converted?.startsWith("TIMESTAMP_") === true) return timestampOf(element);
      if (logical?.type === "TIME" || converted === "TIME_MICROS") return { kind: "time" };
      if (converted !== "UINT_64") return { kind: "long" };
      break;
    case "BYTE_ARRAY":
      if (converted === "UTF8" || converted === "ENUM" || converted === "JSON" || logical?.type === "STRING")
        return { kind: "string" };
      return wanted?.kind === "string" || wanted?.kind === "fixed" ? wanted : { kind: "binary" };
    case "FIXED_LEN_BYTE_ARRAY":
      if (logical?.type === "UUID" || wanted?.kind === "uuid") return { kind: "uuid" };
      if (logical === undefined && converted === undefined) return { kind: "fixed", length: element.type_length ?? 0 };
      break;
    default:
  }
  throw new IcebergError(
    "unsupported",
    `a Parquet file has a column ${element.name} of type ${logical?.type ?? converted ?? type}, which no column of a table has`,
  );
}

function timestampOf({ logical_type: logical }: SchemaElement): PrimitiveType {
  // without a logical type they are in UTC, as old writers had them
  if (logical?.type !== "TIMESTAMP") return { kind: "timestamptz" };
  if (logical.unit === "NANOS") return { kind: logical.isAdjustedToUTC ? "timestamptz_ns" : "timestamp_ns" };
  return { kind: logical.isAdjustedToUTC ? "timestamptz" : "timestamp" };
}
