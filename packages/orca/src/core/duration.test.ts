import { describe, expect, it } from "vitest";
import { durationMs, textOfDuration } from "./duration.ts";

describe("a duration", () => {
  it.each([
    ["500ms", 500],
    ["1.5s", 1_500],
    ["10m", 600_000],
    ["2h", 7_200_000],
    ["24d", 24 * 86_400_000],
  ])("%s is %i ms", (text, ms) => {
    expect(durationMs(text, "x")).toBe(ms);
  });

  it.each(["10", "m", "-5m", "25d", "0s", "1e3s", "10 m", "ten minutes", ""])("isn't '%s'", (text) => {
    expect(() => durationMs(text, "step 'a''s timeout")).toThrow(
      `step 'a''s timeout is '${text}', which isn't a duration of at most 24d: write a number and a unit, such as 30s, 10m or 2h`,
    );
  });

  it.each([
    [0.4, "0 ms"],
    [999, "999 ms"],
    [1_000, "1.0 s"],
    [59_949, "59.9 s"],
    [59_950, "1 min 0 s"],
    [3_599_499, "59 min 59 s"],
    [3_720_000, "1 h 2 min"],
  ])("of %d ms is shown as %s", (ms, text) => {
    expect(textOfDuration(ms)).toBe(text);
  });
});
