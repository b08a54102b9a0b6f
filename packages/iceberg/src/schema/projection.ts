/** How a data file's columns become those of a schema ("Column Projection"). */
import { IcebergError } from "../errors.ts";
import type { Value } from "../values/value.ts";
import type { NameMapping } from "./name-mapping.ts";
import { canPromote } from "./promote.ts";
import { typeText } from "./type-text.ts";
import { childFields, type Field, isNested, type Type } from "./type.ts";

/** A column of a file, as its footer has it. Those without an id are found by the table's name mapping. */
export interface FileField {
  readonly id: number | undefined;
  readonly name: string;
  readonly type: Type;
  /** The parts of a struct, list or map, with ids of their own or without. */
  readonly fields: readonly FileField[];
}

/** Where the values of a field come from. */
export type FieldSource =
  | {
      readonly from: "file";
      readonly field: Field;
      /** The names in the file, from the column down. */
      readonly path: readonly string[];
      /** The type in the file, which may be narrower than the field's. */
      readonly type: Type;
      /** The sources of the parts of a struct, list or map. */
      readonly parts: readonly FieldSource[];
    }
  /** All rows of the file hold one value: that of the partition, the field's initial default, or null. */
  | { readonly from: "constant"; readonly field: Field; readonly value: Value | null };

export interface ProjectionOptions {
  /** For fields without ids. */
  readonly mapping?: NameMapping;
  /** Values by field id that the file's partition gives by identity: files of Hive's lack those columns. */
  readonly partition?: ReadonlyMap<number, Value | null>;
}

/**
 * Where the values of each of some fields come from, in their order.
 *
 * @throws IcebergError `invalid-metadata` if a type in the file can't become the field's, or a required field is nowhere.
 */
export function projectFields(
  fields: readonly Field[],
  file: readonly FileField[],
  { mapping = [], partition = new Map() }: ProjectionOptions = {},
): readonly FieldSource[] {
  return sourcesOf(fields, file, { mapping, partition, path: [] });
}

/** The columns of a file that was written with a schema. */
export function fileFieldsOf(fields: readonly Field[]): readonly FileField[] {
  return fields.map(({ id, name, type }) => ({ id, name, type, fields: fileFieldsOf(childFields(type)) }));
}

interface Scope {
  readonly mapping: NameMapping;
  readonly partition: ReadonlyMap<number, Value | null>;
  readonly path: readonly string[];
}

function sourcesOf(fields: readonly Field[], file: readonly FileField[], scope: Scope): readonly FieldSource[] {
  const byId = new Map<number, FileField>();
  for (const column of file) {
    const id = column.id ?? scope.mapping.find((m) => m.names.includes(column.name))?.id;
    if (id !== undefined && !byId.has(id)) byId.set(id, column);
  }
  return fields.map((field) => sourceOf(field, byId.get(field.id), scope));
}

function sourceOf(field: Field, column: FileField | undefined, scope: Scope): FieldSource {
  const inPartition = scope.partition.get(field.id);
  if (column === undefined) {
    const value = inPartition ?? field.initialDefault ?? null;
    if (value === null && field.required)
      throw new IcebergError(
        "invalid-metadata",
        `a data file has no column for the required field ${[...scope.path, field.name].join(".")} (id ${field.id})`,
      );
    return { from: "constant", field, value };
  }
  const path = [...scope.path, column.name];
  if (isNested(field.type) ? column.type.kind !== field.type.kind : !canPromote(column.type, field.type, 3))
    throw new IcebergError(
      "invalid-metadata",
      `a data file has ${typeText(column.type)} in column ${path.join(".")}, which can't be read as ${typeText(field.type)}`,
    );
  const mapping = scope.mapping.find((m) => m.id === field.id)?.fields ?? [];
  const parts = sourcesOf(childFields(field.type), column.fields, { ...scope, mapping, path });
  return { from: "file", field, path, type: column.type, parts };
}
