import { describe, expect, it } from "vitest";
import { OrcaError } from "../errors.ts";
import { parseCron } from "./cron-fields.ts";
import { type Cron, cron } from "./cron.ts";
import { partitionOfFire } from "./fire-partition.ts";
import { fires, firesBetween, latestFire, nextFire } from "./fires.ts";
import { nextFireAfter } from "./next-fire.ts";
import { clockOf } from "./zone-clock.ts";

/** The fires after one UTC time and up to another, as `03-08 07:00` while the year is that of `after`. */
function firesIn(schedule: Cron, after: string, until: string): string[] {
  const found = firesBetween(schedule, new Date(`${after}Z`), new Date(`${until}Z`));
  return found.map((fire) =>
    fire
      .toISOString()
      .slice(0, 16)
      .replace("T", " ")
      .replace(`${after.slice(0, 4)}-`, ""),
  );
}

describe("known faults", () => {
  it("1: the repeated hour fires once, though the clock is asked each minute", () => {
    const schedule = cron("30 1 * * *", "Europe/London");
    const made: string[] = [];
    let last = Date.parse("2026-10-25T00:00Z") - 1;
    for (let now = last; now <= Date.parse("2026-10-25T03:00Z"); now += 60_000) {
      // As after a restart, only what is recorded is known: the last fire.
      for (const fire of firesBetween(schedule, new Date(last), new Date(now))) {
        made.push(fire.toISOString());
        last = fire.getTime();
      }
    }
    expect(made).toEqual(["2026-10-25T00:30:00.000Z"]);
  });

  it("2: the skipped hour fires once, at the end of the gap", () => {
    const schedule = cron("30 2 * * *", "America/New_York");
    expect(firesIn(schedule, "2026-03-08T00:00", "2026-03-09T00:00")).toEqual(["03-08 07:00"]);
  });

  it("3: interval jobs fire in the repeated hour", () => {
    const schedule = cron("*/15 * * * *", "Europe/London");
    const found = firesBetween(schedule, new Date("2026-10-24T23:59Z"), new Date("2026-10-25T01:59Z"));
    expect(found).toHaveLength(8);
    expect(found[7]!.getTime() - found[0]!.getTime()).toBe(7 * 15 * 60_000);
  });

  it("4: zones off the hour fire on their own clock, and fill their own month", () => {
    const schedule = cron("0 0 1 * *", "Asia/Kolkata");
    const fire = nextFire(schedule, new Date("2026-03-15T00:00Z"))!;
    expect(fire.toISOString()).toBe("2026-03-31T18:30:00.000Z");
    expect(partitionOfFire("monthly", "previous", schedule, fire)).toBe("2026-03");
  });

  it("5: catchup off gives the latest fire only, on gives each, and a new schedule counts from its registration", () => {
    const [down, up] = [new Date("2026-05-04T00:05Z"), new Date("2026-05-04T06:30Z")];
    const hours = ["01", "02", "03", "04", "05", "06"].map((hour) => new Date(`2026-05-04T${hour}:00Z`));
    expect(firesBetween(cron("@hourly"), down, up)).toEqual(hours);
    expect(firesBetween(cron("@hourly"), down, up, { catchup: false })).toEqual([hours[5]]);
    const registered = new Date("2026-05-04T04:10Z");
    expect(firesBetween(cron("0 2,4 * * *"), registered, up)).toEqual([]);
  });
});

