/** Fields of a table that files may have, though its current schema hasn't. */
import { typedFields, type TypedPartitionField } from "../partition/spec.ts";
import { type FieldPlace, fieldsById, parseSchema, type Schema } from "../schema/schema.ts";
import { schemaOf, specOf, type TableMetadata } from "./table-metadata.ts";

/** The fields of a schema by id, and of the others of the table those that it hasn't. */
export function allFieldsById(metadata: TableMetadata, schema = schemaOf(metadata)): ReadonlyMap<number, FieldPlace> {
  // of those that several have, the first one's
  const schemas = [schema, ...metadata.schemas.map(parseSchema)].toReversed();
  return new Map(schemas.flatMap((one) => [...fieldsById(one)]));
}

const known = new WeakMap<TableMetadata, Map<string, readonly TypedPartitionField[]>>();

/** The fields of a spec with their types by a schema, or by another of the table for columns that it hasn't. */
export function partitionFieldsOf(
  metadata: TableMetadata,
  specId: number | undefined,
  schema: Schema = schemaOf(metadata),
): readonly TypedPartitionField[] {
  const ofTable = known.get(metadata) ?? new Map<string, readonly TypedPartitionField[]>();
  known.set(metadata, ofTable);
  const key = `${specId} ${schema.id}`;
  const fields = ofTable.get(key) ?? typedFields(specOf(metadata, specId), schema, metadata.schemas.map(parseSchema));
  ofTable.set(key, fields);
  return fields;
}
