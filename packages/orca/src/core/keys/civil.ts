/** Dates of the proleptic Gregorian calendar, years 0 to 9999, as numbers. */

const MS_A_DAY = 86_400_000;
/** 0000-01-01 and 9999-12-31, in days after 1970-01-01. */
const DAYS_MIN = -719_528;
const DAYS_MAX = 2_932_896;

/** Days of a month; `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** `2024, 1, 31` as `2024-01-31`, and without a day `2024-01`. */
export function textOfDate(year: number, month: number, day?: number): string {
  const text = `${digits(year, 4)}-${digits(month, 2)}`;
  return day === undefined ? text : `${text}-${digits(day, 2)}`;
}

/** Days from 1970-01-01 to a day, or to a month's first. */
export function epochDay(date: string): number {
  return Date.parse(date) / MS_A_DAY;
}

/** Whether that many days after 1970-01-01 is a day of the years 0 to 9999. Other dates' texts have a sign and six digits of a year. */
export function isEpochDay(days: number): boolean {
  return Number.isInteger(days) && days >= DAYS_MIN && days <= DAYS_MAX;
}

/** The text of the date that many days after 1970-01-01; text that is no date where that isn't a whole number of days or out of range. */
export function textOfEpochDay(days: number): string {
  return isEpochDay(days) ? new Date(days * MS_A_DAY).toISOString().slice(0, 10) : `day ${days}`;
}

function digits(n: number, width: number): string {
  return String(n).padStart(width, "0");
}
