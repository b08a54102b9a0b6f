/** A filter of rows as one of their partitions ("Scan Planning", inclusive projection). */
import { applyTransform, truncated } from "../partition/apply.ts";
import type { TypedPartitionField } from "../partition/spec.ts";
import type { Transform } from "../partition/transform.ts";
import type { PrimitiveValue } from "../values/value.ts";
import { type BoundColumn, type BoundPredicate, type BoundTest, distinct } from "./bind.ts";

/** A filter that selects the partition of every row that `predicate` selects, and maybe others; its columns are partition fields. */
export function projectPredicate(predicate: BoundPredicate, fields: readonly TypedPartitionField[]): BoundPredicate {
  switch (predicate.op) {
    case "true":
    case "false":
      return predicate;
    case "and":
    case "or":
      return { op: predicate.op, of: predicate.of.map((part) => projectPredicate(part, fields)) };
    default:
      return {
        op: "and",
        of: fields
          .filter((field) => field.sourceId === predicate.column.id)
          .map((field) => projectTest(predicate, field)),
      };
  }
}

const ALL: BoundPredicate = { op: "true" };

function projectTest(test: BoundTest, field: TypedPartitionField): BoundPredicate {
  const { transform } = field;
  const column: BoundColumn = { id: field.fieldId, path: [field.name], type: field.type };
  if (transform.kind === "void" || transform.kind === "unknown") return ALL;
  if (transform.kind === "identity") return { ...test, column };
  const of = (value: PrimitiveValue) => transformed(transform, field, value);
  switch (test.op) {
    case "is-null":
    case "not-null":
      return { op: test.op, column };
    case "eq":
      return { op: "eq", column, value: of(test.value) };
    case "in":
      return { op: "in", column, values: distinct(test.values.map(of)) };
    case "lt":
    case "le":
    case "gt":
    case "ge":
      if (transform.kind === "bucket") break;
      return test.op === "lt" || test.op === "le"
        ? { op: "le", column, value: of(test.op === "lt" ? neighbour(test.value, -1) : test.value) }
        : { op: "ge", column, value: of(test.op === "gt" ? neighbour(test.value, 1) : test.value) };
    case "starts-with":
    case "not-starts-with":
      if (transform.kind !== "truncate") break;
      if (Array.from(test.value as string).length <= transform.width) return { ...test, column };
      if (test.op === "starts-with") return { op: "eq", column, value: of(test.value) };
      break;
    case "ne":
    case "not-in":
      break;
    default:
      return test satisfies never;
  }
  return { op: "not-null", column }; // all that is known: only null's partition is null
}

function transformed(transform: Transform, { sourceType }: TypedPartitionField, value: PrimitiveValue): PrimitiveValue {
  if (transform.kind === "truncate") return truncated(value, transform.width); // may be below the type: it is only compared
  return applyTransform(transform, sourceType, value)!;
}

/** The next value below or above, of types whose values are integers; another one itself. The types that transforms but identity take are never floating. */
function neighbour(value: PrimitiveValue, step: 1 | -1): PrimitiveValue {
  if (typeof value === "number") return value + step;
  return typeof value === "bigint" ? value + BigInt(step) : value;
}
