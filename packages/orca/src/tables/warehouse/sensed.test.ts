import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { senseDataset } from "./sensed.ts";
import { day, raw, TestRun } from "./warehouse-tables.fixture.ts";
import { Warehouse } from "./warehouse.ts";

let folder: string;
let run: TestRun;
let warehouse: Warehouse;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "orca-sensed-"));
  run = new TestRun(folder);
  warehouse = new Warehouse(folder);
});
afterEach(async () => {
  await warehouse[Symbol.asyncDispose]();
  await run[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

it("snapshots are told with who made them, without its manifests and data files", async () => {
  const id = await run.attempt(2, "2024-02").append(raw, [{ id: 1, day }]);
  const location = `${folder}/lake/raw`;
  const files = await readdir(location, { recursive: true, withFileTypes: true });
  for (const file of files) if (/\.(parquet|avro)$/.test(file.name)) await rm(path.join(file.parentPath, file.name));
  expect(await senseDataset(warehouse, "lake.raw")).toEqual({
    dataset: "lake.raw",
    location,
    snapshots: [
      {
        id,
        at: expect.any(Date) as unknown,
        operation: "append",
        partitions: undefined,
        by: { pipeline: "lake", run: 7, runToken: expect.any(String) as unknown, step: "load", partition: "2024-02" },
      },
    ],
  });
});

it("a snapshot of another writer has the partitions that its summary says, and no maker", async () => {
  await run.attempt().append(raw, [{ id: 1, day }]);
  const table = await run.catalog.loadTable("lake.raw");
  await table.append([{ id: 2, day }], { properties: { "orca.partitions": "2024-01-30, 2024-01-31" } });
  expect((await senseDataset(warehouse, "lake.raw")).snapshots).toMatchObject([
    { id: table.scan().snapshot!["snapshot-id"], partitions: ["2024-01-30", "2024-01-31"], by: undefined },
    { id: table.scan().snapshot!["parent-snapshot-id"], partitions: undefined, by: { step: "load" } },
  ]);
});

it("a table that isn't there, and one without a snapshot, are told", async () => {
  expect(await senseDataset(warehouse, "lake.raw")).toEqual({
    dataset: "lake.raw",
    location: undefined,
    snapshots: [],
  });
  await run.attempt().ensureTable(raw);
  expect(await senseDataset(warehouse, "lake.raw")).toEqual({
    dataset: "lake.raw",
    location: `${folder}/lake/raw`,
    snapshots: [],
  });
});
