/** The columns of a table, as expressions over those of a file ("Column Projection"). DuckDB itself would find nested fields by name. */
import { duckLiteral } from "../engine/duck-literal.ts";
import { duckType, quotedName } from "../engine/duck-type.ts";
import type { FieldSource } from "../schema/projection.ts";
import { childFields, type Type } from "../schema/type.ts";
import type { LayoutField } from "./layout-field.ts";

/**
 * An expression for a field.
 *
 * @param input the expression for what the file has of it.
 * @param inFile that column, or part of one; undefined if the file has none.
 */
export function columnSql(source: FieldSource, input: string, inFile: LayoutField | undefined, depth = 0): string {
  const { field } = source;
  if (source.from === "constant" || inFile === undefined)
    return duckLiteral(field.type, source.from === "constant" ? source.value : null);
  if (isUnchanged(source, inFile)) return input;
  const partIn = (part: FieldSource) => inFile.fields.find((f) => part.from === "file" && f.name === part.path.at(-1));
  const partSql = (part: FieldSource, of: string, below: number) => {
    const inside = partIn(part);
    return columnSql(part, inside === undefined ? "NULL" : `${of}.${quotedName(inside.name)}`, inside, below);
  };
  const item = `x${depth}`;
  switch (field.type.kind) {
    case "struct": {
      const parts = source.parts.map((part) => `${quotedName(part.field.name)} := ${partSql(part, input, depth)}`);
      return `CASE WHEN ${input} IS NULL THEN NULL ELSE struct_pack(${parts.join(", ")}) END`;
    }
    case "list": {
      const [element] = source.parts;
      return `list_transform(${input}, lambda ${item}: ${columnSql(element!, item, partIn(element!), depth + 1)})`;
    }
    case "map": {
      const [key, value] = source.parts;
      const entry = `struct_pack(key := ${partSql(key!, item, depth + 1)}, value := ${partSql(value!, item, depth + 1)})`;
      return `map_from_entries(list_transform(map_entries(${input}), lambda ${item}: ${entry}))`;
    }
    default:
      return castSql(input, inFile, field.type);
  }
}

/** Whether DuckDB reads from the file what the table has: the same fields with the same names in the same order, of the same types. */
function isUnchanged(source: FieldSource, inFile: LayoutField): boolean {
  if (source.from !== "file") return false;
  const { type } = source.field;
  const parts = childFields(type);
  if (parts.length === 0) return inFile.duckType === duckType(type);
  return (
    inFile.fields.length === parts.length &&
    source.parts.every((part, i) => {
      const inside = inFile.fields[i]!;
      const isHere = part.from === "file" && part.path.at(-1) === inside.name && part.field.name === inside.name;
      return isHere && isUnchanged(part, inside);
    })
  );
}

function castSql(input: string, { duckType: from }: LayoutField, type: Type): string {
  if (from === duckType(type)) return input;
  // some writers don't mark texts and UUIDs as such
  if (from === "BLOB" && type.kind === "string") return `decode(${input})`;
  if (from === "BLOB" && type.kind === "uuid") return `CAST(hex(${input}) AS UUID)`;
  if (from === "UUID" && (type.kind === "fixed" || type.kind === "binary"))
    return `from_hex(replace(CAST(${input} AS VARCHAR), '-', ''))`;
  return `CAST(${input} AS ${duckType(type)})`;
}
