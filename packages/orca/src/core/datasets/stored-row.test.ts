import { describe, expect, it } from "vitest";
import { nullable } from "./column-notation.ts";
import { columnsOf } from "./column.ts";
import { storedRow, untypedRow } from "./stored-row.ts";

const columns = columnsOf(
  {
    id: "long",
    note: "string?",
    place: { lat: "double", city: { name: "string", zip: "int?" } },
    tags: ["string?"],
    stops: nullable([{ at: "timestamptz" }]),
    counts: { "[date]": "decimal(6, 2)" },
  },
  {},
);
const place = { lat: 1, city: { name: "x" } };
const row = { id: 1, place, tags: [], counts: new Map() };

function refusal(given: unknown): string {
  try {
    storedRow("lake.t", columns, given, 7);
  } catch (error) {
    return (error as Error).message;
  }
  return "it fits";
}

describe("a row to append", () => {
  it("becomes what reading it gives back, in the order of the columns", () => {
    const given = {
      counts: new Map([["2024-01-31", 1.5]]),
      stops: [{ at: new Date(0) }],
      tags: ["x", null, undefined],
      place,
      id: 1,
    };
    const stored = storedRow("lake.t", columns, given, 1);
    expect(stored).toEqual({
      id: 1n,
      note: null,
      place: { lat: 1, city: { name: "x", zip: null } },
      tags: ["x", null, null],
      stops: [{ at: "1970-01-01T00:00:00.000000Z" }],
      counts: new Map([["2024-01-31", "1.50"]]),
    });
    expect(Object.keys(stored)).toEqual(columns.map((c) => c.name));
    // what is read back can be appended again, and stays what it was
    expect(storedRow("lake.t", columns, stored, 1)).toEqual(stored);
  });

  it("shares nothing with what is stored", () => {
    const given = { ...row, tags: ["x"] };
    const stored = storedRow("lake.t", columns, given, 1);
    given.tags.push("y");
    expect(stored["tags"]).toEqual(["x"]);
  });

  it.each([
    [{ ...row, id: undefined }, "id takes bigint or number, not undefined"],
    [{ place, tags: [], counts: new Map() }, "id is missing"],
    [{ ...row, place: { lat: 1 } }, "place.city is missing"],
    [{ ...row, place: { lat: 1, city: { name: "x", town: "y" } } }, "place.city.town isn't a column"],
    [{ ...row, place: [1] }, "place takes an object, not an array"],
    [{ ...row, place: new Map() }, "place takes an object, not a Map"],
    [{ ...row, place: new Date(0) }, "place takes an object, not Date"],
    [{ ...row, tags: new Set(["x"]) }, "tags takes an array, not an object"],
    [{ ...row, tags: Promise.resolve([]) }, "tags takes an array, not a promise"],
    [{ ...row, tags: [1n] }, "tags[] takes string, not bigint"],
    [{ ...row, stops: [null] }, "stops[] takes an object, not null"],
    [{ ...row, stops: [{ at: "noon" }] }, "stops[].at: 'noon' isn't an instant: write YYYY-MM-DDThh:mm:ssZ"],
    [{ ...row, counts: {} }, "counts takes a Map, not an object"],
    [{ ...row, counts: new Map([["x", 1]]) }, "a key of counts: 'x' isn't a day: write YYYY-MM-DD, such as 2024-01-31"],
    [
      { ...row, counts: new Map([["2024-01-31", 0.125]]) },
      "a value of counts: 0.125 has more than 2 decimals: round it first",
    ],
    [
      { ...row, id: "1", note: 1, vlaue: 1 },
      "vlaue isn't a column; id takes bigint or number, not string; note takes string, not number",
    ],
    [new Date(0), "they're Date"],
    [null, "they're null"],
    [[row], "they're an array"],
  ])("that doesn't fit is refused, with each of its misfits (%#)", (given, misfits) => {
    expect(refusal(given)).toBe(`rows don't fit lake.t: ${misfits} (row 7)`);
  });

  it("of a table whose columns aren't known is copied as it is", () => {
    const given = { a: [1n, { b: new Date(0) }] };
    const copy = untypedRow("by.name", given, 1);
    expect(copy).toEqual(given);
    given.a.length = 0;
    expect(copy).toEqual({ a: [1n, { b: new Date(0) }] });
    const message = "rows don't fit by.name: they're a promise (row 3)";
    expect(() => untypedRow("by.name", Promise.resolve({}), 3)).toThrow(
      expect.objectContaining({ code: "rows-misfit", message }),
    );
  });
});
