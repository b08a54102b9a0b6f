import { beforeAll, describe, expect, it } from "vitest";
import { transformText } from "../../partition/transform.ts";
import { typeText } from "../../schema/type-text.ts";
import type { Catalog } from "../catalog.ts";
import { COLUMNS, outcomeOf, type TestCatalog } from "./test-catalog.fixture.ts";

export function tablesConform(tested: () => TestCatalog): void {
  let catalog: Catalog;
  beforeAll(async () => {
    ({ catalog } = tested());
    await catalog.createNamespace("tables");
  });

  describe("tables", () => {
    it("are made as they are wished for, and read as they were made", async () => {
      const created = await catalog.createTable("tables.wished", {
        columns: {
          ...COLUMNS,
          place: { lat: "double", lon: "double?" },
          tags: ["string?"],
          counts: { "[string]": "int" },
        },
        identifiedBy: ["id"],
        partitionBy: ["day", { column: "id", transform: "bucket[16]" }],
        sortBy: ["day", { column: "mm", direction: "desc" }],
        properties: { owner: "me" },
      });
      for (const table of [created, await tested().another().loadTable("tables.wished")]) {
        expect(table.name).toBe("tables.wished");
        expect(table.schema.fields.map((f) => `${f.name}: ${typeText(f.type)}${f.required ? "" : "?"}`)).toEqual([
          "id: long",
          "day: date",
          "mm: double?",
          "place: struct<lat: double, lon: double>",
          "tags: list<string>",
          "counts: map<string, int>",
        ]);
        expect(table.schema.identifierIds).toEqual([1]);
        expect(table.spec.fields.map((f) => [f.name, transformText(f.transform), f.fieldId])).toEqual([
          ["day", "identity", 1000],
          ["id_bucket_16", "bucket[16]", 1001],
        ]);
        expect(table.sortOrder).toMatchObject({
          id: 1,
          fields: [
            { sourceId: 2, direction: "asc", nullOrder: "nulls-first" },
            { sourceId: 3, direction: "desc", nullOrder: "nulls-last" },
          ],
        });
        expect(table.properties).toMatchObject({ owner: "me" });
        expect(table.metadata["format-version"]).toBe(2);
        expect(table.snapshots()).toEqual([]);
        expect(table.history).toEqual([]);
      }
      expect(created.metadata["table-uuid"]).toMatch(/^[0-9a-f-]{36}$/);
    });

    it("of version 1 are made too, and upgraded", async () => {
      const table = await catalog.createTable("tables.first", { columns: COLUMNS, formatVersion: 1 });
      expect((await catalog.loadTable("tables.first")).metadata["format-version"]).toBe(1);
      await table.upgrade(2);
      await table.upgrade(2);
      expect((await catalog.loadTable("tables.first")).metadata["format-version"]).toBe(2);
    });

    it("are made once, whoever tries at the same time", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () =>
          outcomeOf(tested().another().createTable("tables.raced", { columns: COLUMNS })),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "table-exists")).toHaveLength(7);
    });

    it("are listed by their full names", async () => {
      await catalog.createNamespace("listed");
      await catalog.createNamespace("listed.inner");
      expect(await catalog.listTables("listed")).toEqual([]);
      await catalog.createTable("listed.b", { columns: COLUMNS });
      await catalog.createTable("listed.a", { columns: COLUMNS });
      await catalog.createTable("listed.inner.c", { columns: COLUMNS });
      expect((await catalog.listTables("listed")).toSorted()).toEqual(["listed.a", "listed.b"]);
      expect(await catalog.listTables("listed.inner")).toEqual(["listed.inner.c"]);
      expect(await catalog.listNamespaces("listed")).toEqual(["listed.inner"]);
    });

    it("that were dropped are no more, and can be made anew", async () => {
      const { metadata } = await catalog.createTable("tables.dropped", { columns: COLUMNS });
      expect(await catalog.tableExists("tables.dropped")).toBe(true);
      await catalog.dropTable("tables.dropped");
      expect(await catalog.tableExists("tables.dropped")).toBe(false);
      expect(await outcomeOf(catalog.loadTable("tables.dropped"))).toBe("table-missing");
      expect(await outcomeOf(catalog.dropTable("tables.dropped"))).toBe("table-missing");
      const anew = await catalog.createTable("tables.dropped", { columns: { other: "int" } });
      expect(anew.metadata["table-uuid"]).not.toBe(metadata["table-uuid"]);
    });

    it("that are purged leave no file", async () => {
      const table = await catalog.createTable("tables.purged", { columns: COLUMNS });
      await tested().files.write(`${table.location}/data/a.parquet`, "x");
      await catalog.dropTable("tables.purged", { purge: true });
      const left: string[] = [];
      for await (const { uri } of tested().files.list(table.location)) left.push(uri);
      expect(left).toEqual([]);
    });

    it.each([
      [{ columns: { a: "varchar" } }, "column a has the type 'varchar', which there isn't: write string"],
      [{ columns: {} }, "a table has no columns"],
      [{}, "a table has either columns or fields: give one of them"],
      [{ columns: { a: "int" }, partitionBy: ["b"] }, "there is no column b to partition by"],
      [{ columns: { a: "int" }, sortBy: ["b"] }, "there is no column b to sort by"],
      [{ columns: { a: "int?" }, identifiedBy: ["a"] }, "field a can't be an identifier: it is optional"],
    ])("that can't be are refused: %o", async (wished, message) => {
      await expect(catalog.createTable("tables.refused", wished)).rejects.toMatchObject({ message });
      expect(await catalog.tableExists("tables.refused")).toBe(false);
    });
  });
}
