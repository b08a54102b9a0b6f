import { beforeAll, describe, expect, it } from "vitest";
import type { Catalog } from "../catalog.ts";
import { COLUMNS, outcomeOf, type TestCatalog } from "./test-catalog.fixture.ts";

export function namespacesConform(tested: () => TestCatalog): void {
  let catalog: Catalog;
  beforeAll(() => {
    ({ catalog } = tested());
  });

  describe("namespaces", () => {
    it("are made, listed and dropped, also within others", async () => {
      await catalog.createNamespace("spaces");
      await catalog.createNamespace("spaces.inner");
      await catalog.createNamespace("spaces.inner.most");
      await catalog.createNamespace("spaces.other");
      expect(await catalog.listNamespaces()).toContain("spaces");
      expect(await catalog.listNamespaces("spaces")).toEqual(["spaces.inner", "spaces.other"]);
      expect(await catalog.listNamespaces("spaces.other")).toEqual([]);
      await catalog.dropNamespace("spaces.other");
      expect(await catalog.listNamespaces("spaces")).toEqual(["spaces.inner"]);
    });

    it("are there once, whoever tries to make them at the same time", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, () => outcomeOf(tested().another().createNamespace("raced"))),
      );
      expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "namespace-exists")).toHaveLength(4);
    });

    it("that aren't there have no tables, and can't be dropped or listed", async () => {
      expect(await outcomeOf(catalog.createTable("absent.t", { columns: COLUMNS }))).toBe("namespace-missing");
      expect(await outcomeOf(catalog.listTables("absent"))).toBe("namespace-missing");
      expect(await outcomeOf(catalog.listNamespaces("absent"))).toBe("namespace-missing");
      expect(await outcomeOf(catalog.dropNamespace("absent"))).toBe("namespace-missing");
      expect(await outcomeOf(catalog.createNamespace("absent.inner"))).toBe("namespace-missing");
      expect(await outcomeOf(catalog.loadTable("absent.t"))).toBe("table-missing");
      expect(await catalog.tableExists("absent.t")).toBe(false);
    });

    it("that aren't empty can't be dropped", async () => {
      await catalog.createNamespace("full");
      await catalog.createTable("full.t", { columns: COLUMNS });
      await expect(catalog.dropNamespace("full")).rejects.toMatchObject({
        code: "invalid-change",
        message: expect.stringContaining("namespace full"),
      });
      await catalog.dropTable("full.t", { purge: true });
      await catalog.dropNamespace("full");
      expect(await catalog.listNamespaces()).not.toContain("full");
    });
  });

  it.each([
    ["", "it is empty"],
    ["plain", "it has no namespace"],
    ["a..b", "a part of it is empty"],
    [".a", "a part of it is empty"],
    ["a/b.c", "no part of it has slashes, dots or control characters"],
    ["a\\b.c", "no part of it has slashes, dots or control characters"],
    ["a\n.c", "no part of it has slashes, dots or control characters"],
    ["\ud800.c", "it has half of a surrogate pair in it"],
    ["a. c", "no part of it begins or ends with a space"],
    [`a.${"ä".repeat(128)}`, "a part of it has more than 255 bytes"],
  ])("a table can't be called %j", async (name, why) => {
    const error = { code: "invalid-name", message: expect.stringContaining(why) };
    await expect(catalog.createTable(name, { columns: COLUMNS })).rejects.toMatchObject(error);
    await expect(catalog.loadTable(name)).rejects.toMatchObject(error);
    await expect(catalog.tableExists(name)).rejects.toMatchObject(error);
    await expect(catalog.dropTable(name)).rejects.toMatchObject(error);
    await expect(catalog.renameTable(name, "a.b")).rejects.toMatchObject(error);
    await expect(catalog.renameTable("a.b", name)).rejects.toMatchObject(error);
  });

  it.each(["Zeit.Größe", "a b.c d", "x.日本", "x.100%", "x.a%2Fb", "x.a=b&c?d#e+f", "x.metadata", "x._t"])(
    "a table may be called %j",
    async (name) => {
      const [namespace] = name.split(".");
      const outcome = await outcomeOf(catalog.createNamespace(namespace!));
      expect(["done", "namespace-exists"]).toContain(outcome);
      const table = await catalog.createTable(name, { columns: COLUMNS });
      expect(table.name).toBe(name);
      expect((await catalog.loadTable(name)).metadata["table-uuid"]).toBe(table.metadata["table-uuid"]);
      expect(await catalog.listTables(namespace!)).toContain(name);
      await catalog.dropTable(name, { purge: true });
      expect(await catalog.tableExists(name)).toBe(false);
    },
  );
}
