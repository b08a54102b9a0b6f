import { OrcaError } from "../errors.ts";
import type { MonthText } from "./calendar-text.ts";
import { daysInMonth, textOfDate } from "./civil.ts";
import { Day } from "./day.ts";
import type { key } from "./partition-key.ts";

/** A month, `"2024-01"`: a string, so that it compares, sorts, stores and interpolates as one. */
export type Month = string & { readonly [key]: "Month" };

/** Makes months and asks about them. Each function throws OrcaError `invalid-key` on a text that isn't a month of years 0000 to 9999. */
export interface MonthCompanion {
  /** `Month("2024-01")`. */
  <const S extends string>(text: MonthText<S>): Month;
  /** `Month.of(2024, 1)`. */
  of(year: number, month: number): Month;
  is(value: unknown): value is Month;
  year(m: Month): number;
  /** 1 to 12. */
  month(m: Month): number;
  /** Its days, in order. */
  days(m: Month): Day[];
  /** A day of it, from 1. */
  day(m: Month, day: number): Day;
  next(m: Month): Month;
  previous(m: Month): Month;
  /** The month that many months later, or earlier if `months` is negative. */
  add(m: Month, months: number): Month;
  /** Every month from `first` to `last`, both included; none if `last` is earlier. */
  range(first: Month, last: Month): Month[];
  /** Its first instant, in UTC. */
  start(m: Month): Date;
}

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

function isMonth(value: unknown): value is Month {
  return typeof value === "string" && MONTH.test(value);
}

function monthFrom(text: string): Month {
  if (!isMonth(text)) throw new OrcaError("invalid-key", `'${text}' isn't a month: write YYYY-MM, such as 2024-01`);
  return text;
}

function year(m: Month): number {
  return Number(monthFrom(m).slice(0, 4));
}

function monthOfYear(m: Month): number {
  return Number(monthFrom(m).slice(5));
}

function of(y: number, month: number): Month {
  return monthFrom(textOfDate(y, month));
}

function add(m: Month, months: number): Month {
  const index = year(m) * 12 + monthOfYear(m) - 1 + months;
  return of(Math.floor(index / 12), (((index % 12) + 12) % 12) + 1);
}

function day(m: Month, date: number): Day {
  return Day.of(year(m), monthOfYear(m), date);
}

function days(m: Month): Day[] {
  return Array.from({ length: daysInMonth(year(m), monthOfYear(m)) }, (_, i) => day(m, i + 1));
}

function range(first: Month, last: Month): Month[] {
  const count = (year(last) - year(first)) * 12 + monthOfYear(last) - monthOfYear(first) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => add(first, i));
}

export const Month: MonthCompanion = Object.assign((text: string) => monthFrom(text), {
  of,
  is: isMonth,
  year,
  month: monthOfYear,
  days,
  day,
  next: (m: Month) => add(m, 1),
  previous: (m: Month) => add(m, -1),
  add,
  range,
  start: (m: Month) => new Date(`${monthFrom(m)}-01T00:00:00Z`),
});
