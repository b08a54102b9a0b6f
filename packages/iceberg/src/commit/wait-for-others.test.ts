import { beforeEach, expect, it, vi } from "vitest";
import { waitForOthers } from "./wait-for-others.ts";
import { commitSettings } from "./settings.ts";
import { newTable } from "../metadata/new-table.ts";

/** Nothing waits in this file. */
const waits: number[] = [];
vi.mock("node:timers/promises", () => ({
  setTimeout: (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  },
}));
beforeEach(() => {
  waits.splice(0);
  vi.spyOn(Math, "random").mockReturnValue(1);
});

const settings = (properties: Record<string, string> = {}) =>
  commitSettings(
    newTable({ fields: [], location: "memory:t", uuid: "f79c3e09-677c-4bbd-a479-3f349cb785e7", nowMs: 0, properties }),
  );

async function longest(tookMs: number, properties?: Record<string, string>): Promise<readonly number[]> {
  for (const attempt of [1, 2, 3, 20]) await waitForOthers(settings(properties), { attempt, tookMs });
  return waits;
}

it.each<[string, number, Record<string, string>, readonly number[]]>([
  ["a quick attempt are those of the table's settings", 5, {}, [20, 40, 80, 2000]],
  ["a slow attempt grow from as long as it took, up to twenty times that", 300, {}, [300, 600, 1200, 6000]],
  ["a very slow attempt are a minute at most", 8000, {}, [8000, 16_000, 32_000, 60_000]],
  ["an attempt are no longer than the table says", 300, { "commit.retry.max-wait-ms": "500" }, [300, 500, 500, 500]],
  ["a quick attempt are as long as the table says", 5, { "commit.retry.min-wait-ms": "100" }, [100, 200, 400, 2000]],
])("the longest waits after %s", async (_, tookMs, properties, expected) => {
  expect(await longest(tookMs, properties)).toEqual(expected);
});
