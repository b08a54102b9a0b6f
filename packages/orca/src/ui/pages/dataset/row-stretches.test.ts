import { expect, test } from "vitest";
import { rowStretches } from "./row-stretches.ts";

const commit = (at: string, rowsAdded: number | null, rowsTotal: number | null) => ({
  at: new Date(at),
  rowsAdded,
  rowsTotal,
});

test("commits of a day are one stretch, and a day without any has what there was before", () => {
  const found = rowStretches([
    commit("2024-01-01T01:00:00Z", 5, 5),
    commit("2024-01-01T02:00:00Z", 3, 8),
    commit("2024-02-03T02:00:00Z", 1, 9),
  ])!;
  expect(found.unit).toBe("day");
  expect(found.stretches).toHaveLength(34);
  expect(found.stretches.slice(0, 2)).toEqual([
    { from: new Date("2024-01-01T00:00:00Z"), rowsAdded: 8, rowsTotal: 8 },
    { from: new Date("2024-01-02T00:00:00Z"), rowsAdded: null, rowsTotal: 8 },
  ]);
  expect(found.stretches.at(-1)).toMatchObject({ rowsAdded: 1, rowsTotal: 9 });
});

test("stretches are as short as there is room for, and never too many", () => {
  const unitOf = (last: string) => rowStretches([commit("2024-01-01T00:00:00Z", 1, 1), commit(last, 1, 2)])!.unit;
  expect(unitOf("2024-01-01T00:01:00Z")).toBe("second");
  expect(unitOf("2024-01-01T02:00:00Z")).toBe("minute");
  expect(unitOf("2024-01-05T00:00:00Z")).toBe("hour");
  expect(unitOf("2025-01-01T00:00:00Z")).toBe("week");
  const long = rowStretches([commit("1990-01-01T00:00:00Z", 1, 1), commit("2024-01-01T00:00:00Z", 1, 2)])!;
  expect(long.stretches).toHaveLength(180);
  expect(long.stretches.at(-1)).toMatchObject({ rowsTotal: 2 });
});

test("there are none of commits of which nobody knows how many rows there were", () => {
  expect(rowStretches([])).toBeUndefined();
  expect(rowStretches([commit("2024-01-01T00:00:00Z", null, null)])).toBeUndefined();
});
