/** SQL in steps: what may be interpolated, and what comes out. */
import type { Snapshot } from "../ctx.ts";
import type { TableFile } from "../table-files.ts";

/** A row whose columns aren't known. */
export type Row = Record<string, unknown>;

declare const rows: unique symbol;
/** Rows to come: a scan or a query. Iterate over it, append it, or put it into `ctx.sql`, where it stands for a table. */
export interface Relation<out R = Row> extends AsyncIterable<R> {
  readonly [rows]: R;
  /** All its rows at once, in memory. */
  toArray(): Promise<R[]>;
}

/** A table's rows, at the snapshot that it had on this step's first attempt. */
export interface Scan<out R = Row> extends Relation<R> {
  /** The snapshot that is read, or undefined if the table had none. */
  snapshot(): Promise<Snapshot | undefined>;
  /** The data files that the snapshot has. */
  files(): Promise<readonly TableFile[]>;
  /** Only these columns; the others aren't read. */
  columns<const K extends keyof R & string>(...names: readonly K[]): Scan<{ [P in K]: R[P] }>;
}

declare const sqlText: unique symbol;
/** A piece of SQL: `` sql`day = ${day}` ``. */
export interface Sql {
  readonly [sqlText]: true;
}

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;
/** What `${…}` takes in SQL: a scan or a query (it stands for a table), a value (a parameter; an array is a list), or a piece of SQL. */
export type InSql = Relation<any> | Sql | Scalar | readonly Scalar[];

/** `V`, or a sentence that says why it can't stand in SQL. */
// prettier-ignore
type CheckInSql<V> =
  V extends InSql ? V
  : V extends { readonly kind: "dataset" } ? "SQL takes a scan of a dataset: ctx.scan(…)"
  : V extends { readonly kind: "mapped" | "gather" | "task"; readonly name: infer Name extends string } ? `SQL takes no step or task, and '${Name}' is one`
  : V extends undefined ? "SQL takes no undefined: write null"
  : V extends (...args: never) => unknown ? "SQL takes no function"
  : V extends symbol ? "SQL takes no symbol"
  : V extends PromiseLike<unknown> ? "SQL takes no promise: await it"
  : V extends readonly unknown[] ? "SQL takes lists of plain values only"
  : "SQL takes no object";

/** What is interpolated, with each value that can't be replaced by a sentence. */
type Interpolated<V extends readonly unknown[]> = { readonly [I in keyof V]: CheckInSql<V[I]> };

/** Makes names and lists of pieces for SQL. */
export interface SqlPieces {
  /** A name, quoted: `sql.id("lake", "raw")` is `"lake"."raw"`. */
  id(...path: readonly [string, ...string[]]): Sql;
  /** Pieces with a separator between them, a comma by default: `sql.join(columns.map((c) => sql.id(c)))`. */
  join(pieces: readonly InSql[], separator?: Sql): Sql;
}

/** Makes a piece of SQL, to interpolate into a query: `` sql`day = ${day}` ``. */
export interface SqlBuilder extends SqlPieces {
  <const V extends readonly unknown[]>(text: TemplateStringsArray, ...interpolated: Interpolated<V>): Sql;
}

/**
 * Runs SQL over scans, in DuckDB, when its rows are asked for. The type of the rows is taken on trust: `` ctx.sql<{ n: bigint }>`select …` ``.
 */
export interface SqlTag extends SqlPieces {
  <R extends object = Row, const V extends readonly unknown[] = readonly InSql[]>(
    text: TemplateStringsArray,
    ...interpolated: Interpolated<V>
  ): Relation<R>;
}
