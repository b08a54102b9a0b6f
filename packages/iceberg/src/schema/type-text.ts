/** Types as texts: what the JSON form has for primitive types (Appendix C), and what people read. */
import { isNested, SIMPLE_KINDS, type PrimitiveType, type SimpleType, type Type } from "./type.ts";

const SIMPLE: ReadonlyMap<string, SimpleType> = new Map(SIMPLE_KINDS.map((kind) => [kind, { kind }]));

const DECIMAL_DIGITS_MAX = 38;

/** `decimal(9,2)`, `fixed[16]`, `struct<a: int, b: list<string>>`. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case "decimal":
    case "fixed":
      return primitiveText(type);
    case "struct":
      return `struct<${type.fields.map((f) => `${f.name}: ${typeText(f.type)}`).join(", ")}>`;
    case "list":
      return `list<${typeText(type.element)}>`;
    case "map":
      return `map<${typeText(type.key)}, ${typeText(type.value)}>`;
    default:
      return type.kind;
  }
}

/** The text of a primitive type in JSON (Appendix C, "Schemas"). */
export function primitiveText(type: PrimitiveType): string {
  switch (type.kind) {
    case "decimal":
      return `decimal(${type.precision}, ${type.scale})`;
    case "fixed":
      return `fixed[${type.length}]`;
    default:
      return type.kind;
  }
}

/** The primitive type of such a text, or undefined if it names none of those that this package knows. */
export function parsePrimitive(text: string): PrimitiveType | undefined {
  const simple = SIMPLE.get(text);
  if (simple) return simple;
  const decimal = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(text);
  if (decimal) {
    const [precision, scale] = [Number(decimal[1]), Number(decimal[2])];
    const isValid = precision >= 1 && precision <= DECIMAL_DIGITS_MAX && scale <= precision;
    return isValid ? { kind: "decimal", precision, scale } : undefined;
  }
  const length = /^fixed\[(\d{1,9})\]$/.exec(text)?.[1];
  return length === undefined || Number(length) === 0 ? undefined : { kind: "fixed", length: Number(length) };
}

/** Whether two types are the same, with their nested fields' ids. */
export function sameType(a: Type, b: Type): boolean {
  return a.kind === b.kind && (isNested(a) ? JSON.stringify(a) === JSON.stringify(b) : typeText(a) === typeText(b));
}
