/** Column values that JavaScript has no exact type for: branded strings, each with a companion of the same name, as months and days are. */
import { OrcaError } from "../errors.ts";
import { Day } from "../keys/day.ts";
import type { DateTimeText, InstantText, TimeText } from "./moment-text.ts";

declare const moment: unique symbol;

/** An instant to the microsecond, `"2024-01-31T09:30:00.000000Z"`: always 27 characters, so that it compares and sorts as text. */
export type Instant = string & { readonly [moment]: "Instant" };
/** A date and time on no known clock, to the microsecond: `"2024-01-31T09:30:00.000000"`, always 26 characters. */
export type DateTime = string & { readonly [moment]: "DateTime" };
/** A time of day to the microsecond, `"09:30:00.000000"`, always 15 characters. */
export type Time = string & { readonly [moment]: "Time" };
/** A decimal's exact text, `"12.30"`: every digit of its scale. */
export type Decimal = `${number}`;

export interface InstantCompanion {
  /** `Instant("2024-01-31T09:30:00Z")`, with up to 6 decimals of a second. @throws OrcaError `invalid-value` on other text. */
  <const S extends string>(text: InstantText<S>): Instant;
  /** The instant of a date, or of microseconds since 1970 began. @throws OrcaError `invalid-value` outside of the years 0000 to 9999. */
  of(at: Date | bigint): Instant;
  is(value: unknown): value is Instant;
  /** Microseconds since 1970 began. */
  micros(i: Instant): bigint;
  /** As a `Date`, which has milliseconds: the rest is cut off. */
  date(i: Instant): Date;
  /** The day that it falls on in UTC. */
  day(i: Instant): Day;
}
export interface DateTimeCompanion {
  /** `DateTime("2024-01-31T09:30")`, with up to 6 decimals of a second. @throws OrcaError `invalid-value` on other text. */
  <const S extends string>(text: DateTimeText<S>): DateTime;
  is(value: unknown): value is DateTime;
  day(d: DateTime): Day;
}
export interface TimeCompanion {
  /** `Time("09:30")`, with up to 6 decimals of a second. @throws OrcaError `invalid-value` on other text. */
  <const S extends string>(text: TimeText<S>): Time;
  is(value: unknown): value is Time;
}

const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?$/;

/** A time of day with all its digits, or undefined if `text` is none. */
function clockFrom(text: string): string | undefined {
  const [, hours, minutes, seconds = "00", fraction = ""] = CLOCK.exec(text) ?? [];
  return hours === undefined ? undefined : `${hours}:${minutes}:${seconds}.${fraction.padEnd(6, "0")}`;
}

/** A date and time with all its digits and its zone, or undefined if `text` is none. */
function momentFrom(text: string, zone: "" | "Z"): string | undefined {
  if (text[10] !== "T" || !text.endsWith(zone) || !Day.is(text.slice(0, 10))) return undefined;
  const clock = clockFrom(text.slice(11, text.length - zone.length));
  return clock === undefined ? undefined : `${text.slice(0, 11)}${clock}${zone}`;
}

const MICROS_A_DAY = 86_400_000_000n;

/** 0000-01-01 and the end of 9999-12-31. */
const MICROS_MIN = -719_528n * MICROS_A_DAY;
const MICROS_MAX = 2_932_897n * MICROS_A_DAY - 1n;

/**
 * The text of that many microseconds since 1970 began, with no zone.
 *
 * @throws OrcaError `invalid-value` outside of the years 0000 to 9999, whose texts compare and sort as they do.
 */
export function textOfMicros(micros: bigint): string {
  if (micros < MICROS_MIN || micros > MICROS_MAX)
    throw new OrcaError("invalid-value", `${micros} microseconds from 1970 on are outside of the years 0000 to 9999`);
  const floored = micros / MICROS_A_DAY - (micros < 0n && micros % MICROS_A_DAY !== 0n ? 1n : 0n);
  return `${Day.at(Number(floored))}T${clockOfMicros(Number(micros - floored * MICROS_A_DAY))}`;
}

/** The text of that many microseconds since midnight. */
export function clockOfMicros(micros: number): string {
  const seconds = Math.floor(micros / 1e6);
  const two = (n: number) => String(n).padStart(2, "0");
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${clock}.${String(micros - seconds * 1e6).padStart(6, "0")}`;
}

/** Microseconds since 1970 began, or, for a time of day, since midnight. */
export function microsOf(text: Instant | DateTime | Time): bigint {
  const [day, clock] = text.length > 15 ? [text.slice(0, 10), text.slice(11, 26)] : ["1970-01-01", text];
  return BigInt(Date.parse(`${day}T${clock.slice(0, 8)}Z`)) * 1000n + BigInt(clock.slice(9));
}

function checked(value: string | undefined, text: string, what: string): string {
  if (value === undefined) throw new OrcaError("invalid-value", `'${text}' isn't ${what}`);
  return value;
}

function instantOf(at: Date | bigint): Instant {
  if (typeof at === "bigint") return `${textOfMicros(at)}Z` as Instant;
  const ms = at.getTime();
  if (Number.isNaN(ms)) throw new OrcaError("invalid-value", "an invalid Date isn't an instant");
  return `${textOfMicros(BigInt(ms) * 1000n)}Z` as Instant;
}

export const Instant: InstantCompanion = Object.assign(
  (text: string) => checked(momentFrom(text, "Z"), text, "an instant: write YYYY-MM-DDThh:mm:ssZ") as Instant,
  {
    of: instantOf,
    is: (v: unknown): v is Instant => typeof v === "string" && v.length === 27 && momentFrom(v, "Z") !== undefined,
    micros: microsOf,
    date: (i: Instant) => new Date(i),
    day: (i: Instant) => Day(i.slice(0, 10)),
  },
);

export const DateTime: DateTimeCompanion = Object.assign(
  (text: string) => checked(momentFrom(text, ""), text, "a date and time: write YYYY-MM-DDThh:mm:ss") as DateTime,
  {
    is: (v: unknown): v is DateTime => typeof v === "string" && v.length === 26 && momentFrom(v, "") !== undefined,
    day: (d: DateTime) => Day(d.slice(0, 10)),
  },
);

export const Time: TimeCompanion = Object.assign(
  (text: string) => checked(clockFrom(text), text, "a time: write hh:mm:ss") as Time,
  { is: (v: unknown): v is Time => typeof v === "string" && v.length === 15 && clockFrom(v) !== undefined },
);
