/** The types of columns ("Schemas and Data Types"). */
import type { JsonObject } from "../json/json.ts";
import type { Value } from "../values/value.ts";

/** The primitive types that have no parameters. Those with `_ns` came with version 3. */
export const SIMPLE_KINDS = [
  "boolean",
  "int",
  "long",
  "float",
  "double",
  "date",
  "time",
  "timestamp",
  "timestamptz",
  "timestamp_ns",
  "timestamptz_ns",
  "string",
  "uuid",
  "binary",
] as const;

export interface SimpleType {
  readonly kind: (typeof SIMPLE_KINDS)[number];
}
/** Decimals of `precision` digits (1 to 38), `scale` of them after the point. */
export interface DecimalType {
  readonly kind: "decimal";
  readonly precision: number;
  readonly scale: number;
}
/** Arrays of `length` bytes. */
export interface FixedType {
  readonly kind: "fixed";
  readonly length: number;
}
export type PrimitiveType = SimpleType | DecimalType | FixedType;

export interface StructType {
  readonly kind: "struct";
  readonly fields: readonly Field[];
}
export interface ListType {
  readonly kind: "list";
  readonly elementId: number;
  readonly elementRequired: boolean;
  readonly element: Type;
}
/** Keys are always required. */
export interface MapType {
  readonly kind: "map";
  readonly keyId: number;
  readonly key: Type;
  readonly valueId: number;
  readonly valueRequired: boolean;
  readonly value: Type;
}
export type NestedType = StructType | ListType | MapType;
export type Type = PrimitiveType | NestedType;

/** A field of a struct, or a column of a table. */
export interface Field {
  /** Unique in the table, and never used again: files' columns are found by it, whatever their names. */
  readonly id: number;
  readonly name: string;
  readonly required: boolean;
  readonly type: Type;
  readonly doc?: string | undefined;
  /** What rows hold that were written before the field was added (version 3, "Default values"). */
  readonly initialDefault?: Value | undefined;
  /** What rows get whose writer doesn't give the field (version 3). */
  readonly writeDefault?: Value | undefined;
  /** Attributes in the JSON that this package doesn't know, kept when it is written again. */
  readonly other?: JsonObject | undefined;
}

export function isNested(type: Type): type is NestedType {
  return type.kind === "struct" || type.kind === "list" || type.kind === "map";
}

/** The fields of a nested type: a list's `element`, a map's `key` and `value`, a struct's own; none of a primitive type. */
export function childFields(type: Type): readonly Field[] {
  switch (type.kind) {
    case "struct":
      return type.fields;
    case "list":
      return [{ id: type.elementId, name: "element", required: type.elementRequired, type: type.element }];
    case "map":
      return [
        { id: type.keyId, name: "key", required: true, type: type.key },
        { id: type.valueId, name: "value", required: type.valueRequired, type: type.value },
      ];
    default:
      return [];
  }
}

/** A nested type with other fields: what `childFields` gives, changed; a primitive type as it is. */
export function withChildFields(type: Type, fields: readonly Field[]): Type {
  switch (type.kind) {
    case "struct":
      return { ...type, fields };
    case "list": {
      const [element] = fields as readonly [Field];
      return { ...type, elementId: element.id, elementRequired: element.required, element: element.type };
    }
    case "map": {
      const [key, value] = fields as readonly [Field, Field];
      return {
        ...type,
        keyId: key.id,
        key: key.type,
        valueId: value.id,
        valueRequired: value.required,
        value: value.type,
      };
    }
    default:
      return type;
  }
}
