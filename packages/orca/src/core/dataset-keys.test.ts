import { describe, expect, it } from "vitest";
import { datasetKeys } from "./dataset-keys.ts";

describe("the partitions of a rebuild's dataset", () => {
  it("are months, days or names, as they are written", () => {
    expect(datasetKeys("2024-01..2024-03,2024-05")).toEqual(["2024-01", "2024-02", "2024-03", "2024-05"]);
    expect(datasetKeys("2024-02-28..2024-03-01")).toEqual(["2024-02-28", "2024-02-29", "2024-03-01"]);
    expect(datasetKeys("b, a, 2024, 2024-01-01T00")).toEqual(["2024", "2024-01-01T00", "a", "b"]);
  });

  it.each([
    ["2024-99", "'2024-99' isn't a month: write YYYY-MM"],
    ["2024-1..2024-03", "'2024-1' isn't a month: write YYYY-MM"],
    ["2024-01..2024-99", "'2024-99' isn't a month: write YYYY-MM"],
    ["2024-02-30", "'2024-02-30' isn't a day: write YYYY-MM-DD"],
    ["2024-2-3", "'2024-2-3' isn't a day: write YYYY-MM-DD"],
    ["2024-01-01..2024-13-01", "'2024-13-01' isn't a day: write YYYY-MM-DD"],
  ])("%s are none, and it is said why", (text, sentence) => {
    expect(() => datasetKeys(text)).toThrow(sentence);
  });
});
