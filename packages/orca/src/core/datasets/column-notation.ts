/**
 * A table's columns, written as the data that they will hold looks: strings name types, `[x]` is a list, `{ … }` a struct,
 * `{ "[string]": x }` a map. This is the notation as types, and what a row is; column.ts has the same at run time.
 */
import type { Day } from "../keys/day.ts";
import type { Mistake } from "../mistake.ts";
import type { DateTime, Decimal, Instant, Time } from "./moments.ts";

/** What a column of each plain type holds when it is read. */
interface Values {
  boolean: boolean;
  int: number;
  long: bigint;
  float: number;
  double: number;
  date: Day;
  time: Time;
  timestamp: DateTime;
  timestamptz: Instant;
  string: string;
  uuid: string;
  binary: Uint8Array;
}
type Plain = keyof Values | `decimal(${number},${number})` | `fixed(${number})`;

/**
 * A column's type: `"long"`, `"double?"` (nullable), `"decimal(10, 2)"`, `["string"]` (a list), `{ lat: "double" }` (a struct),
 * `{ "[string]": "long" }` (a map), `nullable({ … })`.
 */
export type ColumnType = Plain | `${Plain}?` | readonly [ColumnType] | { readonly [name: string]: ColumnType };

/** A table's columns, in order. */
export interface Columns {
  readonly [column: string]: ColumnType;
}

/** Anything given as a type: what is wrong with it is said at its place. The names of the types are there to complete a text. */
// prettier-ignore
export type AnyType = Plain | `${Plain}?` | (string & {}) | readonly AnyType[] | { readonly [name: string]: AnyType } | {} | null | undefined;
/** Anything given as columns. */
export interface AnyColumns {
  readonly [column: string]: AnyType;
}

/** A list, struct or map that may be null. For other types, write `"long?"`. */
export function nullable<const T extends AnyType>(type: CheckType<T>): Nullable<T> {
  return { "?": type as T };
}
/** What `nullable` makes of a type. */
export type Nullable<T> = { readonly "?": T };

/** A row, when it is read. */
export type RowOfColumns<S> = 0 extends 1 & S ? any : { -readonly [K in keyof S]: ValueOf<S[K]> };
/** The value of a column, when it is read. A mistaken type's is `any`: the mistake is said once, where it is. */
// prettier-ignore
type ValueOf<T> =
  T extends keyof Values ? Values[T]
  : T extends `${infer U}?` ? ValueOf<U> | null
  : T extends `decimal(${string}` ? Decimal
  : T extends `fixed(${string}` ? Uint8Array
  : T extends readonly [infer E] ? ValueOf<E>[]
  : T extends string | readonly unknown[] ? any
  : T extends Nullable<infer U> ? ValueOf<U> | null
  : keyof T extends `[${infer K}]` ? Map<ValueOf<K>, ValueOf<T[keyof T]>>
  : { -readonly [K in keyof T]: ValueOf<T[K]> };

/** `S`, with each type that is none replaced by a sentence. */
export type CheckColumns<S> = { readonly [K in keyof S]: CheckName<K, S, CheckType<S[K]>> };
/** `Checked`, unless `K` is no name among those of `S`. Of two that differ by case only it is the one with capitals; two such are left to the run time. */
// prettier-ignore
type CheckName<K, S, Checked> =
  K extends "" ? Mistake<"a column has no name">
  : K extends Lowercase<K & string> ? Checked
  : string extends K ? Checked
  : Lowercase<K & string> extends keyof S ? Mistake<`another name differs from '${K & string}' by case only, and SQL takes them as one: rename one`>
  : Checked;
// prettier-ignore
type CheckType<T> =
  T extends string ? CheckText<T>
  : T extends readonly [infer E] ? readonly [CheckType<E>]
  : T extends readonly unknown[] ? readonly [type: ColumnType]
  : T extends Nullable<unknown> ? T // nullable() has checked it
  : T extends number | bigint | boolean | symbol | null | undefined | ((...args: never) => unknown) ? ColumnType
  : { readonly [K in keyof T]: K extends `[${infer Key}]` ? (CheckKey<Key> extends Key ? CheckType<T[K]> : CheckKey<Key>) : CheckName<K, T, CheckType<T[K]>> };
type CheckKey<K extends string> = K extends `${infer U}?`
  ? Mistake<`a map's keys are never null: write [${U}]`>
  : CheckText<K>;
// prettier-ignore
type CheckText<T extends string> =
  T extends keyof Values | `${keyof Values}?` ? T
  : T extends `decimal(${infer P},${infer S})${"" | "?"}` ? ([P, Trim<S>] extends [Precision, "0" | Precision] ? CheckScale<T, P, Trim<S>> : Mistake<BadDecimal<T>>)
  : T extends `fixed(${infer N})${"" | "?"}` ? (N extends "0" | `${"-" | "." | "0"}${string}` ? Mistake<BadFixed<T>> : N extends `${bigint}` ? T : Mistake<BadFixed<T>>)
  : T extends `decimal${string}` ? Mistake<BadDecimal<T>>
  : T extends `fixed${string}` ? Mistake<BadFixed<T>>
  : Begun<Plain, T> extends infer B ? [B] extends [never] ? Mistake<NoType<T>> : B : never;
/** What of `Known` begins with `T`: the text is still being typed, and these complete it. */
export type Begun<Known extends string, T extends string> = Extract<Known, `${T}${string}`>;
// prettier-ignore
type NoType<T extends string> = `'${T}' isn't a column type${Lowercase<Bare<T>> extends infer L extends keyof TypeMeant ? `: write ${TypeMeant[L]}` : ""}`;
/** What a type is without its `?`. */
export type Bare<T> = T extends `${infer U}?` ? U : T;
/** A scale over the precision comes after it in the list of both. */
// prettier-ignore
type CheckScale<T extends string, P extends string, S extends string> =
  Precisions extends `${string} ${P} ${string} ${S} ${string}` ? Mistake<BadScale<T>>
  : Precisions extends `${string} ${P} ${S} ${string}` ? Mistake<BadScale<T>>
  : T;
type BadScale<T extends string> = `'${T}' has more decimals than digits`;
type BadDecimal<T extends string> = `'${T}' isn't a decimal(precision, scale) of at most 38 digits`;
type BadFixed<T extends string> = `'${T}' isn't a fixed(bytes)`;
type Ten = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
type Precision = Exclude<Ten, "0"> | `${"1" | "2"}${Ten}` | `3${Exclude<Ten, "9">}`;
// prettier-ignore
type Precisions = " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 ";
export type Trim<S extends string> = S extends ` ${infer R}` ? Trim<R> : S extends `${infer R} ` ? Trim<R> : S;

/** What is meant by the names that other systems give to types. */
export interface TypeMeant {
  bool: "boolean";
  integer: "int";
  int32: "int";
  smallint: "int";
  bigint: "long";
  int64: "long";
  number: "double";
  real: "float";
  float32: "float";
  float64: "double";
  varchar: "string";
  text: "string";
  bytes: "binary";
  blob: "binary";
  bytea: "binary";
  datetime: "timestamp";
  timestamp_tz: "timestamptz";
  timestampz: "timestamptz";
  instant: "timestamptz";
  numeric: "decimal(precision, scale)";
  object: "{ … }";
  struct: "{ … }";
  list: "[type]";
  array: "[type]";
  map: '{ "[string]": type }';
}