describe("a skipped time", () => {
  const gap = ["2026-03-08T06:00", "2026-03-08T08:00"] as const; // New York: 02:00 to 03:00, at 07:00Z

  it.each([
    ["0 2 * * *", ["07:00"]],
    ["59 2 * * *", ["07:00"]],
    ["0,30 2 * * *", ["07:00"]],
    ["0-59 2 * * *", ["07:00"]],
    ["0 2,3 * * *", ["07:00"]],
    ["30 2,3 * * *", ["07:00", "07:30"]],
    ["30 2 8 3 *", ["07:00"]],
    ["30 2 * * sun", ["07:00"]],
    ["30 2 9 * *", []],
    ["30 2 * * mon", []],
    ["30 1,3 * * *", ["06:30", "07:30"]],
  ])("of %s makes one fire, at the end of the gap: %j", (text, times) => {
    const found = firesIn(cron(text, "America/New_York"), ...gap);
    expect(found).toEqual(times.map((time) => `03-08 ${time}`));
  });

  it.each([
    ["*/15 * * * *", ["06:15", "06:30", "06:45", "07:00", "07:15", "07:30", "07:45", "08:00"]],
    ["30 * * * *", ["06:30", "07:30"]],
    ["@hourly", ["07:00", "08:00"]],
    ["30 */2 * * *", []],
    ["0-59/20 * * * *", ["06:20", "06:40", "07:00", "07:20", "07:40", "08:00"]],
  ])("isn't made up for where %s follows elapsed time: %j", (text, times) => {
    const found = firesIn(cron(text, "America/New_York"), ...gap);
    expect(found).toEqual(times.map((time) => `03-08 ${time}`));
  });

  it.each([["*/15 2 * * *"], ["* 2 * * *"], ["30 */24 * * *"]])(
    "is made up for if %s has no other on that day",
    (text) => {
      const [zone, after, until] = text.includes("24")
        ? ["Africa/Cairo", "2026-04-23T20:00", "2026-04-24T20:00"] // 00:00 to 01:00, at 22:00Z
        : ["America/New_York", ...gap];
      expect(firesIn(cron(text, zone), after, until)).toEqual([
        zone === "Africa/Cairo" ? "04-23 22:00" : "03-08 07:00",
      ]);
    },
  );

  it("at midnight keeps its day", () => {
    const cairo = cron("0 0 * * *", "Africa/Cairo");
    expect(firesIn(cairo, "2026-04-23T00:00", "2026-04-25T00:00")).toEqual(["04-23 22:00", "04-24 21:00"]);
    expect(partitionOfFire("daily", "previous", cairo, new Date("2026-04-23T22:00Z"))).toBe("2026-04-23");
    const saoPaulo = cron("0 0 * * *", "America/Sao_Paulo");
    expect(firesIn(saoPaulo, "2018-11-03T00:00", "2018-11-05T12:00")).toEqual([
      "11-03 03:00",
      "11-04 03:00",
      "11-05 02:00",
    ]);
    expect(partitionOfFire("daily", "current", saoPaulo, new Date("2018-11-04T03:00Z"))).toBe("2018-11-04");
  });

  it("in a gap of half an hour fires at its end", () => {
    const lordHowe = "Australia/Lord_Howe"; // 02:00 to 02:30, at 2026-10-03T15:30Z
    expect(firesIn(cron("15 2 * * *", lordHowe), "2026-10-03T12:00", "2026-10-04T12:00")).toEqual(["10-03 15:30"]);
    expect(firesIn(cron("45 2 * * *", lordHowe), "2026-10-03T12:00", "2026-10-04T12:00")).toEqual(["10-03 15:45"]);
    expect(firesIn(cron("*/15 * * * *", lordHowe), "2026-10-03T15:00", "2026-10-03T16:00")).toEqual([
      "10-03 15:15",
      "10-03 15:30",
      "10-03 15:45",
      "10-03 16:00",
    ]);
  });

  it("before a midnight that ends the gap fills the day that it was of", () => {
    // Ittoqqortoormiit went from 23:00 to 24:00 on 2025-03-29, at 01:00Z on the 30th.
    const schedule = cron("30 23 * * *", "America/Scoresbysund");
    const found = firesBetween(schedule, new Date("2025-03-28T12:00Z"), new Date("2025-03-31T12:00Z"));
    expect(
      found.map((at) => [at.toISOString().slice(0, 16), partitionOfFire("daily", "current", schedule, at)]),
    ).toEqual([
      ["2025-03-29T01:30", "2025-03-28"],
      ["2025-03-30T01:00", "2025-03-29"],
      ["2025-03-31T00:30", "2025-03-30"],
    ]);
  });

  it("when a zone changes its standard offset fires at the end of the gap", () => {
    // Pyongyang went from 23:30 to 24:00 on 2018-05-04, at 15:00Z.
    const schedule = cron("45 23 * * *", "Asia/Pyongyang");
    expect(firesIn(schedule, "2018-05-03T20:00", "2018-05-05T20:00")).toEqual(["05-04 15:00", "05-05 14:45"]);
    expect(partitionOfFire("daily", "current", schedule, new Date("2018-05-04T15:00Z"))).toBe("2018-05-04");
    expect(partitionOfFire("daily", "previous", schedule, new Date("2018-05-04T15:00Z"))).toBe("2018-05-03");
  });
});

