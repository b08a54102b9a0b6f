import { randomUUID } from "node:crypto";
import { openCatalog } from "@orcajs/iceberg";
import { expect, it } from "vitest";
import { columnsOf } from "../../core/datasets/column.ts";
import { previewOf } from "./preview.ts";
import { Warehouse } from "./warehouse.ts";

it("is the first rows of a table as texts, the long ones cut, with what its summary says", async () => {
  const location = `memory:${randomUUID()}`;
  await using catalog = openCatalog(location);
  await using warehouse = new Warehouse(location);
  const schema = { id: "long", name: "string?", place: { lat: "double" } } as const;
  await warehouse.ensure("lake.raw", columnsOf(schema, {}));
  const table = await catalog.loadTable("lake.raw");
  expect(await previewOf(warehouse, "lake.raw", 2)).toMatchObject({ snapshot: null, rows: [], columnCount: 3 });
  await table.append([
    { id: 9_007_199_254_740_993n, name: "x".repeat(500), place: { lat: 0.5 } },
    { id: 2n, name: null, place: { lat: 1 } },
    { id: 3n, name: "c", place: { lat: 2 } },
  ]);
  const preview = await previewOf(warehouse, "lake.raw", 2);
  expect(preview).toMatchObject({ dataset: "lake.raw", rowCount: 3, fileCount: 1, columnCount: 3 });
  expect(preview.columns.map(({ name, isNumber, isNullable }) => [name, isNumber, isNullable])).toEqual([
    ["id", true, false],
    ["name", false, true],
    ["place", false, false],
  ]);
  expect(preview.rows).toEqual([
    ["9007199254740993", `${"x".repeat(120)}…`, "{'lat': 0.5}"],
    ["2", null, "{'lat': 1.0}"],
  ]);
});

it("is refused of a table that isn't there", async () => {
  await using warehouse = new Warehouse(`memory:${randomUUID()}`);
  await expect(previewOf(warehouse, "lake.gone", 2)).rejects.toMatchObject({ code: "table-missing" });
});

it("takes no more of the machine than its engine may", async () => {
  await using warehouse = new Warehouse(`memory:${randomUUID()}`, { engine: { memoryLimit: "256MB", threads: 1 } });
  const limits = warehouse.engine
    .sql`select current_setting('memory_limit') as memory, current_setting('threads') as threads`;
  expect(await limits.toArray()).toEqual([{ memory: "244.1 MiB", threads: 1n }]);
});
