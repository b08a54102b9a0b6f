/** Datasets: tables by name, with the columns that make their rows typed. */
import { OrcaError } from "../errors.ts";
import type { Dynamic } from "../keys/calendar-text.ts";
import type { Mistake } from "../mistake.ts";
import { checkOptions } from "../options.ts";
import type { Row } from "../sql/relation.ts";
import { columnDifferences } from "./column-differences.ts";
import type { AnyColumns, CheckColumns, RowOfColumns } from "./column-notation.ts";
import { columnsOf, pathsOf, type Column } from "./column.ts";
import type { CheckField, CheckOrder, ColumnPath } from "./field-text.ts";
import { fieldOf, orderOf, type Field, type Order } from "./field.ts";

declare const row: unique symbol;
/** A table, by name, whose rows are `R`. */
export interface Dataset<Name extends string = string, R = any> {
  readonly kind: "dataset";
  readonly name: Name;
  readonly columns: readonly Column[];
  readonly partitionBy: readonly Field[];
  readonly sortBy: readonly Order[];
  readonly doc: string | undefined;
  readonly [row]: R;
}
/** A dataset, or just its name: then its rows are untyped. */
export type DatasetOrName = string | Dataset;
/** The name of a dataset's type. */
export type NameOf<D> = D extends Dataset<infer Name> ? Name : D extends string ? D : never;
/** A row of a dataset: `RowOf<typeof raw>`. (`any`, not `string`, for the name: so it is known in a helper that is generic in the name.) */
export type RowOf<D> = D extends Dataset<any, infer R> ? R : Row;

/** A literal that isn't a dataset's name or location is replaced by a sentence. */
// prettier-ignore
export type DatasetName<N extends string> =
  N extends `${string}/${string}` ? Location<N>
  : N extends `.${string}` | `${string}.` | `${string}..${string}` ? Mistake<NoDatasetName<N>>
  : N extends `${string}.${string}` ? N extends `${string}${Unfit}${string}` ? Mistake<UnfitDatasetName<N>> : N
  : Mistake<NoDatasetName<N>>;
type NoDatasetName<N extends string> = `'${N}' isn't a dataset's name: write namespace.table`;
type UnfitDatasetName<N extends string> =
  `'${N}' isn't a dataset's name: its parts are 1 to 128 letters, digits, _ and -`;
// prettier-ignore
type Location<N extends string> =
  N extends Dynamic<N> ? N
  : N extends `${string}/` ? Mistake<`'${N}' ends with a slash: leave it out`>
  : N extends `/${string}` | `file:///${string}` | `s3://${string}/${string}` ? N
  : Mistake<`'${N}' isn't a dataset's name or location: write namespace.table, /folder/table or s3://bucket/table`>;
/** What is no letter or digit, of what a keyboard has. */
// prettier-ignore
type Unfit = " " | "\t" | "\n" | "!" | '"' | "#" | "$" | "%" | "&" | "'" | "(" | ")" | "*" | "+" | "," | "/" | ":" | ";" | "<" | "=" | ">" | "?" | "@" | "[" | "\\" | "]" | "^" | "`" | "{" | "|" | "}" | "~";

export interface DatasetOptions<S, P extends readonly string[], O extends readonly string[]> {
  /** How its files are parted: `["day", "bucket(16, id)", "month(at)"]`. */
  readonly partitionBy?: { readonly [I in keyof P]: CheckField<P[I], S> };
  /** How rows are sorted in each file: `["id", "at desc nulls last"]`. */
  readonly sortBy?: { readonly [I in keyof O]: CheckOrder<O[I], S> };
  /** What a row is. */
  readonly doc?: string;
  /** What columns are: kept in the table's schema. A field of a struct is named by its path, `place.lat`. */
  readonly docs?: { readonly [C in ColumnPath<S>]?: string };
}
interface OptionsGiven {
  readonly partitionBy?: readonly string[];
  readonly sortBy?: readonly string[];
  readonly doc?: string;
  readonly docs?: Readonly<Record<string, string>>;
}

/**
 * Declares a dataset with its columns: `dataset("lake.raw", { id: "long", day: "date", value: "double?" })`.
 *
 * @param name `namespace.table`, in the warehouse: the same name is the same table in every pipeline. Or where a table outside of it is:
 * `/folder/table`, `s3://bucket/table`.
 * @throws OrcaError `invalid-dataset` on what breaks a rule, with the compiler's sentence.
 */
