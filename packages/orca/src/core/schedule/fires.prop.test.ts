import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cron } from "./cron.ts";
import { partitionOfFire } from "./fire-partition.ts";
import { firesBetween, latestFire, nextFire } from "./fires.ts";
import { clockOf } from "./zone-clock.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Zones and years in which something happens to their clocks. */
const SPANS: readonly (readonly [timeZone: string, fromYear: number, years: number])[] = [
  ["UTC", 2023, 2],
  ["Europe/London", 2025, 3],
  ["America/New_York", 2025, 3],
  ["America/Sao_Paulo", 2017, 3], // gaps and repeats at midnight, then none
  ["America/Scoresbysund", 2023, 3], // a gap up to midnight; another standard offset
  ["America/St_Johns", 2010, 2], // changes at 00:01
  ["America/Caracas", 2007, 1], // half an hour back for good
  ["Africa/Cairo", 2023, 2], // a gap at midnight
  ["Africa/Casablanca", 2025, 2], // back for Ramadan
  ["Antarctica/Casey", 2009, 3], // three hours back and on
  ["Antarctica/Troll", 2025, 1], // by two hours
  ["Asia/Jerusalem", 2079, 1], // a gap just where the clock's answers are cut
  ["Asia/Kolkata", 2026, 1],
  ["Asia/Pyongyang", 2015, 4], // half an hour back, and on to midnight
  ["Australia/Lord_Howe", 2025, 2], // by half an hour
  ["Europe/Istanbul", 2014, 3], // a change put off; then none
  ["Europe/Moscow", 2010, 5], // a standard offset changed, and changed back
  ["Pacific/Apia", 2011, 1], // no 30 December
  ["Pacific/Chatham", 2025, 1], // quarters of an hour
  ["Pacific/Kwajalein", 1993, 1], // no 21 August
];

/** What a zone's clock reads at each minute, in minutes since 1970 of its own; and the calendar of each reading. */
interface Readings {
  readonly start: number;
  readonly reading: Int32Array;
}

const calendars = new Map<string, Readings>();

function readingsOf(timeZone: string, year: number, years: number): Readings {
  const name = `${timeZone} ${year}`;
  let readings = calendars.get(name);
  if (readings === undefined) {
    readings = readMinutes(timeZone, Date.UTC(year) / MINUTE, Date.UTC(year + years) / MINUTE);
    calendars.set(name, readings);
  }
  return readings;
}

/** Asks Intl what the clock reads each hour, and each minute of an hour in which it was changed. */
function readMinutes(timeZone: string, start: number, end: number): Readings {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  const readAt = (minute: number) => Date.parse(`${format.format(minute * MINUTE).replace(" ", "T")}Z`) / MINUTE;
  const reading = new Int32Array(end - start);
  let here = readAt(start);
  for (let hour = start; hour < end; hour += 60) {
    const there = readAt(hour + 60);
    for (let minute = 0; minute < 60; minute++)
      reading[hour + minute - start] = there - here === 60 ? here + minute : readAt(hour + minute);
    here = there;
  }
  return { start, reading };
}

/** The values that a field has, by the words of crontab(5). */
function member(field: string, first: number, last: number): boolean[] {
  const has: boolean[] = [];
  for (const item of field.split(",")) {
    const [range, step = "1"] = item.split("/");
    const [low, high = item.includes("/") ? String(last) : low] =
      range === "*" ? [String(first), String(last)] : range!.split("-");
    for (let value = first; value <= 59; value++)
      if (value >= Number(low) && value <= Number(high) && (value - Number(low)) % Number(step) === 0)
        has[value] = true;
  }
  return has;
}

/** Whether an expression is due at a reading of the clock. */
function matcher(text: string): (reading: number) => boolean {
  const [minute, hour, day, month, weekday] = text.split(" ") as [string, string, string, string, string];
  const [minutes, hours, days, months] = [
    member(minute, 0, 59),
    member(hour, 0, 23),
    member(day, 1, 31),
    member(month, 1, 12),
  ];
  const weekdays = member(weekday, 0, 6);
  weekdays[0] ||= weekdays[7] ?? false;
  const isEither = !day.startsWith("*") && !weekday.startsWith("*");
  const dayIsDue = (date: Date) => {
    const [byDate, byWeekday] = [days[date.getUTCDate()], weekdays[date.getUTCDay()]];
    return months[date.getUTCMonth() + 1] && (isEither ? byDate || byWeekday : byDate && byWeekday);
  };
  const known = new Map<number, boolean>();
  return (reading) => {
    const [dayNumber, ofDay] = [Math.floor(reading / 1440), ((reading % 1440) + 1440) % 1440];
    if (!minutes[ofDay % 60] || !hours[Math.floor(ofDay / 60)]) return false;
    if (!known.has(dayNumber)) known.set(dayNumber, dayIsDue(new Date(dayNumber * 1440 * MINUTE)) ?? false);
    return known.get(dayNumber)!;
  };
}

