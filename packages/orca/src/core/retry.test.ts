import { expect, it } from "vitest";
import { retryWaitMs } from "./retry.ts";

it.each([
  [1, 0, 1_000],
  [2, 0, 2_000],
  [3, 0, 4_000],
  [6, 0, 32_000],
  [7, 0, 60_000],
  [1_000, 0, 60_000],
  [1, 1, 1_100],
  [7, 0.5, 63_000],
])("after attempt %i, with jitter %d, the wait is %i ms", (attempt, jitter, ms) => {
  expect(retryWaitMs(attempt, jitter)).toBe(ms);
});