describe("a skipped day (Pacific/Apia had no 2011-12-30)", () => {
  it("is filled by the fire at its end, so that no day is left out or filled twice", () => {
    const schedule = cron("0 12 * * *", "Pacific/Apia");
    const found = firesBetween(schedule, new Date("2011-12-28T12:00Z"), new Date("2012-01-01T12:00Z"));
    const days = (fills: "current" | "previous") => found.map((at) => partitionOfFire("daily", fills, schedule, at));
    expect(found.map((at) => at.toISOString().slice(0, 16))).toEqual([
      "2011-12-28T22:00",
      "2011-12-29T22:00",
      "2011-12-30T10:00",
      "2011-12-30T22:00",
      "2011-12-31T22:00",
    ]);
    expect(days("current")).toEqual(["2011-12-28", "2011-12-29", "2011-12-30", "2011-12-31", "2012-01-01"]);
    expect(days("previous")).toEqual(["2011-12-27", "2011-12-28", "2011-12-29", "2011-12-30", "2011-12-31"]);
  });

  it("leaves out only itself where its fire and the next day's are one", () => {
    const schedule = cron("@daily", "Pacific/Apia");
    const found = firesBetween(schedule, new Date("2011-12-28T12:00Z"), new Date("2012-01-01T12:00Z"));
    const days = (fills: "current" | "previous") => found.map((at) => partitionOfFire("daily", fills, schedule, at));
    expect(days("current")).toEqual(["2011-12-29", "2011-12-31", "2012-01-01", "2012-01-02"]);
    expect(days("previous")).toEqual(["2011-12-28", "2011-12-29", "2011-12-31", "2012-01-01"]);
  });
});

describe("a repeated time", () => {
  const overlap = ["2026-11-01T04:30", "2026-11-01T08:00"] as const; // New York: 01:00 to 02:00, again at 06:00Z

  it.each([
    ["0 1 * * *", ["05:00"]],
    ["30 1 * * *", ["05:30"]],
    ["0,30 1 * * *", ["05:00", "05:30"]],
    ["0 1,2 * * *", ["05:00", "07:00"]],
    ["0 2 * * *", ["07:00"]],
    ["59 1 1 11 *", ["05:59"]],
  ])("of %s fires once, the first time: %j", (text, times) => {
    const found = firesIn(cron(text, "America/New_York"), ...overlap);
    expect(found).toEqual(times.map((time) => `11-01 ${time}`));
  });

  it.each([
    ["@hourly", ["05:00", "06:00", "07:00", "08:00"]],
    ["30 * * * *", ["05:30", "06:30", "07:30"]],
    ["*/30 1 * * *", ["05:00", "05:30", "06:00", "06:30"]],
    ["*/30 1 1 11 *", ["05:00", "05:30", "06:00", "06:30"]],
    ["0 */2 * * *", ["07:00"]],
  ])("fires again where %s follows elapsed time: %j", (text, times) => {
    const found = firesIn(cron(text, "America/New_York"), ...overlap);
    expect(found).toEqual(times.map((time) => `11-01 ${time}`));
  });

  it("isn't fired again by a fall-back that comes between", () => {
    const schedule = cron("30 1 * * *", "America/New_York");
    for (const after of ["2026-11-01T05:30Z", "2026-11-01T06:00Z", "2026-11-01T06:29Z", "2026-11-01T06:30Z"])
      expect(nextFire(schedule, new Date(after))!.toISOString()).toBe("2026-11-02T06:30:00.000Z");
  });

  it("before a midnight that is put off keeps its day, and midnight fires when it comes", () => {
    // São Paulo's clock went from 24:00 back to 23:00 at 2018-02-18T02:00Z.
    const saoPaulo = "America/Sao_Paulo";
    expect(firesIn(cron("@daily", saoPaulo), "2018-02-17T12:00", "2018-02-18T12:00")).toEqual(["02-18 03:00"]);
    expect(firesIn(cron("30 23 * * *", saoPaulo), "2018-02-17T12:00", "2018-02-18T12:00")).toEqual(["02-18 01:30"]);
  });

  it("by half an hour fires once", () => {
    // Lord Howe's clock goes from 02:00 back to 01:30 at 2026-04-04T15:00Z.
    const schedule = cron("45 1 * * *", "Australia/Lord_Howe");
    expect(firesIn(schedule, "2026-04-04T12:00", "2026-04-05T12:00")).toEqual(["04-04 14:45"]);
  });
});