/**
 * The fires of a span, minute by minute, in the words of the specification: a fixed time that is skipped fires at the
 * end of the gap, and one that was read before doesn't fire; by elapsed time, every reading that is due fires, and a
 * day that has all its times skipped fires at the end of the gap.
 */
function fireMinutes(text: string, { start, reading }: Readings): number[] {
  const isDue = matcher(text);
  const [minute, hour] = text.split(" ") as [string, string];
  const isElapsed = minute.startsWith("*") || hour.startsWith("*");
  const found: number[] = [];
  let furthest = reading[0]! - 1;
  for (let i = 0; i < reading.length; i++) {
    const now = reading[i]!;
    let fires = isDue(now) && (isElapsed || now > furthest);
    for (let skipped = furthest + 1; skipped < now && !fires; skipped++)
      fires = isDue(skipped) && (!isElapsed || !isDueOutside(isDue, skipped, furthest + 1, now));
    if (fires) found.push(start + i);
    furthest = Math.max(furthest, now);
  }
  return found;
}

/** Whether the day of a reading has a due time that isn't in the gap from `from` to `until`. */
function isDueOutside(isDue: (reading: number) => boolean, reading: number, from: number, until: number): boolean {
  const midnight = Math.floor(reading / 1440) * 1440;
  for (let other = midnight; other < midnight + 1440; other++)
    if ((other < from || other >= until) && isDue(other)) return true;
  return false;
}

/** The first place where fires aren't at the minutes expected. (`toEqual` takes seconds for a million.) */
function differenceOf(found: readonly Date[], minutes: readonly number[]): string | undefined {
  for (let i = 0; i < Math.max(found.length, minutes.length); i++) {
    const [fire, minute] = [found[i], minutes[i]];
    if (fire === undefined || fire.getTime() !== minute! * MINUTE)
      return `found ${fire?.toISOString()}, expected ${minute === undefined ? minute : new Date(minute * MINUTE).toISOString()}`;
  }
  return undefined;
}

function itemOf(first: number, last: number): fc.Arbitrary<string> {
  const value = fc.integer({ min: first, max: last });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.integer({ min: 1, max: last });
  return fc.oneof(
    { weight: 4, arbitrary: value.map(String) },
    { weight: 2, arbitrary: range },
    { weight: 1, arbitrary: fc.tuple(range, step).map(([r, n]) => `${r}/${n}`) },
    { weight: 1, arbitrary: fc.tuple(value, step).map(([v, n]) => `${v}/${n}`) },
  );
}

function fieldOf(first: number, last: number, stars: number): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: stars, arbitrary: fc.constant("*") },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: Math.min(last, 31) }).map((n) => `*/${n}`) },
    {
      weight: 4,
      arbitrary: fc.array(itemOf(first, last), { minLength: 1, maxLength: 3 }).map((items) => items.join(",")),
    },
  );
}

/** Hours are those at which clocks are changed, mostly. */
const hourField = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("0", "1", "2", "3", "23", "1,2", "0-3", "2-3", "22,23,0") },
  { weight: 2, arbitrary: fieldOf(0, 23, 2) },
);
const expression = fc
  .tuple(fieldOf(0, 59, 1), hourField, fieldOf(1, 31, 8), fieldOf(1, 12, 12), fieldOf(0, 6, 8))
  .map((fields) => fields.join(" "))
  .filter((text) => isAccepted(text));
const span = fc.constantFrom(...SPANS);

function isAccepted(text: string): boolean {
  try {
    cron(text);
    return true;
  } catch {
    return false;
  }
}

