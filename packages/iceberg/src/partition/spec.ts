/** Partition specs: what the files of a table are partitioned by ("Partitioning"). */
import { IcebergError } from "../errors.ts";
import type { Json } from "../json/json.ts";
import { asArray, asInteger, asString, at, optional, type Place } from "../json/read.ts";
import { fieldsById, type Schema } from "../schema/schema.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { parseTransform, resultType, type Transform, transformText } from "./transform.ts";

export interface PartitionField {
  /** The column that is transformed. */
  readonly sourceId: number;
  /** From 1000; the same in all specs of a table that have the field. */
  readonly fieldId: number;
  readonly name: string;
  readonly transform: Transform;
}

export interface PartitionSpec {
  readonly id: number;
  readonly fields: readonly PartitionField[];
}

/** The first partition field's id. */
export const PARTITION_ID_FIRST = 1000;

export const UNPARTITIONED: PartitionSpec = { id: 0, fields: [] };

/**
 * The spec that JSON describes (Appendix C, "Partition Specs").
 *
 * @throws IcebergError `invalid-metadata`, with the path; `unsupported` for transforms of several columns.
 */
export function parseSpec(json: Json): PartitionSpec {
  return specAt({ json, path: "partition-spec" });
}

export function specAt(place: Place): PartitionSpec {
  return { id: asInteger(at(place, "spec-id")), fields: specFieldsAt(at(place, "fields")) };
}

/** The fields alone, as version 1 and manifests have them. Without `field-id` they are numbered from 1000. */
export function specFieldsAt(place: Place): readonly PartitionField[] {
  const fields = asArray(place, (field) => ({
    sourceId: sourceIdAt(field),
    fieldId: optional(at(field, "field-id"), asInteger),
    name: asString(at(field, "name")),
    transform: parseTransform(asString(at(field, "transform"))),
  }));
  return fields.map((field, i) => ({ ...field, fieldId: field.fieldId ?? PARTITION_ID_FIRST + i }));
}

/** The JSON of a spec (Appendix C, "Partition Specs"). */
export function specToJson({ id, fields }: PartitionSpec): Json {
  return { "spec-id": id, fields: specFieldsToJson(fields) };
}

export function specFieldsToJson(fields: readonly PartitionField[]): readonly Json[] {
  return fields.map(({ sourceId, fieldId, name, transform }) => ({
    "source-id": sourceId,
    "field-id": fieldId,
    name,
    transform: transformText(transform),
  }));
}

/** The one column of a partition or sort field. Transforms of several are version 3's, and none is defined yet. */
export function sourceIdAt(place: Place): number {
  const several = optional(at(place, "source-ids"), (ids) => asArray(ids, asInteger)) ?? [];
  if (several.length > 1)
    throw new IcebergError("unsupported", `${place.path} has a transform of several columns, which isn't supported`);
  return several[0] ?? asInteger(at(place, "source-id"));
}

/** A partition field with the type of its values. */
export interface TypedPartitionField extends PartitionField {
  readonly sourceType: PrimitiveType;
  readonly type: PrimitiveType;
}

/**
 * The fields of a spec with the types of their values, by a table's schema.
 *
 * @param older the table's other schemas, for columns that were dropped since: specs of files that were written before still have them. In
 * none at all are columns of void and unknown transforms, whose values are taken for texts.
 * @throws IcebergError `invalid-change` if a column is in no schema or the transform doesn't take its type.
 */
export function typedFields(
  { fields }: PartitionSpec,
  schema: Schema,
  older: readonly Schema[] = [],
): readonly TypedPartitionField[] {
  const schemas = [schema, ...older].map(fieldsById);
  return fields.map((field) => {
    const source = schemas.map((columns) => columns.get(field.sourceId)?.field.type).find((type) => type !== undefined);
    if (source === undefined && (field.transform.kind === "void" || field.transform.kind === "unknown"))
      return { ...field, sourceType: { kind: "string" }, type: { kind: "string" } };
    if (source === undefined)
      throw new IcebergError("invalid-change", `partition field ${field.name}: there is no column ${field.sourceId}`);
    return { ...field, sourceType: source as PrimitiveType, type: resultType(field.transform, source) };
  });
}

/** Whether two specs partition alike: the same columns, transforms and names in the same order ("Partitioning"). */
export function sameSpec(a: PartitionSpec, b: PartitionSpec): boolean {
  return a.fields.length === b.fields.length && a.fields.every((f, i) => sameField(f, b.fields[i]!));
}

function sameField(a: PartitionField, b: PartitionField): boolean {
  return a.name === b.name && sameSource(a, b);
}

/** Whether two fields hold the same values: of the same column by the same transform. */
export function sameSource(a: Pick<PartitionField, "sourceId" | "transform">, b: typeof a): boolean {
  return a.sourceId === b.sourceId && transformText(a.transform) === transformText(b.transform);
}
