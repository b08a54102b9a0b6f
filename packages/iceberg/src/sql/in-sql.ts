/** What may stand in SQL, for the compiler. */
import type { Relation, Row } from "../engine/relation.ts";

declare const sqlText: unique symbol;
/** A piece of SQL: `` sql`day = ${day}` ``. */
export interface Sql {
  readonly [sqlText]: true;
}

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null;
/** What `${…}` takes in SQL: a scan or a query (it stands for a table), a value (an array is a list), or a piece of SQL. */
export type InSql = Relation<unknown> | Sql | Scalar | readonly Scalar[];

/** `V`, or a sentence that says why it can't stand in SQL. */
// prettier-ignore
type CheckInSql<V> =
  V extends InSql ? V
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

/** Makes a piece of SQL. */
export interface SqlBuilder extends SqlPieces {
  <const V extends readonly unknown[]>(text: TemplateStringsArray, ...interpolated: Interpolated<V>): Sql;
}

/**
 * Makes a query in DuckDB's SQL, which is run when its rows are asked for. The type of the rows is taken on trust:
 * `` engine.sql<{ n: bigint }>`select …` ``.
 */
export interface SqlTag extends SqlPieces {
  <R extends object = Row, const V extends readonly unknown[] = readonly InSql[]>(
    text: TemplateStringsArray,
    ...interpolated: Interpolated<V>
  ): Relation<R>;
}
