/** Rows on their way into a table: what each column takes, and what doesn't fit, as sentences. stored-row.ts has the same at run time. */
import type { Day } from "../keys/day.ts";
import type { Relation } from "../sql/relation.ts";
import type { DateTime, Decimal, Instant, Time } from "./moments.ts";

/** What a column takes when it is written: what it holds, and what turns into that without loss. */
// prettier-ignore
type Input<T> =
  T extends string
    ? T extends Day ? Day | `${number}-${number}-${number}`
    : T extends Instant ? Instant | Date | `${number}-${number}-${number}T${string}Z`
    : T extends DateTime ? DateTime | `${number}-${number}-${number}T${string}`
    : T extends Time ? Time | `${number}:${number}:${number}`
    : T extends Decimal ? Decimal | number
    : T
  : T extends bigint ? bigint | number
  : T extends number | boolean | null | Uint8Array ? T
  : T extends readonly (infer E)[] ? readonly Input<E>[]
  : T extends ReadonlyMap<infer K, infer V> ? ReadonlyMap<Input<K>, Input<V>>
  : RowToAppend<T>;

/** A row to append to a table whose rows are `R`: what is nullable may be left out. */
export type RowToAppend<R> = { readonly [K in keyof Fields<R>]: Fields<R>[K] };
type Fields<R> = { [K in Exclude<keyof R, Nullable<R>>]: Input<R[K]> } & {
  [K in Nullable<R>]?: Input<R[K]> | undefined;
};
type Nullable<R> = { [K in keyof R]: null extends R[K] ? K : never }[keyof R];

/** Values of some columns, all of which a row must equal. Rows can't be chosen by lists, maps and structs. */
export type Where<R> = string extends keyof R
  ? Readonly<Record<string, unknown>>
  : { readonly [K in keyof R as NonNullable<R[K]> extends Plain ? K : never]?: Input<R[K]> };
type Plain = string | number | bigint | boolean | Uint8Array;

/** A table or a record batch of `apache-arrow`, by what both have in every version: `getChildAt` gives a column. */
export interface ArrowRows {
  readonly schema: { readonly fields: readonly { readonly name: string }[] };
  readonly numRows: number;
  getChildAt(index: number): unknown;
}

/** Rows, from anything that gives them one by one. */
export type Rows<R> = readonly R[] | Iterable<R> | AsyncIterable<R>;

/**
 * `T` if its rows fit a table whose rows are `R`, else a sentence. Rows written out as a literal get the rows' type itself, so that an
 * error is at the property. A query's untyped result, and Arrow's columns, are checked when they are written.
 */
// prettier-ignore
export type RowsThatFit<T, R, Name extends string> =
  [T] extends [never] ? T // never so: it is what T is inferred from
  : string extends keyof R ? Rows<object> | ArrowRows
  : T extends ArrowRows | readonly [ArrowRows, ...ArrowRows[]] ? T
  : IsLiteral<T> extends true ? readonly RowToAppend<R>[]
  : T extends PromiseLike<unknown> ? "the rows are a promise: await it"
  : [ElementOf<T>] extends [never] ? "rows come as an array, an iterable, Arrow, a scan or a query"
  : T extends Relation<infer E> ? (string extends keyof E ? T : Report<T, Misfits<E, R>, Name>)
  : ElementOf<T> extends ArrowRows ? T // batches
  : Report<T, Misfits<ElementOf<T>, R>, Name>;
type IsLiteral<T> = T extends readonly unknown[] ? (number extends T["length"] ? false : true) : false;
type ElementOf<T> = T extends Iterable<infer E> ? E : T extends AsyncIterable<infer E> ? E : never;
type Report<T, M, Name extends string> = [M] extends [never] ? T : `rows don't fit ${Name}: ${M & string}`;

/** What of a row `E` doesn't fit a row `R`, as sentences; never if all does. `any` is checked at run time. */
// prettier-ignore
type Misfits<E, R, Path extends string = ""> =
  unknown extends E ? (0 extends 1 & E ? never : "they're unknown")
  : E extends NoStruct ? `they're ${Kind<E>}`
  : E extends unknown ? string extends keyof E ? "their columns aren't known" : {
    [K in (keyof E | keyof R) & string]: K extends keyof R
      ? K extends keyof E ? Misfit<E[K], R[K], `${Path}${K}`> : null extends R[K] ? never : `${Path}${K} is missing`
      : `${Path}${K} isn't a column`
  }[(keyof E | keyof R) & string] : never;
// prettier-ignore
type Misfit<V, T, Path extends string> = 0 extends 1 & V ? never : null extends T ? MisfitOf<NonNullable<V>, NonNullable<T>, Path> : MisfitOf<V, T, Path>;
// prettier-ignore
type MisfitOf<V, T, Path extends string> =
  [V] extends [never] ? never
  : [T] extends [readonly (infer TE)[]] ? ([V] extends [readonly (infer VE)[]] ? Misfit<VE, TE, `${Path}[]`> : `${Path} takes an array, not ${Kind<Exclude<V, readonly unknown[]>>}`)
  : [T] extends [ReadonlyMap<infer TK, infer TV>] ? ([V] extends [ReadonlyMap<infer VK, infer VV>] ? Misfit<VK, TK, `a key of ${Path}`> | Misfit<VV, TV, `a value of ${Path}`> : `${Path} takes a Map, not ${Kind<V>}`)
  : [T] extends [NoStruct] ? ([V] extends [Input<T>] ? never : `${Path} takes ${Takes<T>}, not ${Kind<Exclude<V, Input<T>>>}`)
  : [Extract<V, NoStruct>] extends [never] ? Misfits<V, T, `${Path}.`> : `${Path} takes an object, not ${Kind<Extract<V, NoStruct>>}`;
// prettier-ignore
type NoStruct = string | number | bigint | boolean | null | undefined | Date | Uint8Array | readonly unknown[] | ReadonlyMap<unknown, unknown>;
// prettier-ignore
type Takes<T> =
  T extends string
    ? T extends Day ? "Day" : T extends Instant ? "Instant or Date" : T extends DateTime ? "DateTime" : T extends Time ? "Time"
    : T extends Decimal ? "a number or its text" : "string"
  : T extends bigint ? "bigint or number"
  : Kind<T>;
// prettier-ignore
type Kind<T> =
  T extends null ? "null" : T extends undefined ? "undefined" : T extends string ? "string" : T extends number ? "number"
  : T extends bigint ? "bigint" : T extends boolean ? "boolean" : T extends Date ? "Date" : T extends Uint8Array ? "Uint8Array"
  : T extends readonly unknown[] ? "an array" : T extends ReadonlyMap<unknown, unknown> ? "a Map"
  : T extends PromiseLike<unknown> ? "a promise" : "an object";
