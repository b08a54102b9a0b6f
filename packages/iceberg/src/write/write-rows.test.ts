import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { fromBytes } from "../values/binary.ts";
import { columns, sqlSource, testTable } from "./table.fixture.ts";
import { writeRows } from "./write-rows.ts";

it("writes a query's rows into a file with ids, counts and bounds", async () => {
  await using table = await testTable(columns({ n: "long!", name: "string", x: "double" }));
  const source = sqlSource("SELECT i AS n, 'n' || i AS name, i / 2 AS x FROM range(1000) t(i)");
  const [written, ...others] = await writeRows(table, source);
  expect(others).toEqual([]);
  const { specId, file } = written!;
  expect(specId).toBe(0);
  expect(file).toMatchObject({ content: "data", format: "parquet", partition: [], recordCount: 1000, sortOrderId: 0 });
  expect(file.path).toMatch(/\/table\/data\/[0-9a-f-]{36}\.parquet$/);
  expect(file.sizeBytes).toBe(await table.files.sizeBytes(file.path));
  expect(file.splitOffsets).toEqual([4]);
  expect(file.valueCounts).toEqual(
    new Map([
      [1, 1000],
      [2, 1000],
      [3, 1000],
    ]),
  );
  expect(file.nullCounts).toEqual(
    new Map([
      [1, 0],
      [2, 0],
      [3, 0],
    ]),
  );
  expect(file.nanCounts).toEqual(new Map([[3, 0]]));
  expect(fromBytes({ kind: "long" }, file.lowerBounds!.get(1)!)).toBe(0n);
  expect(fromBytes({ kind: "long" }, file.upperBounds!.get(1)!)).toBe(999n);
  expect(fromBytes({ kind: "string" }, file.upperBounds!.get(2)!)).toBe("n999");
  expect(await table.query([written!], "SELECT count(*) AS c, sum(n) AS s FROM files")).toEqual([
    { c: 1000n, s: 499500n },
  ]);
  const ids = await table.engine.use(undefined, async (c) =>
    (
      await c.runAndReadAll(`SELECT name, field_id FROM parquet_schema('${file.path}') WHERE field_id IS NOT NULL`)
    ).getRowsJS(),
  );
  expect(ids).toEqual(
    [
      ["n", 1],
      ["name", 2],
      ["x", 3],
    ].map(([n, id]) => [n, typeof id === "number" ? BigInt(id) : id]),
  );
  expect(await readdir(`${table.folder}/table/data`)).toHaveLength(1);
});
