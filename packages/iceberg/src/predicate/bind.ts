/** A filter bound to a schema: its columns by id, its values of their types, and without `not`, which is moved into what it negates. */
import { IcebergError } from "../errors.ts";
import { fieldsById, type FieldPlace, type Schema } from "../schema/schema.ts";
import { typeText } from "../schema/type-text.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { isNested } from "../schema/type.ts";
import { compareValues, valueKey } from "../values/compare.ts";
import { toPrimitive } from "../values/to-value.ts";
import type { PrimitiveValue } from "../values/value.ts";
import { checkForm } from "./form.ts";
import type { Comparison, Literal, Predicate } from "./predicate.ts";

/** A column of a bound filter: of a table, or of its partitions. */
export interface BoundColumn {
  readonly id: number;
  /** The names from the column down to the field, through structs only. */
  readonly path: readonly string[];
  readonly type: PrimitiveType;
}

export type BoundTest =
  | { readonly op: "is-null"; readonly column: BoundColumn }
  | { readonly op: "not-null"; readonly column: BoundColumn }
  | {
      readonly op: Comparison | "starts-with" | "not-starts-with";
      readonly column: BoundColumn;
      readonly value: PrimitiveValue;
    }
  | {
      readonly op: "in" | "not-in";
      readonly column: BoundColumn;
      /** In ascending order, each once. */
      readonly values: readonly PrimitiveValue[];
    };

export type BoundPredicate =
  | { readonly op: "true" | "false" }
  | { readonly op: "and" | "or"; readonly of: readonly BoundPredicate[] }
  | BoundTest;

const NEGATED = {
  true: "false",
  false: "true",
  and: "or",
  or: "and",
  "is-null": "not-null",
  "not-null": "is-null",
  eq: "ne",
  ne: "eq",
  lt: "ge",
  ge: "lt",
  gt: "le",
  le: "gt",
  in: "not-in",
  "not-in": "in",
  "starts-with": "not-starts-with",
  "not-starts-with": "starts-with",
} as const satisfies Record<BoundPredicate["op"], BoundPredicate["op"]>;

/** DuckDB takes expressions of 1,000 levels. */
const LEVELS_MAX = 500;

/**
 * The filter for a schema.
 *
 * @throws IcebergError `invalid-predicate` if it is nested too deeply, or a column is missing, isn't primitive or is in a list or map; `invalid-value` if a value isn't of
 * its column's type.
 */
export function bind(predicate: Predicate, schema: Schema): BoundPredicate {
  const columns = new Map(Array.from(fieldsById(schema).values(), (place) => [place.path.join("."), place]));
  return bound(predicate, columns, { isNegated: false, level: 1 });
}

interface Within {
  readonly isNegated: boolean;
  /** How deep it is, from 1. */
  readonly level: number;
}

function bound(
  predicate: Predicate,
  columns: ReadonlyMap<string, FieldPlace>,
  { isNegated, level }: Within,
): BoundPredicate {
  checkForm(predicate);
  if (level > LEVELS_MAX)
    throw new IcebergError(
      "invalid-predicate",
      `a filter has more than ${LEVELS_MAX} levels: give and(…) and or(…) all their parts at once, or write isIn(column, values)`,
    );
  switch (predicate.op) {
    case "not":
      return bound(predicate.of, columns, { isNegated: !isNegated, level: level + 1 });
    case "true":
    case "false":
      return { op: isNegated ? NEGATED[predicate.op] : predicate.op };
    case "and":
    case "or":
      return {
        op: isNegated ? NEGATED[predicate.op] : predicate.op,
        of: predicate.of.map((part) => bound(part, columns, { isNegated, level: level + 1 })),
      };
    default: {
      const test = boundTest(predicate, columns);
      return isNegated ? ({ ...test, op: NEGATED[test.op] } as BoundTest) : test;
    }
  }
}

type Test = Extract<Predicate, { column: string }>;

function boundTest(test: Test, columns: ReadonlyMap<string, FieldPlace>): BoundTest {
  const column = boundColumn(test.column, columns);
  const literal = (value: Literal) => toPrimitive(column.type, value, `what column ${test.column} is compared with`);
  switch (test.op) {
    case "is-null":
    case "not-null":
      return { op: test.op, column };
    case "in":
    case "not-in":
      return { op: test.op, column, values: distinct(test.values.map(literal)) };
    case "starts-with":
      if (column.type.kind !== "string")
        throw new IcebergError(
          "invalid-predicate",
          `column ${test.column} is of type ${typeText(column.type)}: only texts start with texts`,
        );
      return { op: test.op, column, value: literal(test.value) };
    default:
      return { op: test.op, column, value: literal(test.value) };
  }
}

function boundColumn(name: string, columns: ReadonlyMap<string, FieldPlace>): BoundColumn {
  const place = columns.get(name);
  if (place === undefined) throw new IcebergError("invalid-predicate", `there is no column ${name} to filter by`);
  const { field, path, parents } = place;
  if (isNested(field.type))
    throw new IcebergError("invalid-predicate", `column ${name} is a ${field.type.kind}: filter by a field within it`);
  if (parents.some((p) => p.type.kind !== "struct"))
    throw new IcebergError("invalid-predicate", `column ${name} is in a list or map: filters can't reach into those`);
  return { id: field.id, path, type: field.type };
}

/** Values in ascending order, each once. */
export function distinct(values: readonly PrimitiveValue[]): readonly PrimitiveValue[] {
  return [...new Map(values.map((v) => [valueKey(v), v])).values()].sort(compareValues);
}

/** The columns that a filter tests, one for each test. */
export function columnsOf(predicate: BoundPredicate): readonly BoundColumn[] {
  if ("column" in predicate) return [predicate.column];
  return "of" in predicate ? predicate.of.flatMap(columnsOf) : [];
}
