/** What turns a column's value into a partition's ("Partition Transforms"). */
import { IcebergError } from "../errors.ts";
import type { PrimitiveType, Type } from "../schema/type.ts";
import { isNested } from "../schema/type.ts";
import { typeText } from "../schema/type-text.ts";

export type Transform =
  | { readonly kind: "identity" | "year" | "month" | "day" | "hour" | "void" }
  | { readonly kind: "bucket"; readonly buckets: number }
  | { readonly kind: "truncate"; readonly width: number }
  /** One that this package doesn't know: filters ignore it, and nothing may be written with it. */
  | { readonly kind: "unknown"; readonly text: string };

const INT_MAX = 2 ** 31 - 1;

/** The transform of a text as JSON has it: `identity`, `bucket[16]`, `truncate[10]`, `day` (Appendix C, "Partition Specs"). */
export function parseTransform(text: string): Transform {
  const match = /^(bucket|truncate)\[(\d{1,10})\]$/.exec(text);
  const n = Number(match?.[2]);
  if (match && n > 0 && n <= INT_MAX)
    return match[1] === "bucket" ? { kind: "bucket", buckets: n } : { kind: "truncate", width: n };
  switch (text) {
    case "identity":
    case "year":
    case "month":
    case "day":
    case "hour":
    case "void":
      return { kind: text };
    default:
      return { kind: "unknown", text };
  }
}

/** The text of a transform, as JSON has it (Appendix C, "Partition Specs"). */
export function transformText(transform: Transform): string {
  switch (transform.kind) {
    case "bucket":
      return `bucket[${transform.buckets}]`;
    case "truncate":
      return `truncate[${transform.width}]`;
    case "unknown":
      return transform.text;
    default:
      return transform.kind;
  }
}

/**
 * The type that a transform gives for a column's. Days are dates, as the reference implementation writes them: both are days from
 * 1970-01-01 in an int. An unknown transform's values are taken for texts.
 *
 * @throws IcebergError `invalid-change` if the transform doesn't take the type.
 */
export function resultType(transform: Transform, source: Type): PrimitiveType {
  if (isNested(source) || !takes(transform, source))
    throw new IcebergError(
      "invalid-change",
      `${transformText(transform)} can't be applied to type ${typeText(source)}`,
    );
  switch (transform.kind) {
    case "bucket":
    case "year":
    case "month":
    case "hour":
      return { kind: "int" };
    case "day":
      return { kind: "date" };
    case "unknown":
      return { kind: "string" };
    default:
      return source;
  }
}

/** Whether a transform takes values of a type. */
function takes(transform: Transform, { kind }: PrimitiveType): boolean {
  switch (transform.kind) {
    case "bucket":
      return kind !== "boolean" && kind !== "float" && kind !== "double";
    case "truncate":
      return ["int", "long", "decimal", "string", "binary"].includes(kind);
    case "year":
    case "month":
    case "day":
      return kind === "date" || kind.startsWith("timestamp");
    case "hour":
      return kind.startsWith("timestamp");
    default:
      return true;
  }
}
