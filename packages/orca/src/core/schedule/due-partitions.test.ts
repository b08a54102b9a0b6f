import { expect, test } from "vitest";
import { duePartitions, partitionsBetween } from "./due-partitions.ts";

const NOW = new Date("2026-06-30T14:32:07Z");
const daily = { kind: "daily", start: "2026-01-01" } as const;
const monthly = { kind: "monthly", start: "2021-01" } as const;

test("a schedule's are those to the one that its newest fire fills", () => {
  const schedule = { cron: "10 6 * * *", timeZone: "America/New_York" };
  const at = (now: string) => duePartitions({ partitions: daily, schedule, fills: "previous" }, new Date(now));
  expect(at("2026-06-30T14:32:07Z")).toEqual({ first: "2026-01-01", last: "2026-06-29", count: 180 });
  expect(at("2026-06-30T10:09:59Z")?.last).toBe("2026-06-28");
  expect(at("2026-06-30T10:10:00Z")?.last).toBe("2026-06-29");
});

test("a schedule that fills the current one has that due when it fires", () => {
  const schedule = { cron: "0 0 1 * *", timeZone: "UTC" };
  expect(duePartitions({ partitions: monthly, schedule, fills: "current" }, NOW)).toMatchObject({
    last: "2026-06",
    count: 66,
  });
});

test("without a schedule those are due that are over", () => {
  expect(duePartitions({ partitions: daily, schedule: null, fills: null }, NOW)?.last).toBe("2026-06-29");
  expect(duePartitions({ partitions: monthly, schedule: null, fills: null }, NOW)).toMatchObject({
    last: "2026-05",
    count: 65,
  });
});

test("none is due before the first, nor of names", () => {
  const start = { kind: "monthly", start: "2026-07" } as const;
  expect(duePartitions({ partitions: start, schedule: null, fills: null }, NOW)).toBeUndefined();
  const keyed = { kind: "keyed", dataset: "av2.logs", column: "log_id" } as const;
  expect(duePartitions({ partitions: keyed, schedule: null, fills: null }, NOW)).toBeUndefined();
});

test("months and days are counted with both ends", () => {
  expect(partitionsBetween("monthly", "2023-12", "2024-02")).toBe(3);
  expect(partitionsBetween("daily", "2024-02-28", "2024-03-01")).toBe(3);
  expect(partitionsBetween("daily", "2024-03-01", "2024-02-28")).toBe(0);
});
