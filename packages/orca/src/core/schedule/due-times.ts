/** Where cron fields are due on a clock's readings: arithmetic of the calendar, which knows no time zones. */
import { daysInMonth } from "../keys/civil.ts";
import type { CronFields } from "./cron-fields.ts";

export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const LAST_YEAR = 9999;

/**
 * The first reading (milliseconds, as UTC's clock would show it) at or after `reading` that is due; undefined if none
 * is by the end of 9999. It goes by months: 29 February costs a step for each month between.
 */
export function nextDue(fields: CronFields, reading: number): number | undefined {
  const minute = Math.ceil(reading / MINUTE_MS);
  const startDay = Math.floor(minute / DAY_MINUTES);
  let day = nextDueDay(fields, startDay);
  if (day === startDay) {
    const later = nextDueMinute(fields, minute - day * DAY_MINUTES);
    if (later !== undefined) return (day * DAY_MINUTES + later) * MINUTE_MS;
    day = nextDueDay(fields, startDay + 1);
  }
  return day === undefined ? undefined : day * DAY_MS + nextDueMinute(fields, 0)! * MINUTE_MS;
}

/** The first day at or after `day` (days since 1970) that is due; undefined if none is by the end of 9999. */
export function nextDueDay(fields: CronFields, day: number): number | undefined {
  const date = new Date(day * DAY_MS);
  let year = date.getUTCFullYear();
  let month = date.getUTCMonth() + 1;
  let past = date.getUTCDate() - 1;
  for (let first = day - past; year <= LAST_YEAR; past = 0) {
    if ((fields.months >>> (month - 1)) & 1) {
      const index = lowestBit(dueDays(fields, first, daysInMonth(year, month)), past);
      if (index !== undefined) return first + index;
    }
    first += daysInMonth(year, month);
    month = month === 12 ? 1 : month + 1;
    if (month === 1) year++;
  }
  return undefined;
}

/** The first minute of the day at or after `minute` (below 1441) that is due; undefined if none is. */
export function nextDueMinute(fields: CronFields, minute: number): number | undefined {
  const hour = Math.floor(minute / 60);
  if ((fields.hours >>> hour) & 1) {
    const inHour = minuteInHour(fields, minute % 60);
    if (inHour !== undefined) return hour * 60 + inHour;
  }
  const later = hour < 23 ? lowestBit(fields.hours, hour + 1) : undefined;
  return later === undefined ? undefined : later * 60 + minuteInHour(fields, 0)!;
}

function minuteInHour(fields: CronFields, from: number): number | undefined {
  const early = from < 30 ? lowestBit(fields.minutes[0], from) : undefined;
  if (early !== undefined) return early;
  const late = lowestBit(fields.minutes[1], Math.max(0, from - 30));
  return late === undefined ? undefined : late + 30;
}

/** The due days of a month that begins on the day `first`: bit d - 1 for each. */
function dueDays(fields: CronFields, first: number, length: number): number {
  const weekday = (((first + 4) % 7) + 7) % 7;
  const week = (fields.weekdays | (fields.weekdays << 7)) >>> weekday;
  const byWeekday = (week & 127) * (1 + (1 << 7) + (1 << 14) + (1 << 21)) + ((week & 7) << 28);
  const due = fields.eitherDay ? fields.days | byWeekday : fields.days & byWeekday;
  return due & (2 ** length - 1);
}

/** The number of the lowest bit of a mask that is at or above `from`, which is at most 31. */
function lowestBit(mask: number, from: number): number | undefined {
  const rest = mask & (-1 << from);
  return rest === 0 ? undefined : 31 - Math.clz32(rest & -rest);
}
