/** Types in JSON (Appendix C, "Schemas"). */
import { IcebergError } from "../errors.ts";
import type { Json } from "../json/json.ts";
import {
  asArray,
  asBoolean,
  asInteger,
  asObject,
  asString,
  at,
  isObject,
  optional,
  unexpected,
  type Place,
} from "../json/read.ts";
import { valueFromJson, valueToJson } from "../values/value-json.ts";
import { parsePrimitive, primitiveText } from "./type-text.ts";
import type { Field, StructType, Type } from "./type.ts";

/** Types of version 3 that the specification has and this package doesn't read, with what each is for. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  unknown: "columns whose type isn't known yet",
  variant: "semi-structured values",
  geometry: "shapes on a plane",
  geography: "shapes on the Earth",
};

/** Types may be nested this deep: deeper ones would overflow the stack of some reader. */
const DEPTH_MAX = 100;

const FIELD_NAMES: ReadonlySet<string> = new Set([
  "id",
  "name",
  "required",
  "type",
  "doc",
  "initial-default",
  "write-default",
]);

/**
 * The type that JSON describes: `"decimal(9, 2)"`, or an object with `"type": "struct"`, `"list"` or `"map"`.
 *
 * @throws IcebergError `unsupported`, with the type's name, if this package doesn't read it; `invalid-metadata` if there is none such.
 */
export function parseType(json: Json): Type {
  return typeAt({ json, path: "the type" }, 0);
}

function typeAt(place: Place, depth: number): Type {
  if (depth > DEPTH_MAX)
    throw new IcebergError("unsupported", `${place.path} is nested over ${DEPTH_MAX} deep: no more is read`);
  if (typeof place.json === "string") return primitiveAt(place, place.json);
  if (!isObject(place.json)) throw unexpected(place, "a type");
  switch (place.json["type"]) {
    case "struct":
      return structAt(place, depth);
    case "list":
      return {
        kind: "list",
        elementId: asInteger(at(place, "element-id")),
        elementRequired: asBoolean(at(place, "element-required")),
        element: typeAt(at(place, "element"), depth + 1),
      };
    case "map":
      return {
        kind: "map",
        keyId: asInteger(at(place, "key-id")),
        key: typeAt(at(place, "key"), depth + 1),
        valueId: asInteger(at(place, "value-id")),
        valueRequired: asBoolean(at(place, "value-required")),
        value: typeAt(at(place, "value"), depth + 1),
      };
    default:
      throw unexpected(at(place, "type"), '"struct", "list" or "map"');
  }
}

/** The struct of an object with `fields`: a schema is one too. */
export function structAt(place: Place, depth: number): StructType {
  return { kind: "struct", fields: asArray(at(place, "fields"), (field) => fieldAt(field, depth + 1)) };
}

/** The JSON of a type (Appendix C, "Schemas"). */
export function typeToJson(type: Type): Json {
  switch (type.kind) {
    case "struct":
      return { type: "struct", fields: type.fields.map(fieldToJson) };
    case "list":
      return {
        type: "list",
        "element-id": type.elementId,
        element: typeToJson(type.element),
        "element-required": type.elementRequired,
      };
    case "map":
      return {
        type: "map",
        "key-id": type.keyId,
        key: typeToJson(type.key),
        "value-id": type.valueId,
        value: typeToJson(type.value),
        "value-required": type.valueRequired,
      };
    default:
      return primitiveText(type);
  }
}

/** The JSON of a field of a struct. */
function fieldToJson({ id, name, required, type, doc, initialDefault, writeDefault, other }: Field): Json {
  return {
    ...other,
    id,
    name,
    required,
    type: typeToJson(type),
    ...(doc === undefined ? {} : { doc }),
    ...(initialDefault === undefined ? {} : { "initial-default": valueToJson(type, initialDefault) }),
    ...(writeDefault === undefined ? {} : { "write-default": valueToJson(type, writeDefault) }),
  };
}

function fieldAt(place: Place, depth: number): Field {
  const type = typeAt(at(place, "type"), depth);
  const doc = optional(at(place, "doc"), asString);
  const initialDefault = optional(at(place, "initial-default"), (v) => valueFromJson(type, v)) ?? undefined;
  const writeDefault = optional(at(place, "write-default"), (v) => valueFromJson(type, v)) ?? undefined;
  const other = Object.entries(asObject(place)).filter(([name]) => !FIELD_NAMES.has(name));
  return {
    id: asInteger(at(place, "id")),
    name: asString(at(place, "name")),
    required: asBoolean(at(place, "required")),
    type,
    ...(doc === undefined ? {} : { doc }),
    ...(initialDefault === undefined ? {} : { initialDefault }),
    ...(writeDefault === undefined ? {} : { writeDefault }),
    ...(other.length === 0 ? {} : { other: Object.fromEntries(other) }),
  };
}

function primitiveAt(place: Place, text: string): Type {
  const type = parsePrimitive(text);
  if (type) return type;
  const name = /^[a-z_]+/.exec(text)?.[0] ?? "";
  if (Object.hasOwn(UNSUPPORTED, name))
    throw new IcebergError(
      "unsupported",
      `${place.path} is ${text} (${UNSUPPORTED[name]}), a type of version 3 that this package doesn't read`,
    );
  throw unexpected(place, "a type, such as int, decimal(9, 2) or fixed[16]");
}
