import { readdir } from "node:fs/promises";
import * as arrow from "apache-arrow";
import { describe, expect, it } from "vitest";
import type { TableMetadata } from "../metadata/table-metadata.ts";
import { sortOrderToJson } from "../partition/sort-order.ts";
import { fromBytes } from "../values/binary.ts";
import { columns, sqlSource, testTable } from "./table.fixture.ts";
import { writeRows, type WriteOptions } from "./write-rows.ts";

const SMALL: WriteOptions = { rowGroupRows: 2048, targetFileSizeBytes: 40_000, compression: "uncompressed" };
const NUMBERS = sqlSource("SELECT i AS n, hash(i)::HUGEINT % 1000 AS h FROM range(20000) t(i)");

function sortedBy(metadata: TableMetadata, sourceId: number): TableMetadata {
  const fields = [{ sourceId, transform: { kind: "identity" }, direction: "desc", nullOrder: "nulls-last" }] as const;
  return { ...metadata, "sort-orders": [sortOrderToJson({ id: 1, fields }) as never], "default-sort-order-id": 1 };
}

// with a column that DuckDB's COPY can't write as other readers need it, the files are written in another way
describe.each([{}, { code: "fixed[2]" }])("columns with %j", (more) => {
  it("parts rows into files of about the size that is wanted", async () => {
    await using table = await testTable(columns({ n: "long", h: "long", ...more }));
    const written = await writeRows(table, NUMBERS, SMALL);
    expect(written.length).toBeGreaterThan(3);
    for (const { file } of written) expect(file.sizeBytes).toBeLessThan(120_000);
    expect(await table.query(written, "SELECT count(DISTINCT n) AS n FROM files")).toEqual([{ n: 20000n }]);
  });

  it("parts the files of partitions, too", async () => {
    await using table = await testTable(columns({ n: "long", h: "long", ...more }), {
      partitionBy: [{ column: "n", transform: "bucket[2]" }],
    });
    const written = await writeRows(table, NUMBERS, SMALL);
    expect(written.length).toBeGreaterThan(3);
    expect(new Set(written.map(({ file }) => file.partition[0]))).toEqual(new Set([0, 1]));
    expect(await table.query(written, "SELECT count(DISTINCT n) AS n FROM files")).toEqual([{ n: 20000n }]);
  });

  it.each([[[]], [[{ column: "n", transform: "truncate[7000]" }]]])(
    "sorts the rows of each file (partitions: %j)",
    async (partitionBy) => {
      await using table = await testTable(columns({ n: "long", h: "long", ...more }), { partitionBy });
      const metadata = sortedBy(table.metadata, 2);
      const written = await writeRows({ ...table, metadata }, NUMBERS, SMALL);
      expect(written.length).toBeGreaterThan(3);
      for (const one of written) {
        expect(one.file.sortOrderId).toBe(1);
        const rows = await table.query([one], "SELECT h FROM files");
        const values = rows.map((row) => row["h"] as bigint);
        expect(values).toEqual(values.toSorted((a, b) => Number(b - a)));
      }
      expect(await table.query(written, "SELECT count(DISTINCT n) AS n, count(h) AS h FROM files")).toEqual([
        { n: 20000n, h: 20000n },
      ]);
    },
  );
});

it("writes a file for each of 1,500 partitions, nulls, long texts and texts that paths can't have among them", async () => {
  await using table = await testTable(columns({ p: "string", n: "int" }), { partitionBy: [{ column: "p" }] });
  const source = sqlSource(
    "SELECT CASE i % 1500 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'null' WHEN 3 THEN '../é /=%' WHEN 4 THEN repeat('x', 200) ELSE 'p' || i % 1500 END AS p, i AS n FROM range(6000) t(i)",
  );
  const written = await writeRows(table, source);
  expect(written).toHaveLength(1500);
  expect(written.reduce((sum, { file }) => sum + file.recordCount, 0)).toBe(6000);
  const partitions = new Set(written.map(({ file }) => file.partition[0]));
  expect(partitions.size).toBe(1500);
  for (const p of [null, "", "null", "../é /=%", "x".repeat(200)]) expect(partitions.has(p)).toBe(true);
  expect(await readdir(`${table.folder}/table/data`)).toHaveLength(1499); // null and "null" share a folder
});

