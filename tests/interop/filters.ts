/** Filters for the columns of a table, made of the values that it has. */
import {
  eq,
  type Field,
  ge,
  gt,
  isIn,
  isNested,
  isNull,
  type JsonObject,
  le,
  type Literal,
  lt,
  ne,
  not,
  notIn,
  notNull,
  or,
  type Predicate,
  type PrimitiveType,
  startsWith,
  type Value,
  valueText,
} from "@orcajs/iceberg";
import { valueOf } from "./canonical.ts";

/** Longer texts and bytes than this are left out: they make the requests large, and are compared by their beginnings all the same. */
const LENGTH_MAX = 200;
/** How many values of a column are compared with. */
const LITERALS_MAX = 4;

/** Filters of each kind, of each column that isn't nested, with some of its values in the rows, but infinite and NaN. */
export function filtersOf(fields: readonly Field[], rows: readonly JsonObject[]): readonly Predicate[] {
  return fields.flatMap((field) => {
    const { name, type } = field;
    if (isNested(type)) return [];
    const texts = rows.map((row) => row[name]!).filter((v) => v !== null && JSON.stringify(v).length < LENGTH_MAX);
    const literals = [...new Set(texts)]
      .map((text) => valueOf(type, text)!)
      .filter((value) => typeof value !== "number" || Number.isFinite(value))
      .map((value) => literalOf(type, value))
      .slice(0, LITERALS_MAX);
    return filtersOfColumn(name, type, literals);
  });
}

function filtersOfColumn(name: string, type: PrimitiveType, literals: readonly Literal[]): readonly Predicate[] {
  const compare = type.kind === "boolean" ? [eq, ne] : [eq, ne, lt, le, gt, ge];
  const [first, last] = [literals[0], literals.at(-1)];
  const listed = literals.slice(1).filter((literal) => literal !== 0); // whether 0 in a list is -0 too differs
  return [
    isNull(name),
    notNull(name),
    ...literals.flatMap((literal) => compare.map((test) => test(name, literal))),
    ...(literals.length < 2
      ? []
      : [
          isIn(name, listed),
          notIn(name, listed),
          or(eq(name, first!), eq(name, last!)),
          not(or(isNull(name), eq(name, first!))),
        ]),
    ...(type.kind === "string" ? [startsWith(name, "a"), startsWith(name, "s"), startsWith(name, "\u{10ffff}")] : []),
  ];
}

/** A value as all of the languages have one in JSON: dates and times are texts, bytes are hexadecimal. */
function literalOf(type: PrimitiveType, value: Value): Literal {
  switch (type.kind) {
    case "boolean":
    case "int":
    case "long":
    case "float":
    case "double":
    case "fixed":
    case "binary":
      return value as Literal;
    default:
      return valueText(type, value as Exclude<Literal, Date>);
  }
}

/** A filter as JSON, for the filters of the other languages: bytes are `{"hex": …}`. */
export function filterJson(where: Predicate): unknown {
  const literal = (value: Literal) =>
    value instanceof Uint8Array ? { hex: Buffer.from(value).toString("hex") } : value;
  switch (where.op) {
    case "and":
    case "or":
      return { ...where, of: where.of.map(filterJson) };
    case "not":
      return { ...where, of: filterJson(where.of) };
    case "in":
    case "not-in":
      return { ...where, values: where.values.map(literal) };
    case "true":
    case "false":
    case "is-null":
    case "not-null":
      return where;
    default:
      return { ...where, value: literal(where.value) };
  }
}

/** Which rows a filter selected: the values of their column `id`, in order. */
export function idsInOrder(rows: readonly Readonly<Record<string, unknown>>[]): readonly number[] {
  return rows.map((row) => row["id"] as number).sort((a, b) => a - b);
}
