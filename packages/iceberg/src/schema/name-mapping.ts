/** Field ids for files that were written without them, by names ("Column Projection"; Appendix C, "Name Mapping Serialization"). */
import { type Json, parseJson } from "../json/json.ts";
import { asArray, asInteger, asString, at, optional, type Place } from "../json/read.ts";
import type { Schema } from "./schema.ts";
import { childFields, type Field } from "./type.ts";

/** The table property that holds the mapping's JSON. */
export const NAME_MAPPING_PROPERTY = "schema.name-mapping.default";

export interface MappedField {
  /** The names that the field has in some files; dots in them are part of the name. */
  readonly names: readonly string[];
  /** Undefined for what files have and the table doesn't. */
  readonly id: number | undefined;
  readonly fields: readonly MappedField[];
}
export type NameMapping = readonly MappedField[];

/** The mapping of a schema's own names: what a table gets whose files have no ids. */
export function nameMappingOf({ fields }: Pick<Schema, "fields">): NameMapping {
  return fields.map(mapped);
}

function mapped({ id, name, type }: Field): MappedField {
  return { id, names: [name], fields: childFields(type).map(mapped) };
}

/**
 * The mapping that JSON describes.
 *
 * @throws IcebergError `invalid-metadata`, with the path.
 */
export function parseNameMapping(json: Json): NameMapping {
  return asArray({ json, path: NAME_MAPPING_PROPERTY }, mappedAt);
}

function mappedAt(place: Place): MappedField {
  return {
    names: asArray(at(place, "names"), asString),
    id: optional(at(place, "field-id"), asInteger),
    fields: optional(at(place, "fields"), (fields) => asArray(fields, mappedAt)) ?? [],
  };
}

/** The mapping that a table has in its properties; without one, of no names. @throws IcebergError `invalid-metadata` */
export function mappingOfTable({ properties }: { readonly properties: Readonly<Record<string, string>> }): NameMapping {
  const text = properties[NAME_MAPPING_PROPERTY];
  return text === undefined ? [] : parseNameMapping(parseJson(text, NAME_MAPPING_PROPERTY));
}

/** The JSON of a mapping (Appendix C, "Name Mapping Serialization"). */
export function nameMappingToJson(mapping: NameMapping): Json {
  return mapping.map(({ id, names, fields }) => ({
    ...(id === undefined ? {} : { "field-id": id }),
    names,
    ...(fields.length === 0 ? {} : { fields: nameMappingToJson(fields) }),
  }));
}

/** A mapping in which a field has a name more: what a rename adds, so that files with the old name are still found. */
export function addName(mapping: NameMapping, id: number, name: string): NameMapping {
  return mapping.map((field) => ({
    ...field,
    names: field.id === id && !field.names.includes(name) ? [...field.names, name] : field.names,
    fields: addName(field.fields, id, name),
  }));
}
