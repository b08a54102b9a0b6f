import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Day } from "../keys/day.ts";
import { clockOfMicros, DateTime, Instant, microsOf, textOfMicros, Time } from "./moments.ts";

const DAY = 86_400_000_000n;
const MICROS_MIN = -719_528n * DAY; // 0000-01-01
const MICROS_MAX = 2_932_897n * DAY - 1n; // the end of 9999-12-31
const anyMicros = fc.oneof(
  fc.bigInt({ min: MICROS_MIN, max: MICROS_MAX }),
  fc.constantFrom(MICROS_MIN, MICROS_MAX, 0n, -1n, 1n, DAY - 1n, -DAY, -DAY - 1n, 253_402_300_799_999_999n),
);

describe("an instant", () => {
  it("is its microseconds, and gives them back", () => {
    fc.assert(
      fc.property(anyMicros, (micros) => {
        const instant = Instant.of(micros);
        expect(Instant.micros(instant)).toBe(micros);
        expect(instant).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        expect(Instant(instant as string)).toBe(instant);
        expect(Instant.is(instant)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("sorts and compares as text", () => {
    fc.assert(
      fc.property(anyMicros, anyMicros, (a, b) => {
        expect(Instant.of(a) < Instant.of(b)).toBe(a < b);
        expect(Instant.of(a) === Instant.of(b)).toBe(a === b);
      }),
    );
  });

  it("is a date's, to the millisecond, and back with the rest cut off", () => {
    const dates = fc.date({
      min: new Date("0000-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, fc.integer({ min: 0, max: 999 }), (date, micros) => {
        const instant = Instant.of(date);
        expect(instant).toBe(date.toISOString().replace("Z", "000Z"));
        expect(Instant.date(instant)).toEqual(date);
        expect(Instant.date(Instant.of(Instant.micros(instant) + BigInt(micros)))).toEqual(date);
        expect(Instant.day(instant)).toBe(date.toISOString().slice(0, 10));
      }),
    );
  });

  it.each([
    ["2024-01-31T09:30Z", "2024-01-31T09:30:00.000000Z"],
    ["2024-01-31T09:30:05Z", "2024-01-31T09:30:05.000000Z"],
    ["2024-01-31T09:30:05.1Z", "2024-01-31T09:30:05.100000Z"],
    ["2024-01-31T09:30:05.000001Z", "2024-01-31T09:30:05.000001Z"],
    ["0000-01-01T00:00Z", "0000-01-01T00:00:00.000000Z"],
  ])("of the text %s is %s", (text, instant) => {
    expect(Instant(text)).toBe(instant);
    expect(Instant.is(text)).toBe(text === instant);
  });

  it.each([
    "2024-01-31T09:30:00",
    "2024-01-31 09:30:00Z",
    "2024-02-30T09:30:00Z",
    "2024-01-31T24:00:00Z",
    "2024-01-31T09:60:00Z",
    "2024-01-31T09:30:60Z",
    "2024-01-31T09:30:00.Z",
    "2024-01-31T09:30:00.0000001Z",
    "2024-01-31T09:30:00+01:00",
    "2024-01-31TZ",
    "T09:30:00Z",
    "",
  ])("can't be '%s'", (text) => {
    const message = `'${text}' isn't an instant: write YYYY-MM-DDThh:mm:ssZ`;
    expect(() => Instant(text)).toThrow(expect.objectContaining({ code: "invalid-value", message }));
  });

  it("isn't outside of the years 0000 to 9999, nor of a date that is none", () => {
    for (const micros of [MICROS_MIN - 1n, MICROS_MAX + 1n, 10n ** 30n]) {
      const message = `${micros} microseconds from 1970 on are outside of the years 0000 to 9999`;
      expect(() => Instant.of(micros)).toThrow(expect.objectContaining({ code: "invalid-value", message }));
    }
    expect(() => Instant.of(new Date(8.64e15))).toThrow(expect.objectContaining({ code: "invalid-value" }));
    expect(() => Instant.of(new Date(NaN))).toThrow(
      expect.objectContaining({ message: "an invalid Date isn't an instant" }),
    );
  });
});

describe("a date and time", () => {
  it("is its microseconds on no known clock", () => {
    fc.assert(
      fc.property(anyMicros, (micros) => {
        const text = textOfMicros(micros);
        expect(DateTime(text)).toBe(text);
        expect(DateTime.is(text)).toBe(true);
        expect(microsOf(text as DateTime)).toBe(micros);
        expect(DateTime.day(text as DateTime)).toBe(Day(text.slice(0, 10)));
      }),
    );
  });

  it("has no zone", () => {
    const zoned: string = "2024-01-31T09:30:00Z";
    const message = `'${zoned}' isn't a date and time: write YYYY-MM-DDThh:mm:ss`;
    expect(() => DateTime(zoned)).toThrow(expect.objectContaining({ message }));
    expect(DateTime.is("2024-01-31T09:30:00.000000Z")).toBe(false);
  });
});

describe("a time of day", () => {
  it("is its microseconds since midnight", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number(DAY) - 1 }), (micros) => {
        const time = Time(clockOfMicros(micros));
        expect(microsOf(time)).toBe(BigInt(micros));
        expect(Time.is(time)).toBe(true);
        expect(time).toHaveLength(15);
      }),
    );
  });

  it("may leave out seconds, and is refused beyond the day", () => {
    expect(Time("09:30")).toBe("09:30:00.000000");
    expect(Time("23:59:59.5")).toBe("23:59:59.500000");
    for (const text of ["9:30", "24:00", "09:30:00Z", "09:30:00.1234567", ""])
      expect(() => Time(text)).toThrow(expect.objectContaining({ message: `'${text}' isn't a time: write hh:mm:ss` }));
  });
});
