import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Day } from "./keys/day.ts";
import { checkedPartitions, partitionsIn } from "./partition-list.ts";
import { daily, keyed, monthly } from "./partitions.ts";

const months = monthly("2024-01");
const days = daily("2024-01-31");
const names = keyed("av2.logs", "log_id");

describe("a list of partitions", () => {
  it.each([
    [months, "2024-01", ["2024-01"]],
    [months, "2024-11..2025-02", ["2024-11", "2024-12", "2025-01", "2025-02"]],
    [months, " 2024-03 , 2024-01..2024-02,2024-02", ["2024-01", "2024-02", "2024-03"]],
    [days, "2024-02-28..2024-03-01", ["2024-02-28", "2024-02-29", "2024-03-01"]],
    [names, "b,a.b,a", ["a", "a.b", "b"]],
  ] as const)("of %o, %s is %o", (partitions, text, keys) => {
    expect(partitionsIn("p", partitions, text)).toEqual(keys);
  });

  it.each([
    [months, "2024-13", "'2024-13' isn't a month: write YYYY-MM, such as 2024-01"],
    [months, "2024-01-05", "'2024-01-05' isn't a month: write YYYY-MM, such as 2024-01"],
    [days, "2024-02", "'2024-02' isn't a day: write YYYY-MM-DD, such as 2024-01-31"],
    [days, "2024-02-30", "'2024-02-30' isn't a day: write YYYY-MM-DD, such as 2024-01-31"],
    [months, "2024-03..2024-01", "'2024-03..2024-01' is reversed: write 2024-01..2024-03"],
    [months, "2023-12", "2023-12 is before the first partition of 'p', 2024-01"],
    [months, "2023-11..2024-02", "2023-11 is before the first partition of 'p', 2024-01"],
    [months, "", "no partitions are given: write months such as 2024-01 or 2024-01..2024-02"],
    [months, " , ", "no partitions are given: write months such as 2024-01 or 2024-01..2024-02"],
    [
      days,
      "2024-02-01,,2024-02-02",
      "'2024-02-01,,2024-02-02' has an empty part: write partitions with one comma between them",
    ],
    [months, "2024-01..", "'2024-01..' isn't a range: write months such as 2024-01 or 2024-01..2024-02"],
    [
      months,
      "2024-01..2024-02..2024-03",
      "'2024-01..2024-02..2024-03' isn't a range: write months such as 2024-01 or 2024-01..2024-02",
    ],
    [
      names,
      "x,a..b",
      "'a..b' can't stand in a list: names have no ranges, and those with two dots are given by @file:<path>",
    ],
    [
      names,
      "..",
      "'..' can't stand in a list: names have no ranges, and those with two dots are given by @file:<path>",
    ],
    [names, ".", "'.' isn't a name: in a path it means a folder"],
    [monthly("9999-12"), "", "no partitions are given: write months such as 9999-12 or 9999-12..9999-12"],
    [daily("9999-12-31"), "", "no partitions are given: write days such as 9999-12-31 or 9999-12-31..9999-12-31"],
    [names, "a b", "'a b' isn't a name: use 1 to 128 letters, digits and ._:-"],
    [names, "é", "'é' isn't a name: use 1 to 128 letters, digits and ._:-"],
    [names, "x".repeat(129), `'${"x".repeat(129)}' isn't a name: use 1 to 128 letters, digits and ._:-`],
    [daily("0001-01-01"), "0001-01-01..9999-12-31", "a run takes at most 1000000 partitions"],
  ] as const)("of %o, %s is refused", (partitions, text, message) => {
    expect(() => partitionsIn("p", partitions, text)).toThrow(
      expect.objectContaining({ code: "invalid-key", message }),
    );
  });

  it("may be of all months that there are", () => {
    expect(partitionsIn("p", months, "2024-01..9999-12")).toHaveLength(95_712);
  });

  it("takes a range of one, with spaces around its ends", () => {
    expect(partitionsIn("p", months, " 2024-02 .. 2024-02 ")).toEqual(["2024-02"]);
  });

  it("takes 128 bytes as a name", () => {
    expect(partitionsIn("p", names, "x".repeat(128))).toEqual(["x".repeat(128)]);
  });

  const day = fc.integer({ min: 20_000, max: 22_000 }).map((n) => Day.at(n));
  it("holds exactly the days of its ranges, sorted, each once", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(day, fc.nat({ max: 40 })), { minLength: 1, maxLength: 6 }), (ranges) => {
        const text = ranges
          .map(([first, more]) => (more === 0 ? first : `${first}..${Day.add(first, more)}`))
          .join(",");
        const expected = new Set(ranges.flatMap(([first, more]) => Day.range(first, Day.add(first, more))));
        expect(partitionsIn("p", daily("2024-01-01"), text)).toEqual([...expected].sort());
      }),
    );
  });

  it("given as an array is checked in the same way", () => {
    expect(checkedPartitions("p", months, ["2024-02", "2024-01", "2024-02"])).toEqual(["2024-01", "2024-02"]);
    expect(checkedPartitions("p", names, ["b", "a..b"])).toEqual(["a..b", "b"]);
    expect(() => checkedPartitions("p", months, [])).toThrow("no partitions are given");
    expect(() => checkedPartitions("p", names, ["a", ".."])).toThrow("'..' isn't a name: in a path it means a folder");
  });
});
