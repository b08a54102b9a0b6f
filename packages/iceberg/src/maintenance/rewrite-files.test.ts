import { afterAll, expect, it } from "vitest";
import { Engine } from "../engine/engine.ts";
import { eq } from "../predicate/predicate.ts";
import { rowsTable } from "../rows/rows-table.fixture.ts";

const engine = new Engine({ threads: 1 });
afterAll(() => engine[Symbol.asyncDispose]());

it("makes one file of a partition's small ones, with the same rows, and leaves partitions that have few", async () => {
  const { table, dataFiles } = await rowsTable({ columns: { day: "date", n: "long" }, partitionBy: ["day"] }, engine);
  for (let n = 0n; n < 5n; n++) await table.append([{ day: "2024-05-01", n }]);
  await table.append([{ day: "2024-05-02", n: 9n }]);
  const before = await table.scan<{ n: bigint }>().toArray();
  expect(await table.maintenance.rewriteFiles({ properties: { "weather.run": "7" } })).toEqual({
    removed: 5,
    added: 1,
  });
  expect(await dataFiles()).toHaveLength(2);
  const after = await table.scan<{ n: bigint }>().toArray();
  const byN = (a: { readonly n: bigint }, b: { readonly n: bigint }) => Number(a.n - b.n);
  expect(after.toSorted(byN)).toEqual(before.toSorted(byN));
  const { summary } = table.snapshots().at(-1)!;
  expect(summary).toMatchObject({ operation: "replace", "weather.run": "7", "total-records": "6" });
  expect(await table.maintenance.rewriteFiles()).toEqual({ removed: 0, added: 0 });
});

it("writes files by the columns and partitions that the table has now", async () => {
  const { table, dataFiles } = await rowsTable({ columns: { day: "date", n: "int" } }, engine);
  for (const day of ["2024-05-01", "2024-05-02"]) await table.append([{ day, n: 1 }]);
  await table.changeSchema([{ change: "add", column: "wind", type: "float?" }]);
  await table.changeSpec([{ change: "add", column: "day" }]);
  await table.maintenance.rewriteFiles({ minInputFiles: 2 });
  expect(await dataFiles()).toEqual([
    expect.stringContaining("/day=2024-05-01/"),
    expect.stringContaining("/day=2024-05-02/"),
  ]);
  const where = eq("day", "2024-05-02");
  expect(await table.scan({ where }).files()).toHaveLength(1);
  expect(await table.scan({ where }).toArray()).toEqual([{ day: "2024-05-02", n: 1, wind: null }]);
});

it("is refused, and leaves no file, if a file hasn't the rows that its manifest says", async () => {
  const { table, dataFolder } = await rowsTable({ columns: { n: "int" } }, engine);
  for (const n of [1, 2]) await table.append([{ n }]);
  const [task] = await table.scan().files();
  const lying = { specId: 0, file: { ...task!.file.file, recordCount: 7, path: task!.file.file.path } };
  await table.commit({ operation: "delete", remove: [task!.file] });
  await table.commit({ operation: "append", add: [lying] });
  const before = await dataFolder();
  await expect(table.maintenance.rewriteFiles({ minInputFiles: 2 })).rejects.toMatchObject({ code: "invalid-file" });
  expect(await dataFolder()).toEqual(before);
});
