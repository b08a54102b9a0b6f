/** What a `COPY` gives Parquet columns beside their values. */
import { quotedText } from "../engine/duck-type.ts";
import { stringifyJson } from "../json/json.ts";
import { type Schema, schemaToJson } from "../schema/schema.ts";
import { childFields, type Field } from "../schema/type.ts";

/** The ids of columns and of all within them, as `FIELD_IDS` has them: those that it lacks would be written without, and no reader would find them. */
export function fieldIds(fields: readonly Field[]): string {
  return `{${fields.map((field) => `${quotedText(field.name)}: ${idsOf(field)}`).join(", ")}}`;
}

function idsOf({ id, type }: Field): string {
  const parts = childFields(type);
  if (parts.length === 0) return String(id);
  return `{__duckdb_field_id: ${id}, ${parts.map((part) => `${quotedText(part.name)}: ${idsOf(part)}`).join(", ")}}`;
}

/** The table's schema, as other engines put it into their files. */
export function schemaMetadata(schema: Schema): string {
  return `{'iceberg.schema': ${quotedText(stringifyJson(schemaToJson(schema)))}}`;
}