describe("a day", () => {
  it.each([
    ["0 0 13 * fri", ["2026-02-06", "2026-02-13", "2026-02-20", "2026-02-27", "2026-03-06", "2026-03-13"]],
    ["0 0 13 * *", ["2026-02-13", "2026-03-13", "2026-04-13"]],
    ["0 0 * * fri", ["2026-02-06", "2026-02-13", "2026-02-20"]],
    ["0 0 */2 * fri", ["2026-02-13", "2026-02-27", "2026-03-13"]],
    ["0 0 13 * */2", ["2026-06-13", "2026-08-13", "2026-09-13", "2026-10-13"]],
    ["0 0 31 * *", ["2026-03-31", "2026-05-31", "2026-07-31"]],
    ["0 0 29 2 *", ["2028-02-29", "2032-02-29"]],
  ])("is due by %s if the date or the weekday is, or both where one starts with *", (text, days) => {
    const found = fires(cron(text), new Date("2026-02-01T00:00Z"), days.length);
    expect(found.map((fire) => fire.toISOString().slice(0, 10))).toEqual(days);
  });
});

describe("the fires of a time", () => {
  const minutely = cron("* * * * *");

  it("begin after its start, and include its end", () => {
    expect(firesIn(minutely, "2026-01-01T00:00", "2026-01-01T00:02")).toEqual(["01-01 00:01", "01-01 00:02"]);
    expect(firesIn(minutely, "2026-01-01T00:02", "2026-01-01T00:02")).toEqual([]);
    expect(firesIn(minutely, "2026-01-01T00:02", "2026-01-01T00:00")).toEqual([]);
  });

  it("are at most as many as asked for, the oldest first", () => {
    const [after, until] = [new Date("2026-01-01T00:00Z"), new Date("2027-01-01T00:00Z")];
    expect(firesBetween(minutely, after, until)).toHaveLength(1000);
    const two = firesBetween(minutely, after, until, { limit: 2 });
    expect(two).toEqual([new Date("2026-01-01T00:01Z"), new Date("2026-01-01T00:02Z")]);
  });

  it("have a latest one, or none", () => {
    const rare = cron("0 0 29 2 *", "Europe/Paris");
    expect(latestFire(rare, new Date("1970-01-01"), new Date("2027-01-01"))).toEqual(new Date("2024-02-28T23:00Z"));
    expect(latestFire(rare, new Date("2024-02-28T23:00Z"), new Date("2027-01-01"))).toBeUndefined();
    expect(latestFire(minutely, new Date("2027-01-01"), new Date("2026-01-01"))).toBeUndefined();
    expect(firesBetween(rare, new Date("2025-01-01"), new Date("2027-01-01"), { catchup: false })).toEqual([]);
  });

  it("end with the year 9999", () => {
    expect(fires(cron("@yearly"), new Date("9998-06-01"), 5)).toEqual([new Date("9999-01-01T00:00Z")]);
    expect(fires(cron("0 0 29 2 *", "Europe/London"), new Date("9990-01-01"), 5)).toHaveLength(2);
    expect(nextFire(minutely, new Date(8.64e15))).toBeUndefined();
    // where it is 9999 for some hours yet
    const western = cron("* * * * *", "America/New_York");
    expect(fires(western, new Date("9999-12-31T23:57:30Z"), 5)).toEqual([
      new Date("9999-12-31T23:58Z"),
      new Date("9999-12-31T23:59Z"),
    ]);
    // where it was 9999 until some hours ago
    expect(nextFire(cron("* * * * *", "Asia/Tokyo"), new Date("9999-12-31T15:00Z"))).toBeUndefined();
    expect(nextFire(cron("* * * * *", "Europe/London"), new Date(8.64e15))).toBeUndefined();
  });

  it("aren't counted from a date that isn't one", () => {
    expect(() => nextFire(minutely, new Date("soon"))).toThrow(OrcaError);
    expect(() => partitionOfFire("daily", "current", minutely, new Date("soon"))).toThrow(OrcaError);
  });

  it("aren't to be had in a zone that this machine doesn't know", () => {
    const schedule = { cron: "@daily", timeZone: "Mars/Base" } as Cron;
    expect(() => nextFire(schedule, new Date(0))).toThrow("'Mars/Base' isn't a time zone");
  });
});