it("keeps rows in memory only so far, and writes all of them", async () => {
  await using table = await testTable(
    columns(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`c${i}`, "int"]))),
  );
  async function* rows() {
    for (let n = 0; n < 170_000; n++) yield { c0: n };
  }
  const written = await writeRows(table, rows());
  expect(await table.query(written, "SELECT count(*) AS n, sum(c0) AS s, count(c99) AS nulls FROM files")).toEqual([
    { n: 170_000n, s: 14_449_915_000n, nulls: 0n },
  ]);
}, 60_000);

it("takes signs of patterns in folders for what they are, and shortens the names of partitions that are too long for paths", async () => {
  await using table = await testTable(columns({ x: "double", s: "string" }), { partitionBy: [{ column: "s" }] });
  const metadata = { ...table.metadata, location: `${table.folder}/[a-z]*'?` };
  const written = await writeRows({ ...table, metadata }, [
    { x: Number.NaN, s: "é".repeat(6000) },
    { x: 1, s: "*" },
  ]);
  const byPartition = new Map(written.map(({ file }) => [file.partition[0], file.nanCounts!.get(1)]));
  expect(byPartition).toEqual(
    new Map([
      ["é".repeat(6000), 1],
      ["*", 0],
    ]),
  );
});

it("uploads the files of tables that are elsewhere", async () => {
  await using table = await testTable(columns({ n: "long" }), { location: "memory:writes/table" });
  const [written] = await writeRows(table, [{ n: 7n }]);
  expect(written!.file.path).toMatch(/^memory:writes\/table\/data\/[^/]*\.parquet$/);
  expect(await table.files.sizeBytes(written!.file.path)).toBe(written!.file.sizeBytes);
});

it("makes no file of no rows", async () => {
  await using table = await testTable(columns({ n: "long" }), { partitionBy: [{ column: "n" }] });
  expect(await writeRows(table, [])).toEqual([]);
  expect(await writeRows(table, sqlSource("SELECT 1 AS n WHERE false"))).toEqual([]);
});

it("has the statistics that the table's properties ask for", async () => {
  const properties = {
    "write.metadata.metrics.default": "counts",
    "write.metadata.metrics.column.a": "none",
    "write.metadata.metrics.column.b": "full",
    "write.metadata.metrics.column.c": "truncate(3)",
  };
  await using table = await testTable(columns({ a: "string", b: "string", c: "string", d: "string" }), { properties });
  const text = "abcdefghijklmnopqrstuvwxyz";
  const [written] = await writeRows(table, [{ a: text, b: text, c: text, d: text }]);
  const { valueCounts, lowerBounds, upperBounds } = written!.file;
  expect([...valueCounts!.keys()]).toEqual([2, 3, 4]);
  const texts = (bounds: typeof lowerBounds) => [...bounds!].map(([id, b]) => [id, fromBytes({ kind: "string" }, b)]);
  expect(texts(lowerBounds)).toEqual([
    [2, text],
    [3, "abc"],
  ]);
  expect(texts(upperBounds)).toEqual([
    [2, text],
    [3, "abd"],
  ]);
});

it("takes Arrow's tables and record batches", async () => {
  await using table = await testTable(columns({ n: "int", x: "double", s: "string", at: "timestamptz", big: "long" }));
  const given = arrow.tableFromIPC(
    arrow.tableToIPC(
      arrow.tableFromArrays({
        n: Int32Array.from([1, 2, 3]),
        x: Float64Array.from([0.5, -1, Number.NaN]),
        s: ["a", "é", "a"],
        big: BigInt64Array.from([1n, 2n ** 62n, -1n]),
      }),
    ),
  );
  for (const source of [given, given.batches, given.slice(0, 3)]) {
    const written = await writeRows(table, source);
    expect(await table.query(written, 'SELECT n, x::VARCHAR AS x, s, "at", big FROM files')).toEqual([
      { n: 1, x: "0.5", s: "a", at: null, big: 1n },
      { n: 2, x: "-1.0", s: "é", at: null, big: 2n ** 62n },
      { n: 3, x: "nan", s: "a", at: null, big: -1n },
    ]);
  }
});

