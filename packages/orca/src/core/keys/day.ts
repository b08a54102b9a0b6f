import { OrcaError } from "../errors.ts";
import type { DayText } from "./calendar-text.ts";
import { daysInMonth, epochDay, textOfDate, textOfEpochDay } from "./civil.ts";
import type { Month } from "./month.ts";
import type { key } from "./partition-key.ts";

/** A day, `"2024-01-31"`: a string, so that it compares, sorts, stores and interpolates as one. */
export type Day = string & { readonly [key]: "Day" };

/** Makes days and asks about them. Each function throws OrcaError `invalid-key` on a text that isn't a day of years 0000 to 9999. */
export interface DayCompanion {
  /** `Day("2024-01-31")`. */
  <const S extends string>(text: DayText<S>): Day;
  /** `Day.of(2024, 1, 31)`. */
  of(year: number, month: number, date: number): Day;
  /** The day that many days after 1970-01-01. */
  at(days: number): Day;
  is(value: unknown): value is Day;
  month(d: Day): Month;
  /** The day of the month, 1 to 31. */
  date(d: Day): number;
  next(d: Day): Day;
  previous(d: Day): Day;
  /** The day that many days later, or earlier if `days` is negative. */
  add(d: Day, days: number): Day;
  /** Every day from `first` to `last`, both included; none if `last` is earlier. */
  range(first: Day, last: Day): Day[];
  /** Its first instant, in UTC. */
  start(d: Day): Date;
}

const DAY = /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)$/;

function isDay(value: unknown): value is Day {
  const parts = typeof value === "string" ? DAY.exec(value) : null;
  if (parts === null) return false;
  const date = Number(parts[3]);
  return date >= 1 && date <= daysInMonth(Number(parts[1]), Number(parts[2]));
}

function dayFrom(text: string): Day {
  if (!isDay(text)) throw new OrcaError("invalid-key", `'${text}' isn't a day: write YYYY-MM-DD, such as 2024-01-31`);
  return text;
}

/** The days of a column repeat, and looking one up costs a tenth of making its text. Bounded: emptied when full. */
const remembered = new Map<number, Day>();
const REMEMBERED_MAX = 100_000;

function at(days: number): Day {
  let day = remembered.get(days);
  if (day === undefined) {
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    day = dayFrom(textOfEpochDay(days));
    remembered.set(days, day);
  }
  return day;
}

function add(d: Day, days: number): Day {
  return dayFrom(textOfEpochDay(epochDay(dayFrom(d)) + days));
}

function range(first: Day, last: Day): Day[] {
  const start = epochDay(dayFrom(first));
  const count = epochDay(dayFrom(last)) - start + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => at(start + i));
}

export const Day: DayCompanion = Object.assign((text: string) => dayFrom(text), {
  of: (year: number, month: number, date: number) => dayFrom(textOfDate(year, month, date)),
  at,
  is: isDay,
  month: (d: Day) => dayFrom(d).slice(0, 7) as Month,
  date: (d: Day) => Number(dayFrom(d).slice(8)),
  next: (d: Day) => add(d, 1),
  previous: (d: Day) => add(d, -1),
  add,
  range,
  start: (d: Day) => new Date(`${dayFrom(d)}T00:00:00Z`),
});