export function dataset<
  const N extends string,
  const S extends AnyColumns,
  const P extends readonly string[] = readonly [],
  const O extends readonly string[] = readonly [],
>(name: DatasetName<N>, columns: CheckColumns<S>, options?: DatasetOptions<S, P, O>): Dataset<N, RowOfColumns<S>> {
  checkDatasetName(name as string);
  const given = (options ?? {}) as OptionsGiven;
  checkOptions(`dataset '${name as string}'`, given, ["partitionBy", "sortBy", "doc", "docs"], "invalid-dataset");
  const all = columnsOf(columns, given.docs ?? {});
  const mistaken = Object.keys(given.docs ?? {}).find((path) => !pathsOf(all).includes(path));
  if (mistaken !== undefined) throw new OrcaError("invalid-dataset", `'${mistaken}' isn't a column`);
  return Object.freeze({
    kind: "dataset",
    name: name as string,
    columns: all,
    partitionBy: (given.partitionBy ?? []).map((f) => fieldOf(f, all)),
    sortBy: (given.sortBy ?? []).map((f) => orderOf(f, all)),
    doc: given.doc,
  }) as never; // a row is in the type alone
}

/** @throws OrcaError `invalid-dataset` if `name` is neither `namespace.table`, of characters that are fit for a folder and a URL, nor a location. */
export function checkDatasetName(name: string): void {
  if (typeof name === "string" && isLocation(name)) return checkLocation(name);
  if (typeof name !== "string" || !/^[^.]+(\.[^.]+)+$/.test(name))
    throw new OrcaError("invalid-dataset", `'${String(name)}' isn't a dataset's name: write namespace.table`);
  if (!name.split(".").every((part) => /^[A-Za-z0-9_-]{1,128}$/.test(part)))
    throw new OrcaError(
      "invalid-dataset",
      `'${name}' isn't a dataset's name: its parts are 1 to 128 letters, digits, _ and -`,
    );
}

/** Whether a dataset is known by its table's location, and not by a name in the warehouse. */
export function isLocation(dataset: string): boolean {
  return dataset.includes("/"); // which no name has
}

/** As the database takes it, which records what is read and written. */
const LOCATION_BYTES_MAX = 1_024;

function checkLocation(location: string): void {
  if (location.endsWith("/")) throw new OrcaError("invalid-dataset", `'${location}' ends with a slash: leave it out`);
  if (!/^(\/|file:\/\/\/|s3:\/\/[^/]+\/)/.test(location))
    throw new OrcaError(
      "invalid-dataset",
      `'${location}' isn't a dataset's name or location: write namespace.table, /folder/table or s3://bucket/table`,
    );
  if (/\p{Cc}/u.test(location) || Buffer.byteLength(location) > LOCATION_BYTES_MAX)
    throw new OrcaError(
      "invalid-dataset",
      `'${location.slice(0, 140)}' isn't a location: it has at most ${LOCATION_BYTES_MAX} bytes, and no control characters`,
    );
}

/** The name of a dataset, however it is given. */
export function nameOf(dataset: DatasetOrName): string {
  return typeof dataset === "string" ? dataset : dataset.name;
}

/**
 * The datasets among what steps declare, by name.
 *
 * @throws OrcaError `invalid-dataset` if two of one name have other columns: one name is one table.
 */
export function datasetsByName(
  declared: Iterable<{ readonly where: string; readonly dataset: DatasetOrName }>,
): ReadonlyMap<string, Dataset> {
  const first = new Map<string, { readonly where: string; readonly dataset: Dataset }>();
  for (const { where, dataset: d } of declared) {
    if (typeof d === "string") continue;
    const before = first.get(d.name);
    if (before === undefined) first.set(d.name, { where, dataset: d });
    else {
      const differences = columnDifferences(before.dataset.columns, d.columns, "in the first", "in the second");
      if (differences.length > 0)
        throw new OrcaError(
          "invalid-dataset",
          `${before.where} and ${where} declare '${d.name}' with other columns: ${differences.join("; ")}`,
        );
    }
  }
  return new Map([...first].map(([name, { dataset: d }]) => [name, d]));
}
