/** The columns of a Parquet file that others wrote, as `projectFields` takes them. */
import type { SchemaElement } from "hyparquet";
import { IcebergError } from "../errors.ts";
import type { MappedField, NameMapping } from "../schema/name-mapping.ts";
import type { FileField } from "../schema/projection.ts";
import type { FieldPlace } from "../schema/schema.ts";
import type { PrimitiveType, Type } from "../schema/type.ts";
import type { LeafColumn, ParquetFooter } from "./footer.ts";

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
export function parquetFields({ schema, leaves }: ParquetFooter, known: KnownColumns): readonly FileColumn[] {
  let [nextElement, nextLeaf] = [0, 0];
  const build = (): Node => {
    const element = schema[nextElement++]!;
    const count = element.num_children ?? 0;
    const leaf = count === 0 && element.type !== undefined ? leaves[nextLeaf++] : undefined;
    return { element, leaf, children: Array.from({ length: count }, build) };
  };
  return build().children.map((node) => fieldOf(node, known.mapping, known.columns));
}

interface Node {
  readonly element: SchemaElement;
  readonly leaf: LeafColumn | undefined;
  readonly children: readonly Node[];
}

function fieldOf(
  node: Node,
  mapping: readonly MappedField[],
  columns: KnownColumns["columns"],
  name = node.element.name,
): FileColumn {
  const { element, leaf, children } = node;
  const mapped = mapping.find((m) => m.names.includes(name));
  const id = element.field_id ?? mapped?.id;
  const within = (child: Node, as?: string) => fieldOf(child, mapped?.fields ?? [], columns, as);
  if (leaf !== undefined) {
    const wanted = id === undefined ? undefined : columns.get(id)?.field.type;
    return { id, name, type: primitiveOf(element, wanted), fields: [], leaf };
  }
  const [only] = children;
  const isListed = only !== undefined && children.length === 1 && only.element.repetition_type === "REPEATED";
  if (isListed && isAnnotated(element, "MAP") && only.children.length === 2) {
    const [key, value] = [within(only.children[0]!, "key"), within(only.children[1]!, "value")];
    const type = { kind: "map", keyId: key.id ?? -1, valueId: value.id ?? -1, valueRequired: false } as const;
    return { id, name, type: { ...type, key: key.type, value: value.type }, fields: [key, value], leaf: undefined };
  }
  if (isListed && isAnnotated(element, "LIST")) {
    // lists of two levels have the element itself repeated ("Logical Types" of Parquet, "Backward-compatibility rules")
    const isElement =
      only.children.length !== 1 || only.element.name === "array" || only.element.name === `${element.name}_tuple`;
    const part = within(isElement ? only : only.children[0]!, "element");
    const type = { kind: "list", elementId: part.id ?? -1, elementRequired: false, element: part.type } as const;
    return { id, name, type, fields: [part], leaf: undefined };
  }
  const fields = children.map((child) => within(child));
  const parts = fields.map((f) => ({ id: f.id ?? -1, name: f.name, required: false, type: f.type }));
  return { id, name, type: { kind: "struct", fields: parts }, fields, leaf: undefined };
}

function isAnnotated({ converted_type: converted, logical_type: logical }: SchemaElement, as: "MAP" | "LIST"): boolean {
  return logical?.type === as || converted === as || (as === "MAP" && converted === "MAP_KEY_VALUE");
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