describe("a partition", () => {
  it.each([
    ["monthly", "current", "2026-03"],
    ["monthly", "previous", "2026-02"],
    ["daily", "current", "2026-03-01"],
    ["daily", "previous", "2026-02-28"],
  ] as const)("%s, %s, is that of the schedule's wall clock", (kind, fills, key) => {
    const schedule = cron("0 3 * * *", "Asia/Tokyo");
    expect(partitionOfFire(kind, fills, schedule, new Date("2026-02-28T18:00Z"))).toBe(key);
  });

  it.each([
    ["UTC", "0000-01-01T00:00Z", { daily: [undefined, "0000-01-01"], monthly: [undefined, "0000-01"] }],
    ["UTC", "0000-01-02T00:00Z", { daily: ["0000-01-01", "0000-01-02"], monthly: [undefined, "0000-01"] }],
    // where it is still the year before
    ["America/New_York", "0000-01-01T00:00Z", { daily: [undefined, undefined], monthly: [undefined, undefined] }],
    ["UTC", "9999-12-31T00:00Z", { daily: ["9999-12-30", "9999-12-31"], monthly: ["9999-11", "9999-12"] }],
    // where it is the year after
    ["Asia/Tokyo", "9999-12-31T15:00Z", { daily: ["9999-12-31", undefined], monthly: ["9999-12", undefined] }],
  ] as const)("is of the years 0000 to 9999, or there is none (%s, %s)", (timeZone, at, expected) => {
    const schedule = cron("* * * * *", timeZone);
    for (const kind of ["daily", "monthly"] as const) {
      const found = (["previous", "current"] as const).map((f) => partitionOfFire(kind, f, schedule, new Date(at)));
      expect(found, kind).toEqual(expected[kind]);
    }
  });

  it("of a new year is the year before's last", () => {
    const schedule = cron("@yearly");
    expect(partitionOfFire("monthly", "previous", schedule, new Date("2026-01-01T00:00Z"))).toBe("2025-12");
    expect(partitionOfFire("daily", "previous", schedule, new Date("2024-03-01T00:00Z"))).toBe("2024-02-29");
  });
});

describe("the work of a search", () => {
  function workOf(text: string, timeZone: string, after: string): { stretches: number; months: number } {
    const [fields, clock] = [parseCron(text), clockOf(timeZone)];
    const work = { stretches: 0, months: 0 };
    const countingClock = { stretchAt: (at: number) => (work.stretches++, clock.stretchAt(at)) };
    const countingFields = {
      ...fields,
      get months() {
        return (work.months++, fields.months);
      },
    };
    nextFireAfter(countingFields, countingClock, Date.parse(after));
    return work;
  }

  it("is one step for a common schedule", () => {
    expect(workOf("30 2 * * *", "Europe/London", "2026-06-01T12:00Z")).toEqual({ stretches: 1, months: 2 });
  });

  it("is a step for each month for a rare one, and a few of the zone's", () => {
    // 26 February 2096 to 29 February 2104: 2100 isn't a leap year.
    const work = workOf("0 0 29 2 *", "Europe/London", "2096-03-01T12:00Z");
    expect(work.stretches).toBeLessThanOrEqual(3);
    expect(work.months).toBeLessThanOrEqual(2 * 8 * 12);
    const rarest = workOf("0 0 29 2 */7", "Europe/London", "2088-03-01T12:00Z");
    expect(rarest.stretches).toBeLessThanOrEqual(3);
    expect(rarest.months).toBeLessThanOrEqual(2 * 40 * 12);
  });
});
