/** Changes of a partition spec ("Partition Evolution"): files that were written before keep the spec that they have. */
import { IcebergError } from "../errors.ts";
import { fieldByName, type Schema } from "../schema/schema.ts";
import { unknownChange } from "../schema/unknown-change.ts";
import { type PartitionField, type PartitionSpec, sameSource } from "./spec.ts";
import { parseTransform, resultType, type Transform, transformText } from "./transform.ts";

/** A partition field as it is declared: a column, nested ones with dots, and a transform's text. */
export interface PartitionBy {
  readonly column: string;
  /** Default `identity`. */
  readonly transform?: string;
  /** Default: the column's name, with the transform's name after it: `time_day`, `id_bucket_16`. */
  readonly name?: string;
}

export type SpecChange =
  | ({ readonly change: "add" } & PartitionBy)
  | { readonly change: "remove"; readonly name: string }
  | { readonly change: "rename"; readonly name: string; readonly to: string };

/** What a change of a spec needs to know of the table. */
export interface SpecContext {
  readonly schema: Schema;
  readonly formatVersion: number;
  /** All specs of the table: a field that one of them has had keeps its id. */
  readonly specs: readonly PartitionSpec[];
  /** The highest partition field id that the table ever had (`last-partition-id`). */
  readonly lastPartitionId: number;
}

/**
 * The fields of a spec after changes. In version 1 a removed field stays, with the void transform.
 *
 * @throws IcebergError `invalid-change`, with the field and the rule.
 */
export function changeSpec(
  spec: Pick<PartitionSpec, "fields">,
  changes: readonly SpecChange[],
  context: SpecContext,
): readonly PartitionField[] {
  let { lastPartitionId } = context;
  return changes.reduce<readonly PartitionField[]>((fields, change) => {
    switch (change.change) {
      case "add": {
        const field = declared(change, context);
        const same = fields.find((f) => sameSource(f, field));
        if (same) throw new IcebergError("invalid-change", `partition field ${same.name} is the same as ${field.name}`);
        requireFree(fields, field.name, context.schema, field);
        const known =
          context.formatVersion === 1
            ? undefined
            : context.specs.flatMap((s) => s.fields).find((f) => sameSource(f, field));
        return [...fields, { ...field, fieldId: known?.fieldId ?? ++lastPartitionId }];
      }
      case "remove": {
        const field = find(fields, change.name);
        if (context.formatVersion > 1) return fields.filter((f) => f !== field);
        return fields.map((f) => (f === field ? { ...f, transform: { kind: "void" } } : f));
      }
      case "rename": {
        const field = find(fields, change.name);
        requireFree(
          fields.filter((f) => f !== field),
          change.to,
          context.schema,
          field,
        );
        return fields.map((f) => (f === field ? { ...f, name: change.to } : f));
      }
      default:
        throw unknownChange(change satisfies never, "partitions");
    }
  }, spec.fields);
}

function declared(by: PartitionBy, { schema }: SpecContext): Omit<PartitionField, "fieldId"> {
  const transform = parseTransform(by.transform ?? "identity");
  const place = fieldByName(schema, by.column);
  if (transform.kind === "unknown")
    throw new IcebergError("invalid-change", `${transform.text} is no partition transform that this package knows`);
  if (place === undefined) throw new IcebergError("invalid-change", `there is no column ${by.column} to partition by`);
  if (place.parents.some((p) => p.type.kind !== "struct"))
    throw new IcebergError("invalid-change", `column ${by.column} can't be partitioned by: it is in a list or map`);
  resultType(transform, place.field.type);
  return { sourceId: place.field.id, name: by.name ?? defaultName(place.path.join("."), transform), transform };
}

function defaultName(column: string, transform: Transform): string {
  switch (transform.kind) {
    case "identity":
      return column;
    case "void":
      return `${column}_null`;
    case "bucket":
      return `${column}_bucket_${transform.buckets}`;
    case "truncate":
      return `${column}_trunc_${transform.width}`;
    default:
      return `${column}_${transformText(transform)}`;
  }
}

function find(fields: readonly PartitionField[], name: string): PartitionField {
  const field = fields.find((f) => f.name === name && f.transform.kind !== "void");
  if (field === undefined) throw new IcebergError("invalid-change", `there is no partition field ${name}`);
  return field;
}

/** A partition field may have a column's name only if it is that column's own value. */
function requireFree(
  fields: readonly PartitionField[],
  name: string,
  schema: Schema,
  { sourceId, transform }: Pick<PartitionField, "sourceId" | "transform">,
): void {
  if (fields.some((f) => f.name === name))
    throw new IcebergError("invalid-change", `there is a partition field ${name}: give another name`);
  const column = fieldByName(schema, name);
  if (column !== undefined && !(transform.kind === "identity" && column.field.id === sourceId))
    throw new IcebergError("invalid-change", `partition field ${name} has a column's name: give another name`);
}
