/** The schema of a table: its columns and their ids ("Schemas and Data Types"). */
import { IcebergError } from "../errors.ts";
import type { Json } from "../json/json.ts";
import { asArray, asInteger, at, optional, type Place } from "../json/read.ts";
import { structAt, typeToJson } from "./type-json.ts";
import { childFields, type Field, isNested, type StructType, type Type } from "./type.ts";

export interface Schema {
  readonly id: number;
  readonly fields: readonly Field[];
  /** The ids of the fields that together identify a row ("Identifier Field IDs"); that no two rows share them isn't checked. */
  readonly identifierIds: readonly number[];
}

/** Ids above are those of metadata columns ("Reserved Field IDs"). */
const FIELD_ID_MAX = 2_147_483_447;

/**
 * The schema that JSON describes (Appendix C, "Schemas"). Without `schema-id`, as in version 1, it is 0.
 *
 * @throws IcebergError `invalid-metadata` or `unsupported`, with the path, if it isn't valid.
 */
export function parseSchema(json: Json): Schema {
  return schemaAt({ json, path: "schema" });
}

export function schemaAt(place: Place): Schema {
  return checkSchema({
    id: optional(at(place, "schema-id"), asInteger) ?? 0,
    fields: structAt(place, 0).fields,
    identifierIds: optional(at(place, "identifier-field-ids"), (ids) => asArray(ids, asInteger)) ?? [],
  });
}

/** The JSON of a schema (Appendix C, "Schemas"). */
export function schemaToJson({ id, fields, identifierIds }: Schema): Json {
  return {
    ...(typeToJson({ kind: "struct", fields }) as { readonly type: Json; readonly fields: Json }),
    "schema-id": id,
    ...(identifierIds.length === 0 ? {} : { "identifier-field-ids": identifierIds }),
  };
}

/** A field, where it is in the schema, and the structs, lists and maps around it, from the outermost. */
export interface FieldPlace {
  readonly field: Field;
  /** The names from the column down: a list's element is `element`, a map's parts are `key` and `value`. */
  readonly path: readonly string[];
  readonly parents: readonly Field[];
}

/** Every field of a schema, nested ones included, by its id. */
export function fieldsById(schema: Pick<Schema, "fields">): ReadonlyMap<number, FieldPlace> {
  const places = new Map<number, FieldPlace>();
  const visit = (fields: readonly Field[], path: readonly string[], parents: readonly Field[]): void => {
    for (const field of fields) {
      places.set(field.id, { field, path: [...path, field.name], parents });
      if (isNested(field.type)) visit(childFields(field.type), [...path, field.name], [...parents, field]);
    }
  };
  visit(schema.fields, [], []);
  return places;
}

/** The field of a name, or undefined: `price`, `address.city`, `tags.element`. A name with dots of its own is found as well. */
export function fieldByName(schema: Pick<Schema, "fields">, name: string): FieldPlace | undefined {
  return [...fieldsById(schema).values()].find(({ path }) => path.join(".") === name);
}

/** The columns of a schema as one struct. */
export function structOf({ fields }: Pick<Schema, "fields">): StructType {
  return { kind: "struct", fields };
}

/** The highest id of the fields of a type or schema; 0 if there are none. */
export function highestId(fields: readonly Field[]): number {
  return fields.reduce((max, f) => Math.max(max, f.id, highestId(childFields(f.type))), 0);
}

/**
 * The schema, if it is valid: ids and names are each used once, and identifier fields are required, primitive, not floating, and in no list, map
 * or optional struct.
 *
 * @throws IcebergError `invalid-metadata`
 */
export function checkSchema(schema: Schema): Schema {
  checkFields(schema.fields, "", new Map());
  const places = fieldsById(schema);
  for (const id of schema.identifierIds) {
    const place = places.get(id);
    const why = place === undefined ? "there is no such field" : whyNoIdentifier(place);
    if (why !== undefined)
      throw new IcebergError("invalid-metadata", `field ${place?.path.join(".") ?? id} can't be an identifier: ${why}`);
  }
  return schema;
}

function checkFields(fields: readonly Field[], path: string, ids: Map<number, string>): void {
  const names = new Set<string>();
  for (const field of fields) {
    const name = `${path}${field.name}`;
    if (names.has(field.name)) throw new IcebergError("invalid-metadata", `there are two fields of the name ${name}`);
    if (field.name === "") throw new IcebergError("invalid-metadata", `a field of ${path || "the schema"} has no name`);
    names.add(field.name);
    if (ids.has(field.id))
      throw new IcebergError(
        "invalid-metadata",
        `fields ${ids.get(field.id)!} and ${name} have the same id, ${field.id}`,
      );
    if (field.id < 0 || field.id > FIELD_ID_MAX)
      throw new IcebergError(
        "invalid-metadata",
        `field ${name} has the id ${field.id}, which isn't 0 to ${FIELD_ID_MAX}`,
      );
    ids.set(field.id, name);
    checkFields(childFields(field.type), `${name}.`, ids);
  }
}

function whyNoIdentifier({ field, parents }: FieldPlace): string | undefined {
  if (isNested(field.type)) return "it isn't primitive";
  if (field.type.kind === "float" || field.type.kind === "double") return `it is a ${field.type.kind}`;
  if (!field.required) return "it is optional";
  const parent = parents.find((p) => p.type.kind !== "struct" || !p.required);
  if (parent === undefined) return undefined;
  return `${parent.name} is ${parent.type.kind === "struct" ? "optional" : `a ${parent.type.kind}`}`;
}

/** A type with new ids for it and all below, each from `next`: a struct's own fields before those within them. */
export function withNewIds(type: Type, next: () => number): Type {
  switch (type.kind) {
    case "struct": {
      const numbered = type.fields.map((f) => ({ ...f, id: next() }));
      return { kind: "struct", fields: numbered.map((f) => ({ ...f, type: withNewIds(f.type, next) })) };
    }
    case "list": {
      const elementId = next();
      return { ...type, elementId, element: withNewIds(type.element, next) };
    }
    case "map": {
      const [keyId, valueId] = [next(), next()];
      return { ...type, keyId, valueId, key: withNewIds(type.key, next), value: withNewIds(type.value, next) };
    }
    default:
      return type;
  }
}
