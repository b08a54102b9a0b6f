import { describe, expect, it } from "vitest";
import { dataset } from "../core/datasets/dataset.ts";
import { attempt, day, raw, refused, rowsOf, tables } from "./memory-tables.fixture.ts";

describe("a table known by its name", () => {
  it("takes rows of any columns, and gives them back", async () => {
    const rows = [{ a: 1 }, { b: [new Date(0), { c: 1n }] }];
    await attempt().append("by.name", rows);
    expect(rowsOf("by.name")).toEqual(rows);
    await expect(attempt("2024-02").append("by.name", [1] as never)).rejects.toThrow(
      refused("rows-misfit", "rows don't fit by.name: they're number (row 1)"),
    );
  });

  it("has the columns of its dataset once a step knows them, and its rows become what those hold", async () => {
    await tables.fill("lake.raw", [{ id: 1, day }]);
    expect(await attempt().scan(raw).toArray()).toEqual([{ id: 1n, day, value: null }]);
  });

  it("is refused to a step that knows its columns if its rows don't fit them", async () => {
    await tables.fill("lake.raw", [{ id: "1", day }]);
    expect(() => attempt().scan(raw)).toThrow(
      refused("rows-misfit", "rows don't fit lake.raw: id takes bigint or number, not string (row 1)"),
    );
  });
});

describe("a table that learns columns", () => {
  it("holds rows that fit them, also those that were coming meanwhile", async () => {
    const go = Promise.withResolvers<void>();
    async function* rows() {
      yield { id: 1 };
      await go.promise;
    }
    const ctx = attempt();
    const coming = ctx.append("by.name", rows());
    await ctx.ensureTable("by.name", { id: "long", note: "string?" });
    go.resolve();
    await coming;
    expect(rowsOf("by.name")).toEqual([{ id: 1n, note: null }]);
  });
});

describe("a table that is declared with other columns", () => {
  it("gets those that may be null", async () => {
    await tables.fill(dataset("lake.raw", { day: "date", id: "long" }), [{ id: 1, day }]);
    const ctx = attempt();
    expect((await ctx.table(raw)).columns.map((c) => c.name)).toEqual(["day", "id", "value"]);
    expect(await ctx.scan(raw).toArray()).toEqual([{ id: 1n, day, value: null }]);
    expect(await ctx.sql`select value from ${ctx.scan(raw)}`.toArray()).toEqual([{ value: null }]);
  });

  it("is refused where anything else differs, and stays as it was", async () => {
    const differs = (says: string) =>
      refused(
        "invalid-dataset",
        `'lake.raw' is declared with other columns than its table has: ${says}: declare the table's columns, and no more but those that may be null`,
      );
    await tables.fill(raw, [{ id: 1, day }]);
    await expect(tables.fill(dataset("lake.raw", { id: "long", day: "date" }), [])).rejects.toThrow(
      differs("value is only in the table"),
    );
    expect(() => tables.get(dataset("lake.raw", { id: "int", day: "date", value: "double?", note: "string" }))).toThrow(
      differs("id is long in the table and int in the declaration; note is only in the declaration"),
    );
    expect(tables.get("lake.raw").columns).toEqual(raw.columns);
    expect(await attempt().scan(raw).toArray()).toHaveLength(1);
  });

  it("is refused when it is ensured, too", async () => {
    const ctx = attempt();
    await ctx.ensureTable("by.name", { id: "long" });
    await ctx.ensureTable("by.name", { id: "long", note: "string?" });
    await expect(ctx.ensureTable("by.name", { id: "string", note: "string?" })).rejects.toThrow(
      expect.objectContaining({ code: "invalid-dataset" }),
    );
    await ctx.append("by.name", [{ id: 1 }]);
    expect(rowsOf("by.name")).toEqual([{ id: 1n, note: null }]);
  });
});
