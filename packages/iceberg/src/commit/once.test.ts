import { expect, it } from "vitest";
import { CommitTable, pathsOf } from "./commit-table.fixture.ts";
import { commitFiles } from "./commit-files.ts";

it("of all who make the same commit at once one lands, and the others are given its snapshot and leave no file", async () => {
  const table = await CommitTable.make();
  const once = { "load.day": "2024-05-01" };
  const base = await table.load();
  const tries = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const other = table.another();
      const add = [await other.file()];
      const change = { operation: "append" as const, add, properties: { "load.host": "a" } };
      const options = { base, once, deletesAddedOnFailure: true };
      return { add, ...(await commitFiles(other.operations, change, options)) };
    }),
  );
  const [only, ...others] = new Set(tries.map(({ snapshot }) => snapshot["snapshot-id"]));
  expect(others).toEqual([]);
  const { metadata } = await table.load();
  expect(metadata.snapshots.map((s) => s["snapshot-id"])).toEqual([only]);
  expect(metadata.snapshots[0]?.summary).toMatchObject({ ...once, "load.host": "a", "total-data-files": "1" });
  const landed = await table.paths();
  expect(tries.map(({ add }) => pathsOf(add)[0])).toContain(landed[0]);
  expect(await table.names(".parquet")).toEqual(landed.map((path) => path.slice(table.location.length + 1)));
  expect(await table.names(".avro")).toHaveLength(2);
});

it("a commit that landed before others' is found behind them", async () => {
  const table = await CommitTable.make();
  const once = { "load.day": "2024-05-01" };
  const change = async () => ({ operation: "append" as const, add: [await table.file()] });
  const { snapshot } = await commitFiles(table.operations, await change(), { once });
  await commitFiles(table.operations, await change());
  const again = await commitFiles(table.operations, await change(), { once });
  expect(again.snapshot).toEqual(snapshot);
  expect((await table.load()).metadata.snapshots).toHaveLength(2);
  await commitFiles(table.operations, await change(), { once: { "load.day": "2024-05-02" } });
  expect((await table.load()).metadata.snapshots).toHaveLength(3);
});
