/** Partition fields and sort orders at run time, with the sentences of field-text.ts. */
import { OrcaError } from "../errors.ts";
import { columnAt, isNested, textOfType, type Column, type Type } from "./column.ts";

/** What a table's files are parted by: a column, or a transform of one. */
export interface Field {
  readonly transform: "identity" | "year" | "month" | "day" | "hour" | "bucket" | "truncate";
  readonly column: string;
  /** Of `bucket` and `truncate`. */
  readonly size?: number;
}
/** What a file's rows are sorted by. */
export interface Order extends Field {
  readonly direction: "asc" | "desc";
  readonly nulls: "first" | "last";
}

type TypeName = Type["type"];
const MOMENT: readonly TypeName[] = ["timestamp", "timestamptz"];
const DATED: readonly TypeName[] = ["date", ...MOMENT];
const DATED_TAKES = { types: DATED, said: "a date or a timestamp" };
// prettier-ignore
const TAKES: Readonly<Record<Exclude<Field["transform"], "identity">, { readonly types: readonly TypeName[]; readonly said: string }>> = {
  year: DATED_TAKES,
  month: DATED_TAKES,
  day: DATED_TAKES,
  hour: { types: MOMENT, said: "a timestamp" },
  bucket: {
    types: ["int", "long", "time", "string", "uuid", "binary", "decimal", "fixed", ...DATED],
    said: "no boolean, float, double, list, struct or map",
  },
  truncate: { types: ["int", "long", "decimal", "string", "binary"], said: "an int, long, decimal, string or binary" },
};

/** `"day"`, `"bucket(16, id)"`, `"month(at)"`. @throws OrcaError `invalid-dataset` on what the columns don't allow. */
export function fieldOf(text: string, columns: readonly Column[]): Field {
  const [, fn, sizeText, inner = ""] = /^(\w+)\((?:([^,]*),)?([^,]*)\)$/.exec(text) ?? [];
  if (fn === undefined && !text.includes("(")) {
    if (isNested(typeAt(text, columns))) throw wrong(`${text} is a list, struct or map: it can't be a key`);
    return { transform: "identity", column: text };
  }
  const isSized = fn === "bucket" || fn === "truncate";
  const size = Number(sizeText);
  const isWritten = isSized ? /^[1-9]\d*$/.test(sizeText ?? "") && Number.isSafeInteger(size) : sizeText === undefined;
  if (fn === undefined || !isTransform(fn) || !isWritten)
    throw wrong(
      `'${text}' isn't a transform: write year(c), month(c), day(c), hour(c), bucket(n, c) or truncate(n, c)`,
    );
  const column = inner.trim();
  const type = typeAt(column, columns);
  const takes = TAKES[fn];
  if (!takes.types.includes(type.type))
    throw wrong(`${fn} takes ${takes.said}, and ${column} is a ${textOfType(type)}`);
  return isSized ? { transform: fn, column, size } : { transform: fn, column };
}

/** `"at desc nulls last"`. Nulls come first where the order ascends and last where it descends, unless it says otherwise, as in Spark. */
export function orderOf(text: string, columns: readonly Column[]): Order {
  const [, field = "", direction = "asc", nulls] = /^(.*?)(?: (asc|desc))?(?: nulls (first|last))?$/.exec(text) ?? [];
  return {
    ...fieldOf(field, columns),
    direction: direction === "desc" ? "desc" : "asc",
    nulls: (nulls ?? (direction === "asc" ? "first" : "last")) === "first" ? "first" : "last",
  };
}

function isTransform(text: string): text is keyof typeof TAKES {
  return Object.hasOwn(TAKES, text);
}

function typeAt(path: string, columns: readonly Column[]): Type {
  const column = columnAt(columns, path);
  if (column === undefined) throw wrong(`'${path}' isn't a column`);
  return column.type;
}

function wrong(message: string): OrcaError {
  return new OrcaError("invalid-dataset", message);
}
