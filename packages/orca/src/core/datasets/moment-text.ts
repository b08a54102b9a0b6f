/** Instants, dates and times, and times of day as literal types: what is wrong with one is said by the compiler. */
import type { Dynamic, IsDay } from "../keys/calendar-text.ts";
import type { Mistake } from "../mistake.ts";

type D = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
type Sixty = `${"0" | "1" | "2" | "3" | "4" | "5"}${D}`;
type Minutes = `${`${"0" | "1"}${D}` | `2${"0" | "1" | "2" | "3"}`}:${Sixty}`;
// prettier-ignore
type IsClock<T extends string> =
  T extends Minutes | `${Minutes}:${Sixty}` ? true
  : T extends `${infer S}.${infer F}` ? (S extends `${Minutes}:${Sixty}` ? IsFraction<F> : false)
  : false;
/** One to six digits. */
// prettier-ignore
type IsFraction<F extends string, Digits extends 0[] = []> =
  F extends "" ? (Digits["length"] extends 0 ? false : true)
  : F extends `${D}${infer R}` ? (Digits["length"] extends 6 ? false : IsFraction<R, [...Digits, 0]>)
  : false;

/** A literal that isn't an instant is replaced by a sentence; a dynamic string is checked at run time. */
// prettier-ignore
export type InstantText<S extends string> =
  S extends Dynamic<S> ? S
  : S extends `${infer Date}T${infer Clock}Z` ? ([IsDay<Date>, IsClock<Clock>] extends [true, true] ? S : Mistake<NoInstant<S>>)
  : Mistake<NoInstant<S>>;
type NoInstant<S extends string> = `'${S}' isn't an instant: write YYYY-MM-DDThh:mm:ssZ`;

/** A literal that isn't a date and time is replaced by a sentence; a dynamic string is checked at run time. */
// prettier-ignore
export type DateTimeText<S extends string> =
  S extends Dynamic<S> ? S
  : S extends `${infer Date}T${infer Clock}` ? ([IsDay<Date>, IsClock<Clock>] extends [true, true] ? S : Mistake<NoDateTime<S>>)
  : Mistake<NoDateTime<S>>;
type NoDateTime<S extends string> = `'${S}' isn't a date and time: write YYYY-MM-DDThh:mm:ss`;

/** A literal that isn't a time of day is replaced by a sentence; a dynamic string is checked at run time. */
export type TimeText<S extends string> =
  S extends Dynamic<S> ? S : IsClock<S> extends true ? S : Mistake<`'${S}' isn't a time: write hh:mm:ss`>;
