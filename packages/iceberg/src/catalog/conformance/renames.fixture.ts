import { beforeAll, describe, expect, it } from "vitest";
import type { Catalog } from "../catalog.ts";
import { COLUMNS, outcomeOf, type TestCatalog } from "./test-catalog.fixture.ts";

export function renamesConform(tested: () => TestCatalog): void {
  let catalog: Catalog;
  beforeAll(async () => {
    ({ catalog } = tested());
    await catalog.createNamespace("renames");
    await catalog.createNamespace("renames.to");
  });

  describe("tables that are renamed", () => {
    it("are the same table under the other name", async () => {
      const table = await catalog.createTable("renames.a", { columns: COLUMNS });
      await catalog.renameTable("renames.a", "renames.to.b");
      expect(await catalog.tableExists("renames.a")).toBe(false);
      const renamed = await catalog.loadTable("renames.to.b");
      expect(renamed.metadata).toEqual(table.metadata);
      expect(await outcomeOf(table.refresh())).toBe("table-missing");
    });

    it("must be there, and the other name free", async () => {
      await catalog.createTable("renames.c", { columns: COLUMNS });
      await catalog.createTable("renames.d", { columns: COLUMNS });
      expect(await outcomeOf(catalog.renameTable("renames.c", "renames.d"))).toBe("table-exists");
      expect(await outcomeOf(catalog.renameTable("renames.none", "renames.e"))).toBe("table-missing");
      expect(await outcomeOf(catalog.renameTable("renames.c", "none.c"))).toBe("namespace-missing");
    });
  });
}