it("takes Arrow's nested and temporal types to the last digit", async () => {
  const point = { kind: "struct", fields: [{ id: 0, name: "x", required: false, type: { kind: "int" } }] } as const;
  const list = { kind: "list", elementId: 0, elementRequired: false, element: { kind: "string" } } as const;
  const map = {
    kind: "map",
    keyId: 0,
    key: { kind: "string" },
    valueId: 0,
    valueRequired: false,
    value: { kind: "int" },
  } as const;
  await using table = await testTable(
    columns({
      at: "timestamptz",
      local: "timestamp",
      day: "date",
      price: "decimal(20,2)",
      raw: "binary",
      yes: "boolean",
      point,
      list,
      map,
    }),
  );
  const micros = 1_600_000_000_123_456n;
  const field = (name: string, type: arrow.DataType) => new arrow.Field(name, type, true);
  const given = new arrow.Table({
    at: arrow.makeVector(
      arrow.makeData({ type: new arrow.TimestampMicrosecond("UTC"), data: BigInt64Array.from([micros, -1n]) }),
    ),
    local: arrow.makeVector(
      arrow.makeData({ type: new arrow.TimestampNanosecond(), data: BigInt64Array.from([micros * 1000n, 0n]) }),
    ),
    day: arrow.makeVector(arrow.makeData({ type: new arrow.DateDay(), data: Int32Array.from([18262, -1]) })),
    price: arrow.makeVector(
      arrow.makeData({
        type: new arrow.Decimal(2, 20, 128),
        data: Uint32Array.from([1420, 0, 0, 0, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]),
      }),
    ),
    raw: arrow.vectorFromArray([Uint8Array.of(1, 2), null], new arrow.Binary()),
    yes: arrow.vectorFromArray([true, null], new arrow.Bool()),
    point: arrow.vectorFromArray([{ x: 1 }, null], new arrow.Struct([field("x", new arrow.Int32())])),
    list: arrow.vectorFromArray([["a", null], []], new arrow.List(field("item", new arrow.Utf8()))),
    map: arrow.vectorFromArray(
      [new Map([["k", 5]]), null],
      new arrow.Map_(
        field(
          "entries",
          new arrow.Struct([field("key", new arrow.Utf8()), field("value", new arrow.Int32())]),
        ) as never,
      ),
    ),
  } as never);
  const written = await writeRows(table, given);
  expect(
    await table.query(
      written,
      'SELECT epoch_us("at") AS t, epoch_us(local) AS l, day::VARCHAR AS d, price::VARCHAR AS p, hex(raw) AS raw, yes, point.x AS x, list, map::VARCHAR AS m FROM files',
    ),
  ).toEqual([
    { t: micros, l: micros, d: "2020-01-01", p: "14.20", raw: "0102", yes: true, x: 1, list: ["a", null], m: "{k=5}" },
    { t: -1n, l: 0n, d: "1969-12-31", p: "-0.01", raw: null, yes: null, x: null, list: [], m: null },
  ]);
  const [sliced] = await writeRows(table, given.slice(1));
  expect(await table.query([sliced!], 'SELECT epoch_us("at") AS t, price::VARCHAR AS p, yes FROM files')).toEqual([
    { t: -1n, p: "-0.01", yes: null },
  ]);
  const lost = new arrow.Table({
    local: arrow.makeVector(arrow.makeData({ type: new arrow.TimestampNanosecond(), data: BigInt64Array.from([1n]) })),
  } as never);
  await expect(writeRows(table, lost)).rejects.toMatchObject({
    code: "invalid-rows",
    message: 'row 1: column local is "1970-01-01T00:00:00.000000001", which isn\'t of type timestamp',
  });
});

it("UUIDs have bounds only where they are in one order as unsigned and as signed numbers: the reference implementation takes them as signed", async () => {
  const [zero, low, high] = ["0", "7", "f"].map((digit) => `${digit}1020304-0506-4708-8910-111213141516`);
  const bounds = async (...values: (string | null)[]) => {
    await using table = await testTable(columns({ u: "uuid" }));
    const [written] = await writeRows(
      table,
      values.map((u) => ({ u })),
    );
    const { lowerBounds, upperBounds } = written!.file;
    return [lowerBounds, upperBounds].map((of) => of!.get(1) && fromBytes({ kind: "uuid" }, of!.get(1)!));
  };
  expect(await bounds(low!, null, zero!)).toEqual([zero, low]);
  expect(await bounds(high!)).toEqual([high, high]);
  expect(await bounds(zero!, high!)).toEqual([undefined, undefined]);
});
