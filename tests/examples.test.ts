import { runInMemory } from "orcajs/testing";
import { describe, expect, it } from "vitest";
import fanout, { allTrips } from "../examples/fanout.ts";
import labels, { label, score } from "../examples/labels.ts";
import lake, { checked, cleaned, clean, raw, report } from "../examples/lake.ts";
import toy, { days, measure, total } from "../examples/toy.ts";
import taxi, { drive, fares, longest, trips } from "../examples/trips.ts";

describe("the example toy", () => {
  it("adds up the hours of its months", async () => {
    const run = await runInMemory(toy, { partitions: ["2024-01", "2024-02"] });
    expect(run.status).toBe("succeeded");
    expect(run.output(days, "2024-02")).toEqual({ month: "2024-02", days: 29 });
    expect(run.output(measure, "2024-02").hours).toBe(29 * 24);
    expect(run.output(total)).toBe(60 * 24);
    expect(run.log).toHaveLength(2);
    expect(run.log).toContain("measure/2024-01 2024-01 has 31 days (attempt 1)");
  });
});

describe("the example lake", () => {
  const rows = [
    { id: 1, day: "2025-01-01", value: 1.5 },
    { id: 2n, day: "2025-01-01" },
    { id: 3, day: "2025-01-02", value: 9 },
  ] as const;

  it("cleans the days of its run, and reports over the whole table", async () => {
    const run = await runInMemory(lake, { partitions: ["2025-01-01"], tables: [[raw, rows]] });
    expect(run.log).toEqual([]);
    expect(run.output(checked, "2025-01-01")).toBe(0.5);
    expect(run.output(report)).toEqual({
      dropped: 0.5,
      most: 1.5,
      days: 1,
      last: run.output(cleaned, "2025-01-01").snapshot,
    });
    expect(await run.rows(clean)).toEqual([{ id: 1n, day: "2025-01-01", value: 1.5 }]);
    expect(await run.rows("lake.checks")).toEqual([{ day: "2025-01-01", dropped: 1 }]);
  });

  it("replaces only its own days", async () => {
    const before = [
      { id: 7, day: "2025-01-01", value: 7 },
      { id: 8, day: "2024-12-31", value: 8 },
    ] as const;
    const tables = [
      [raw, rows],
      [clean, before],
    ] as const;
    const run = await runInMemory(lake, { partitions: ["2025-01-01"], tables });
    expect((await run.rows(clean)).map((row) => row.id)).toEqual([8n, 1n]);
    expect(run.output(report).most).toBe(8);
  });
});

describe("the example trips", () => {
  it("writes every kind of column and reads it back exactly", async () => {
    const run = await runInMemory(taxi, { partitions: ["2024-02"] });
    expect(run.log).toEqual([]);
    expect(run.output(drive, "2024-02")).toBe(29);
    expect(run.output(longest)).toBe("2024-02-29T09:40:00.000001Z"); // to the microsecond
    expect(await run.rows(fares)).toEqual([
      { month: "2024-02", vehicle: "5e1fc0de-0000-4000-8000-00000000000a", trips: 29, fare: "362.50" },
    ]);
    expect((await run.rows(trips)).find((trip) => trip.id === 0n)).toEqual({
      id: 0n,
      day: "2024-02-01",
      vehicle: "5e1fc0de-0000-4000-8000-00000000000a",
      seats: 4,
      shared: false,
      fare: "12.50",
      tip: "1.20",
      picked_up: "2024-02-01T09:30:00.000000Z",
      meter_start: "2024-02-01T04:30:00.000000",
      shift: "04:00:00.000000",
      speed: null,
      from: { lat: 40.7, lon: -74, name: null },
      to: null,
      stops: [{ at: "2024-02-01T09:40:00.000001Z", where: { lat: 40.8, lon: -74, name: "Pier 1" } }],
      tags: ["airport"],
      surcharges: new Map([["night", "0.50"]]),
      signature: null,
      sha256: new Uint8Array(32),
    });
  });
});

describe("the example labels", () => {
  const logs = [
    { log_id: "a", frame: 1 },
    { log_id: "a", frame: 2 },
    { log_id: "b", frame: 1 },
  ];

  it("labels each log on its own, and scores them together", async () => {
    const run = await runInMemory(labels, { partitions: ["a", "b"], tables: [["av2.logs", logs]] });
    expect(run.log).toEqual([]);
    expect(run.output(label, "a").labels).toBe(2);
    expect(run.output(score).counts).toEqual(
      new Map([
        ["a", 2],
        ["b", 1],
      ]),
    );
    expect(new Set(run.output(score).snapshots).size).toBe(2);
    expect(await run.rows("av2.labels")).toHaveLength(3);
    expect(await run.rows("av2.labels")).toContainEqual({ log_id: "b", frame: 1, label: "car" });
  });
});

describe("the example fanout", () => {
  it("adds up what its tasks gave, and logs what refs passed on gave", async () => {
    const run = await runInMemory(fanout, { partitions: ["2024-02"] });
    expect(run.output(allTrips)).toBe(((29 * 30) / 2) * 1000);
    expect(run.log).toEqual(["month_trips/2024-02 first two days: 3000"]);
  });
});
