/** Cron expressions as literal types: what is wrong with one is said by the compiler, in the words of `parseCron`. */
import type { Dynamic } from "../keys/calendar-text.ts";
import type { Mistake } from "../mistake.ts";

type D = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
type Two<N extends string> = N | (N extends D ? `0${N}` : never);
type Zero = "0" | "00";
type To59 = Two<D> | `${"1" | "2" | "3" | "4" | "5"}${D}`;
type To23 = Two<D> | `1${D}` | `2${"0" | "1" | "2" | "3"}`;
type To31 = Two<Exclude<D, "0">> | `${"1" | "2"}${D}` | "30" | "31";
type To12 = Two<Exclude<D, "0">> | "10" | "11" | "12";
type To7 = Two<Exclude<D, "8" | "9">>;
type MonthName = "jan" | "feb" | "mar" | "apr" | "may" | "jun" | "jul" | "aug" | "sep" | "oct" | "nov" | "dec";
type DayName = "sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat";

/** What one of the five fields takes: its values, the steps after a `/`, and what it is called. */
interface Field {
  readonly value: string;
  readonly step: string;
  readonly named: string;
}
interface Minute {
  readonly value: To59;
  readonly step: Exclude<To59, Zero> | "60";
  readonly named: "minute (0-59)";
}
interface Hour {
  readonly value: To23;
  readonly step: Exclude<To23, Zero> | "24";
  readonly named: "hour (0-23)";
}
interface DayOfMonth {
  readonly value: To31;
  readonly step: To31;
  readonly named: "day of the month (1-31)";
}
interface MonthOfYear {
  readonly value: To12 | MonthName;
  readonly step: To12;
  readonly named: "month (1-12 or jan-dec)";
}
interface DayOfWeek {
  readonly value: To7 | DayName;
  readonly step: Exclude<To7, Zero>;
  readonly named: "day of the week (0-7 or sun-sat)";
}

type Shorthand = "@yearly" | "@annually" | "@monthly" | "@weekly" | "@daily" | "@midnight" | "@hourly";

/** A literal that isn't a cron expression is replaced by a sentence; a dynamic string is checked at run time. */
// prettier-ignore
export type CronText<S extends string> =
  S extends Dynamic<S> ? S
  : [CronError<Words<S>, S>] extends [never] ? S
  : S extends "" | "@" ? Shorthand // what completes it
  : MistakeOf<CronError<Words<S>, S>>;
type MistakeOf<Sentence extends string> = Sentence extends string ? Mistake<Sentence> : never;

// prettier-ignore
type CronError<W extends readonly string[], S extends string> =
  W extends [`@${string}`] ? (Lowercase<W[0]> extends Shorthand ? never : `'${W[0]}' isn't a cron shorthand, such as @daily`)
  : W extends [infer A extends string, infer B extends string, infer C extends string, infer E extends string, infer F extends string]
    ? Wrong<A, Minute> | Wrong<B, Hour> | Wrong<C, DayOfMonth> | Wrong<E, MonthOfYear> | Wrong<F, DayOfWeek> | Never<C, E, F>
    : `'${S}' has ${W["length"]} field${W["length"] extends 1 ? "" : "s"}: cron takes 5 (minute hour day month weekday)`;

/** The words between spaces and tabs. */
// prettier-ignore
type Words<S extends string, Found extends readonly string[] = []> =
  S extends `${infer A}\t${infer R}` ? Words<`${A} ${R}`, Found>
  : S extends ` ${infer R}` ? Words<R, Found>
  : S extends `${infer A} ${infer R}` ? Words<R, [...Found, A]>
  : S extends "" ? Found : [...Found, S];

/** The sentences for the parts of a field that are wrong; never if none is. */
type Wrong<Text extends string, F extends Field, Found = never> = Text extends `${infer A},${infer B}`
  ? Wrong<B, F, Found | WrongItem<A, F>>
  : Found | WrongItem<Text, F>;
// prettier-ignore
type WrongItem<I extends string, F extends Field> =
  I extends `${infer R}/${infer N}` ? (N extends F["step"] ? WrongRange<R, F> : Isnt<I, F>) : WrongRange<I, F>;
// prettier-ignore
type WrongRange<R extends string, F extends Field> =
  R extends "*" ? never
  : Lowercase<R> extends F["value"] ? never
  : R extends `${infer A}-${infer B}`
    ? [Lowercase<A>, Lowercase<B>] extends [F["value"], F["value"]]
      ? (Below<Pad<B>, Pad<A>> extends true ? `'${R}' runs backwards: write the lower end first, or two ranges` : never)
      : Isnt<R, F>
  : Isnt<R, F>;
type Isnt<P extends string, F extends Field> = `'${P}' isn't a cron ${F["named"]}`;

type Pad<N extends string> = N extends D ? `0${N}` : N;
/** Whether a number of two digits is below another; names are left to the run time. */
// prettier-ignore
type Below<A extends string, B extends string> =
  [A, B] extends [`${infer A1}${infer A2}`, `${infer B1}${infer B2}`]
    ? A1 extends B1 ? DigitBelow<A2, B2> : DigitBelow<A1, B1>
    : false;
type DigitBelow<A extends string, B extends string> = "0123456789" extends `${string}${A}${string}${B}${string}`
  ? true
  : false;

/** The plain cases of an expression that never matches, such as 30 February; the run time knows them all. */
// prettier-ignore
type Never<Day extends string, Month extends string, Weekday extends string> =
  Weekday extends "*" ? Lowercase<Month> extends MonthsWithout<Day> ? `there's no day ${Day} in month ${Month}: it would never be due` : never : never;
type February = "2" | "02" | "feb";
type MonthOf30Days = Two<"4" | "6" | "9"> | "11" | "apr" | "jun" | "sep" | "nov";
type MonthsWithout<Day extends string> = Day extends "30"
  ? February
  : Day extends "31"
    ? February | MonthOf30Days
    : never;
