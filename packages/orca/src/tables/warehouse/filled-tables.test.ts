import { describe, expect, it } from "vitest";
import { dataset } from "../../core/datasets/dataset.ts";
import { attempt, day, raw, refused, rowsOf, tables } from "./test-tables.fixture.ts";

describe("a table that a test fills by its name", () => {
  it("has the columns that a step declares, and its rows become what those hold", async () => {
    await tables.fill("lake.raw", [{ id: 1, day }]);
    expect(await attempt().scan(raw).toArray()).toEqual([{ id: 1n, day, value: null }]);
    await expect(tables.fill("lake.raw", [{ id: "1", day }])).rejects.toThrow(
      refused("rows-misfit", "rows don't fit lake.raw: id takes bigint or number, not string (row 1)"),
    );
  });

  it("has the columns of its rows, if no step declares others", async () => {
    const bytes = new Uint8Array([1]);
    await tables.fill("by.name", [
      { a: 1n, b: 1.5, c: true, d: "2024-01-31", e: "x", f: new Date(0), g: bytes, h: null },
      { a: null, i: "2024-01-31" },
      { i: "and not a day" },
    ]);
    const none = { a: null, b: null, c: null, d: null, e: null, f: null, g: null, h: null };
    const rows = [
      { a: 1n, b: 1.5, c: true, d: "2024-01-31", e: "x", f: "1970-01-01T00:00:00.000000Z", g: bytes, h: null, i: null },
      { ...none, i: "2024-01-31" },
      { ...none, i: "and not a day" },
    ];
    expect(await rowsOf("by.name")).toEqual(rows);
    await tables.fill("by.name", [{ i: "more" }]); // the table has its columns now
    expect(await rowsOf("by.name")).toEqual([...rows, { ...none, i: "more" }]);
  });

  it("is refused where its columns can't be told", async () => {
    await expect(tables.fill("by.name", [])).rejects.toThrow(
      refused("rows-misfit", "there are no rows of 'by.name' to tell its columns by: give it as a dataset"),
    );
    for (const value of [1n, { nested: 1 }])
      await expect(tables.fill("by.name", [{ a: "x" }, { a: value }])).rejects.toThrow(
        refused(
          "rows-misfit",
          "column a of 'by.name' holds values of several types, or none of a plain one: give it as a dataset",
        ),
      );
    await expect(tables.fill("by.name", [1] as never)).rejects.toThrow(
      refused("rows-misfit", "rows don't fit by.name: they're number (row 1)"),
    );
  });
});

describe("a table that is declared with other columns", () => {
  it("gets those that may be null", async () => {
    await tables.fill(dataset("lake.raw", { day: "date", id: "long" }), [{ id: 1, day }]);
    const ctx = attempt();
    expect(await ctx.scan(raw).toArray()).toEqual([{ id: 1n, day, value: null }]);
    expect(await ctx.sql`select value from ${ctx.scan(raw)}`.toArray()).toEqual([{ value: null }]);
    await tables.fill(raw, [{ id: 2, day, value: 2 }]);
    expect((await ctx.table(raw)).columns.map((c) => c.name)).toEqual(["day", "id", "value"]);
  });

  it("is refused where anything else differs, and stays as it was", async () => {
    const differs = (says: string) =>
      refused(
        "table-drifted",
        `the table of 'lake.raw' isn't as the dataset is declared: ${says}; change the one or the other`,
      );
    await tables.fill(raw, [{ id: 1, day }]);
    await expect(tables.fill(dataset("lake.raw", { id: "long", day: "date" }), [])).rejects.toThrow(
      differs("value is only in the table"),
    );
    const other = dataset("lake.raw", { id: "int", day: "date", value: "double?", note: "string" });
    await expect(tables.fill(other, [])).rejects.toThrow(
      differs("id is int as it is declared and long in the table; note is only as it is declared"),
    );
    expect((await attempt().table(raw)).columns.map((c) => c.name)).toEqual(["id", "day", "value"]);
  });

  it("is refused when it is ensured, too", async () => {
    const ctx = attempt();
    await ctx.ensureTable("by.name", { id: "long" });
    await ctx.ensureTable("by.name", { id: "long", note: "string?" });
    await expect(ctx.ensureTable("by.name", { id: "string", note: "string?" })).rejects.toThrow(
      expect.objectContaining({ code: "table-drifted" }),
    );
    await ctx.append("by.name", [{ id: 1 }]);
    expect(await rowsOf("by.name")).toEqual([{ id: 1n, note: null }]);
  });
});
