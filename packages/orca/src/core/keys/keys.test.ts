import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Day } from "./day.ts";
import { Month } from "./month.ts";
import { Name } from "./name.ts";

const DAYS_MIN = -719_528; // 0000-01-01
const DAYS_MAX = 2_932_896; // 9999-12-31
const anyDays = fc.integer({ min: DAYS_MIN, max: DAYS_MAX });
/** A month, as months from 0000-01. */
const anyMonths = fc.integer({ min: 0, max: 119_999 });

/** A date by JavaScript's own calendar, which takes years 0 to 99 only where they are set. */
function dateOf(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}
function monthAt(months: number): Month {
  return Month.of(Math.floor(months / 12), (months % 12) + 1);
}
function refusal(code: string, message: string): unknown {
  return expect.objectContaining({ code, message });
}

describe("a day", () => {
  it("is a number of days from 1970 on, as JavaScript's dates have it", () => {
    fc.assert(
      fc.property(anyDays, (days) => {
        const day = Day.at(days);
        const date = new Date(days * 86_400_000);
        expect(day).toBe(date.toISOString().slice(0, 10));
        expect(Day.of(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())).toBe(day);
        expect(Day(day as string)).toBe(day);
        expect(Day.is(day)).toBe(true);
        expect(Day.date(day)).toBe(date.getUTCDate());
        expect(Day.month(day)).toBe(Month.of(date.getUTCFullYear(), date.getUTCMonth() + 1));
        expect(Day.start(day)).toEqual(date);
      }),
      { numRuns: 1_000 },
    );
  });

  it("goes on and back by days, and sorts as it is dated", () => {
    fc.assert(
      fc.property(anyDays, anyDays, (a, b) => {
        expect(Day.add(Day.at(a), b - a)).toBe(Day.at(b));
        expect(Day.at(a) < Day.at(b)).toBe(a < b);
        const early = Day.at(Math.min(a, DAYS_MAX - 1));
        expect(Day.previous(Day.next(early))).toBe(early);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ["2024-02-28", "2024-02-29"],
    ["2023-02-28", "2023-03-01"],
    ["1900-02-28", "1900-03-01"],
    ["2000-02-28", "2000-02-29"],
    ["0000-02-28", "0000-02-29"],
    ["0004-02-29", "0004-03-01"],
    ["0099-12-31", "0100-01-01"],
    ["0100-02-28", "0100-03-01"],
    ["9999-12-30", "9999-12-31"],
  ] as const)("after %s is %s", (day, next) => {
    expect(Day.next(Day(day as string))).toBe(next);
    expect(Day.previous(Day(next as string))).toBe(day);
  });

  it("is in the range of all days between two, both included", () => {
    fc.assert(
      fc.property(anyDays, fc.integer({ min: -3, max: 800 }), (first, length) => {
        const last = Math.max(DAYS_MIN, Math.min(DAYS_MAX, first + length));
        const range = Day.range(Day.at(first), Day.at(last));
        expect(range).toHaveLength(Math.max(0, last - first + 1));
        expect(range.every((day, i) => day === Day.at(first + i))).toBe(true);
      }),
    );
  });

  it.each([
    "2023-02-29",
    "2024-00-10",
    "2024-13-10",
    "2024-01-32",
    "2024-04-31",
    "2024-1-1",
    "24-01-01",
    "+10000-01-01",
  ])("can't be %s", (text) => {
    const message = `'${text}' isn't a day: write YYYY-MM-DD, such as 2024-01-31`;
    expect(() => Day(text)).toThrow(refusal("invalid-key", message));
    expect(Day.is(text)).toBe(false);
  });

  it("isn't one before year 0000 or after 9999, nor part of one", () => {
    const last = Day("9999-12-31");
    const first = Day("0000-01-01");
    expect(() => Day.next(last)).toThrow(
      refusal("invalid-key", "'day 2932897' isn't a day: write YYYY-MM-DD, such as 2024-01-31"),
    );
    expect(() => Day.previous(first)).toThrow(expect.objectContaining({ code: "invalid-key" }));
    for (const days of [DAYS_MAX + 1, DAYS_MIN - 1, Infinity, -Infinity, NaN, 0.5])
      expect(() => Day.at(days), String(days)).toThrow(expect.objectContaining({ code: "invalid-key" }));
    expect(() => Day.add(first, 0.5)).toThrow(expect.objectContaining({ code: "invalid-key" }));
    expect(() => Day.of(2024, 1.5, 1)).toThrow(expect.objectContaining({ code: "invalid-key" }));
    expect(() => Day.of(-1, 1, 1)).toThrow(expect.objectContaining({ code: "invalid-key" }));
    for (const value of [null, undefined, 20240101, new Date(), "2024-01-31\n"]) expect(Day.is(value)).toBe(false);
  });

  it("is refused by each function that is given a text that isn't one", () => {
    const wrong = "2024-02-30" as Day;
    const functions = [Day.month, Day.date, Day.next, Day.previous, Day.start, (d: Day) => Day.add(d, 1)];
    for (const f of functions) expect(() => f(wrong)).toThrow(expect.objectContaining({ code: "invalid-key" }));
    expect(() => Day.range(wrong, Day("2024-03-01"))).toThrow(expect.objectContaining({ code: "invalid-key" }));
  });
});

describe("a month", () => {
  it("has the days that JavaScript's dates give it", () => {
    fc.assert(
      fc.property(anyMonths, (months) => {
        const month = monthAt(months);
        const [year, number] = [Month.year(month), Month.month(month)];
        expect(year * 12 + number - 1).toBe(months);
        expect(Month(month as string)).toBe(month);
        const days = Month.days(month);
        const next = dateOf(year, number + 1, 1);
        expect(days).toHaveLength((next.getTime() - dateOf(year, number, 1).getTime()) / 86_400_000);
        expect(days.every((day, i) => day === Month.day(month, i + 1) && Day.month(day) === month)).toBe(true);
        expect(() => Month.day(month, days.length + 1)).toThrow(expect.objectContaining({ code: "invalid-key" }));
        expect(Month.start(month)).toEqual(dateOf(year, number, 1));
      }),
    );
  });

  it("goes on and back by months, and sorts as it is dated", () => {
    fc.assert(
      fc.property(anyMonths, anyMonths, (a, b) => {
        expect(Month.add(monthAt(a), b - a)).toBe(monthAt(b));
        expect(monthAt(a) < monthAt(b)).toBe(a < b);
        const early = monthAt(Math.min(a, 119_998));
        expect(Month.previous(Month.next(early))).toBe(early);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ["2024-12", "2025-01"],
    ["0000-12", "0001-01"],
    ["0099-12", "0100-01"],
    ["9999-11", "9999-12"],
  ])("after %s is %s", (month, next) => {
    expect(Month.next(Month(month))).toBe(next);
    expect(Month.previous(Month(next))).toBe(month);
  });

  it.each([
    ["2024-02", 29],
    ["2023-02", 28],
    ["1900-02", 28],
    ["2000-02", 29],
    ["0000-02", 29],
    ["0096-02", 29],
    ["9999-02", 28],
    ["9996-02", 29],
  ])("%s has %d days", (month, days) => {
    expect(Month.days(Month(month))).toHaveLength(days);
  });

  it("is in the range of all months between two, both included", () => {
    expect(Month.range(Month("2023-11"), Month("2024-02"))).toEqual(["2023-11", "2023-12", "2024-01", "2024-02"]);
    expect(Month.range(Month("2024-02"), Month("2024-02"))).toEqual(["2024-02"]);
    expect(Month.range(Month("2024-02"), Month("2024-01"))).toEqual([]);
    expect(Month.range(Month("0000-01"), Month("9999-12"))).toHaveLength(120_000);
  });

  it.each(["2024-13", "2024-00", "2024-1", "24-01", "2024-01-01", "10000-01", ""])("can't be '%s'", (text) => {
    const message = `'${text}' isn't a month: write YYYY-MM, such as 2024-01`;
    expect(() => Month(text)).toThrow(refusal("invalid-key", message));
    expect(Month.is(text)).toBe(false);
  });

  it("isn't one before year 0000 or after 9999, nor part of one", () => {
    const wrong = [
      () => Month.next(Month("9999-12")),
      () => Month.previous(Month("0000-01")),
      () => Month.add(Month("2024-01"), 0.5),
      () => Month.add(Month("2024-01"), NaN),
      () => Month.of(2024, 13),
      () => Month.of(10_000, 1),
      () => Month.of(-1, 12),
      () => Month.of(2024.5, 1),
      () => Month.range("x" as Month, Month("2024-01")),
      () => Month.days("2024-1" as Month),
    ];
    for (const f of wrong) expect(f, f.toString()).toThrow(expect.objectContaining({ code: "invalid-key" }));
  });
});

describe("a name", () => {
  it("is 1 to 128 letters, digits and ._:-", () => {
    const names = fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/).filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(names, (text) => {
        expect(Name(text)).toBe(text);
      }),
    );
    for (const text of ["", ".", "..", "a b", "a/b", "é", "a\n", "x".repeat(129)]) {
      expect(Name.is(text)).toBe(false);
      expect(() => Name(text)).toThrow(expect.objectContaining({ code: "invalid-key" }));
    }
  });

  it("that is far too long is shown by its beginning", () => {
    const message = `'${"x".repeat(140)}…' isn't a name: use 1 to 128 letters, digits and ._:-`;
    expect(() => Name("x".repeat(1_000_000))).toThrow(refusal("invalid-key", message));
  });
});
