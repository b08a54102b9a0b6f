import { describe, expect, it } from "vitest";
import { attempt, clean, day, kinds, refused, renewTables, rowsOf, tables } from "./test-tables.fixture.ts";

const byNumber = async () => (await rowsOf("by.name")).toSorted((a, b) => Number(a["n"]) - Number(b["n"]));

describe("an overwrite", () => {
  const ids = async () => (await rowsOf("lake.clean")).map((row) => Number(row["id"])).toSorted((a, b) => a - b);

  it("replaces exactly the rows where it is", async () => {
    await tables.fill(clean, [
      { id: 1, day },
      { id: 2, day: "2024-01-30" },
      { id: 3, day, note: "x" },
    ]);
    await attempt().overwrite(clean, [{ id: 4, day }], { where: { day } });
    expect(await ids()).toEqual([2, 4]);
  });

  it("replaces them by nothing at all, too", async () => {
    await tables.fill(clean, [
      { id: 1, day },
      { id: 2, day: "2024-01-30" },
    ]);
    await attempt().overwrite(clean, [], { where: { day } });
    expect(await ids()).toEqual([2]);
  });

  it("is where all the columns given are, of which one may be null", async () => {
    await tables.fill(clean, [
      { id: 1, day },
      { id: 2, day, note: "x" },
      { id: 3, day: "2024-01-30" },
    ]);
    await attempt().overwrite(clean, [{ id: 4, day }], { where: { day, note: null } });
    expect(await ids()).toEqual([2, 3, 4]);
  });

  it("without any column is of the whole table", async () => {
    await tables.fill(clean, [{ id: 1, day }]);
    await attempt().overwrite(clean, [{ id: 4, day: "2024-01-30" }], { where: {} });
    expect(await ids()).toEqual([4]);
  });

  it("compares values as they are stored, of every type", async () => {
    const given = [
      { id: 1, counts: new Map([["a", 1]]), bytes: Buffer.from("a"), price: 1.5, at: new Date(0) },
      { id: 2, counts: new Map([["a", 2]]), bytes: Buffer.from("b"), price: "1.51", at: new Date(1) },
    ] as const;
    const left = async (where: object) => {
      await renewTables();
      await tables.fill(kinds, given);
      await attempt().overwrite(kinds, [], { where });
      return (await rowsOf("lake.kinds")).map((row) => Number(row["id"]));
    };
    expect(await left({ id: 1n })).toEqual([2]);
    expect(await left({ bytes: new Uint8Array([97]) })).toEqual([2]);
    expect(await left({ price: "1.50" })).toEqual([2]);
    expect(await left({ at: "1970-01-01T00:00Z" })).toEqual([2]);
    expect(await left({ price: "1.52" })).toEqual([1, 2]);
    await expect(left({ counts: new Map() })).rejects.toThrow(
      refused("rows-misfit", "where doesn't fit lake.kinds: counts is a map, which rows can't be chosen by"),
    );
  });

  it("is of a table known by its name by values as they are", async () => {
    await tables.fill("by.name", [{ day, n: 1 }, { n: 2 }, { day: "2024-01-30", n: 3 }]);
    await attempt().overwrite("by.name", [{ day, n: 4 }], { where: { day } });
    const kept = [
      { day: null, n: 2 },
      { day: "2024-01-30", n: 3 },
      { day, n: 4 },
    ];
    expect(await byNumber()).toEqual(kept);
    await attempt("2024-02").overwrite("by.name", [], { where: { day: null } });
    expect(await byNumber()).toEqual(kept.slice(1));
  });

  it("with a row outside of where it is is refused, and replaces nothing", async () => {
    await tables.fill(clean, [{ id: 1, day }]);
    const rows = [
      { id: 2, day },
      { id: 3, day: "2024-01-30" },
    ] as const;
    await expect(attempt().overwrite(clean, rows, { where: { day } })).rejects.toThrow(
      refused(
        "rows-misfit",
        "rows don't fit lake.clean: the overwrite replaces only rows where day is 2024-01-31 (row 2)",
      ),
    );
    expect(await ids()).toEqual([1]);
  });

  it("where a value is undefined is refused: it is what a mistyped name gives", async () => {
    const where = { day: undefined, note: undefined };
    await expect(attempt().overwrite(clean, [], { where: where as never })).rejects.toThrow(
      refused(
        "rows-misfit",
        "where doesn't fit lake.clean: day is undefined: write null for rows that have none; note is undefined: write null for rows that have none",
      ),
    );
    await tables.fill("by.name", [{ day }]);
    await expect(attempt().overwrite("by.name", [], { where: { day: undefined } })).rejects.toThrow(
      refused("rows-misfit", "where doesn't fit by.name: day is undefined: write null for rows that have none"),
    );
  });
});
