/** Dates and times as ISO 8601 texts, in the proleptic Gregorian calendar, as ints and longs hold them: years -5877641 to 5881580. */

const MS_PER_DAY = 86_400_000;
/** The Gregorian calendar repeats after 400 years, so that dates outside of Date's range are moved into it. */
const YEARS_PER_CYCLE = 400;
const DAYS_PER_CYCLE = 146_097;

/** Units in a second, and the digits that they are written with. */
export interface Precision {
  readonly perSecond: bigint;
  readonly digits: number;
}
export const MICROSECONDS: Precision = { perSecond: 1_000_000n, digits: 6 };
export const NANOSECONDS: Precision = { perSecond: 1_000_000_000n, digits: 9 };

/** The year, month (1 to 12) and day of a day from 1970-01-01. */
export function civilOf(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const cycles = Math.floor(days / DAYS_PER_CYCLE);
  const date = new Date((days - cycles * DAYS_PER_CYCLE) * MS_PER_DAY);
  return {
    year: date.getUTCFullYear() + cycles * YEARS_PER_CYCLE,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  };
}

/** `2017-11-16`; years outside of 0 to 9999 as `+12345-01-01`. */
export function dateText(days: number): string {
  const { year, month, day } = civilOf(days);
  return `${yearText(year)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** `2017`; with a sign outside of 0 to 9999. */
export function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return pad(year, 4);
  return `${year < 0 ? "-" : "+"}${pad(Math.abs(year), 4)}`;
}

/** Days from 1970-01-01, or undefined if there is no such date. */
export function parseDate(text: string): number | undefined {
  const match = /^([+-]?\d{4,7})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const cycles = Math.floor(year / YEARS_PER_CYCLE) - 5; // moved to the years 2000 to 2399
  const days = Date.UTC(year - cycles * YEARS_PER_CYCLE, month - 1, day) / MS_PER_DAY + cycles * DAYS_PER_CYCLE;
  const civil = civilOf(days);
  return civil.month === month && civil.day === day ? days : undefined;
}

/** `22:31:08.123456`, or with as many digits as the precision has. */
export function timeText(units: bigint, { perSecond, digits }: Precision): string {
  const seconds = Number(units / perSecond);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((n) => pad(n, 2));
  return `${clock.join(":")}.${pad(Number(units % perSecond), digits)}`;
}

/** Units from midnight, or undefined if there is no such time. Seconds and their fraction may be left out; digits beyond the precision may not be lost. */
export function parseTime(text: string, { perSecond, digits }: Precision): bigint | undefined {
  const match = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?$/.exec(text);
  if (!match) return undefined;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  const fraction = (match[4] ?? "").replace(/0+$/, "");
  if (hour > 23 || minute > 59 || second > 59 || fraction.length > digits) return undefined;
  return BigInt(hour * 3600 + minute * 60 + second) * perSecond + BigInt(fraction.padEnd(digits, "0"));
}

/** `2017-11-16T22:31:08.123456`, without a zone. */
export function timestampText(units: bigint, precision: Precision): string {
  const exact = Number(units);
  if (Number.isSafeInteger(exact)) return exactTimestampText(exact, precision);
  const perDay = 86_400n * precision.perSecond;
  const days = floorDiv(units, perDay);
  return `${dateText(Number(days))}T${timeText(units - days * perDay, precision)}`;
}

/** The text of the last day, which is half of the work: times of one day follow each other. */
let last = { days: 0, text: "1970-01-01" };

/** Of units that numbers hold exactly, as microseconds until the year 2255: twice as fast as with bigints. */
function exactTimestampText(units: number, { perSecond, digits }: Precision): string {
  const second = Number(perSecond);
  const days = Math.floor(units / (86_400 * second));
  if (last.days !== days) last = { days, text: dateText(days) };
  const inDay = units - days * 86_400 * second;
  const seconds = Math.floor(inDay / second);
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const clock = `${pad(hour, 2)}:${pad(minute, 2)}:${pad(seconds % 60, 2)}`;
  return `${last.text}T${clock}.${pad(inDay - seconds * second, digits)}`;
}

/** Units from 1970-01-01T00:00:00, or undefined if there is no such time. The date and time may be parted by a space. */
export function parseTimestamp(text: string, precision: Precision): bigint | undefined {
  const [date, time] = [/^[^T ]+/.exec(text)?.[0] ?? "", text.replace(/^[^T ]+[T ]/, "")];
  const [days, units] = [parseDate(date), parseTime(time, precision)];
  return days === undefined || units === undefined ? undefined : BigInt(days) * 86_400n * precision.perSecond + units;
}

/** Seconds east of UTC that a text ends with (`Z`, `+01:00`), and the text without them; undefined if it has no zone. */
export function splitZone(text: string): { readonly local: string; readonly seconds: number } | undefined {
  const match = /^(.*:\d\d(?:\.\d+)?)(?:Z|([+-])(\d\d):(\d\d))$/.exec(text);
  if (!match) return undefined;
  const seconds = Number(match[3] ?? 0) * 3600 + Number(match[4] ?? 0) * 60;
  return { local: match[1]!, seconds: match[2] === "-" ? -seconds : seconds };
}

/** The quotient rounded down, where `/` rounds to zero. */
export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function pad(n: number, digits: number): string {
  return String(n).padStart(digits, "0");
}