describe("the fires of any expression in any zone", () => {
  it("are those that minute by minute comparison gives", () => {
    fc.assert(
      fc.property(expression, span, (text, [timeZone, year, years]) => {
        const schedule = cron(text, timeZone);
        const expected = fireMinutes(text, readingsOf(timeZone, year, years));
        const [after, until] = [new Date(Date.UTC(year) - 1), new Date(Date.UTC(year + years) - 1)];
        const found = firesBetween(schedule, after, until, { limit: Infinity });
        expect(differenceOf(found, expected)).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });

  it.each(SPANS)(
    "are those that minute by minute comparison gives around each change in %s",
    (timeZone, year, years) => {
      const readings = readingsOf(timeZone, year, years);
      const changes = [...readings.reading.keys()].filter(
        (i) => i > 0 && readings.reading[i]! - readings.reading[i - 1]! !== 1,
      );
      for (const change of changes) {
        const [from, to] = [readings.reading[change - 1]!, readings.reading[change]!];
        for (const text of textsAround(from, to)) {
          const start = Math.max(0, change - 2880);
          const window = { start: readings.start + start, reading: readings.reading.slice(start, change + 2880) };
          const [after, until] = [window.start, window.start + window.reading.length - 1];
          const schedule = cron(text, timeZone);
          const found = firesBetween(schedule, new Date(after * MINUTE - 1), new Date(until * MINUTE), {
            limit: Infinity,
          });
          expect(
            found.map((fire) => fire.getTime() / MINUTE),
            text,
          ).toEqual(fireMinutes(text, window));
        }
      }
    },
  );

  it("are given one by one as they are given together, and the latest is the last of them", () => {
    fc.assert(
      fc.property(
        expression,
        span,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 90 }),
        (text, [timeZone, year, years], part, days) => {
          const schedule = cron(text, timeZone);
          const after = new Date(Date.UTC(year) + Math.floor(part * years * 365 * 24 * HOUR));
          const until = new Date(after.getTime() + days * 24 * HOUR);
          const all = firesBetween(schedule, after, until, { limit: Infinity });
          let fire = nextFire(schedule, after);
          for (const expected of all.slice(0, 50)) {
            expect(fire).toEqual(expected);
            fire = nextFire(schedule, fire!);
          }
          expect(latestFire(schedule, after, until)).toEqual(all.at(-1));
          expect(firesBetween(schedule, after, until, { catchup: false })).toEqual(all.slice(-1));
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Expressions with each kind of field, at the times on both sides of a change and between. */
function textsAround(from: number, to: number): string[] {
  const readings = [from - 1, from, from + 1, Math.floor((from + to) / 2), to - 1, to, to + 1, to + 30, from + 61];
  const times = readings.map((reading) => new Date(reading * MINUTE));
  return times.flatMap((time) => {
    const [minute, hour, day] = [time.getUTCMinutes(), time.getUTCHours(), time.getUTCDate()];
    return [
      `${minute} ${hour} * * *`,
      `${minute} ${hour} ${day} * *`,
      `0,${minute},59 ${hour} * * ${time.getUTCDay()}`,
      `${minute} * * * *`,
      `*/15 ${hour} * * *`,
      `*/7 ${hour} ${day} * *`,
      `${minute} */${Math.max(1, hour)} * * *`,
      `${minute} */24 * * *`,
      `* ${hour} ${day} * *`,
    ];
  });
}

describe("a daily schedule at a fixed time, in any zone", () => {
  it("fills each day once, in order", () => {
    const time = fc.tuple(fc.integer({ min: 0, max: 59 }), fc.constantFrom(0, 1, 2, 3, 12, 22, 23));
    fc.assert(
      fc.property(
        time,
        span,
        fc.constantFrom("current", "previous"),
        ([minute, hour], [timeZone, year, years], fills) => {
          const schedule = cron(`${minute} ${hour} * * *`, timeZone);
          const found = firesBetween(schedule, new Date(Date.UTC(year)), new Date(Date.UTC(year + years)), {
            limit: 2000,
          });
          const days = found.map((at) => Date.parse(partitionOfFire("daily", fills, schedule, at)!) / (24 * HOUR));
          // Midnight after a skipped day is one fire for two days.
          const skipped =
            hour === 0 && minute === 0 && ["Pacific/Apia", "Pacific/Kwajalein"].includes(timeZone) ? 1 : 0;
          const steps = days.slice(1).map((day, i) => day - days[i]!);
          expect(steps.filter((step) => step !== 1)).toHaveLength(skipped);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("a zone's clock", () => {
  it("reads what Intl's does, and its stretches follow one another", () => {
    for (const [timeZone, year, years] of SPANS.filter(([name]) => name !== "UTC")) {
      const { start, reading } = readingsOf(timeZone, year, years);
      const clock = clockOf(timeZone);
      for (let i = 0; i < reading.length;) {
        const stretch = clock.stretchAt((start + i) * MINUTE);
        expect(stretch.from).toBeLessThanOrEqual((start + i) * MINUTE);
        const until = Math.min(reading.length, stretch.until / MINUTE - start);
        for (; i < until; i++)
          if (reading[i] !== start + i + stretch.offset / MINUTE)
            throw new Error(`${timeZone} differs at minute ${start + i}`);
      }
    }
  });
});
