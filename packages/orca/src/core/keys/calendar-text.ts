/** Months and days as literal types: what is wrong with one is said by the compiler. */
import type { Mistake } from "../mistake.ts";

type D = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
type MonthNumber = `0${Exclude<D, "0">}` | "10" | "11" | "12";
type To28 = `0${Exclude<D, "0">}` | `1${D}` | `2${Exclude<D, "9">}`;
// prettier-ignore
type IsYear<Y extends string> = Y extends `${infer A}${infer B}${infer C}${infer E}` ? ([A, B, C, E] extends [D, D, D, D] ? true : false) : false;

type Even = "0" | "2" | "4" | "6" | "8";
type Odd = "1" | "3" | "5" | "7" | "9";
type DivisibleBy4 = `${Even}${"0" | "4" | "8"}` | `${Odd}${"2" | "6"}`;
// prettier-ignore
type IsLeap<Y extends string> =
  Y extends `${infer Century}00` ? (Century extends DivisibleBy4 ? true : false)
  : Y extends `${D}${D}${infer Last}` ? (Last extends DivisibleBy4 ? true : false)
  : false;
// prettier-ignore
type After28<Y extends string, M extends string> =
  M extends "02" ? (IsLeap<Y> extends true ? "29" : never)
  : M extends "04" | "06" | "09" | "11" ? "29" | "30"
  : "29" | "30" | "31";

// prettier-ignore
type IsMonth<S extends string> = S extends `${infer Y}-${infer M}` ? (IsYear<Y> extends true ? (M extends MonthNumber ? true : false) : false) : false;
// prettier-ignore
export type IsDay<S extends string> = S extends `${infer Y}-${infer M}-${infer R}`
  ? IsYear<Y> extends true ? (M extends MonthNumber ? (R extends To28 | After28<Y, M> ? true : false) : false) : false
  : false;

/** `S` if it is known only at run time, wholly or in part (`${month}-01`); else never. */
export type Dynamic<S extends string> = {} extends { readonly [K in S]: 1 } ? S : never;

/** A literal that isn't a month is replaced by a sentence; a dynamic string is checked at run time. */
export type MonthText<S extends string> =
  S extends Dynamic<S>
    ? S
    : IsMonth<S> extends true
      ? S
      : Mistake<`'${S}' isn't a month: write YYYY-MM, such as 2024-01`>;

/** A literal that isn't a day is replaced by a sentence; a dynamic string is checked at run time. */
export type DayText<S extends string> =
  S extends Dynamic<S>
    ? S
    : IsDay<S> extends true
      ? S
      : Mistake<`'${S}' isn't a day: write YYYY-MM-DD, such as 2024-01-31`>;
