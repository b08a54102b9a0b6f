import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import type { RowsToWrite } from "./write-rows.ts";
import { writeRows } from "./write-rows.ts";
import { TableFiles } from "../files/table-files.ts";
import { columns, sqlSource, testTable } from "./table.fixture.ts";

const point = { kind: "struct", fields: [{ id: 0, name: "x", required: true, type: { kind: "int" } }] } as const;
const tags = { kind: "list", elementId: 0, elementRequired: true, element: { kind: "string" } } as const;
const TYPES = { id: "int!", price: "decimal(9,2)", day: "date", at: "timestamptz", point, tags, code: "fixed[2]" };

const misfits: readonly (readonly [RowsToWrite, string])[] = [
  [[{ id: 1 }, { id: 1.5 }], "row 2: column id is 1.5, which isn't of type int"],
  [[{ id: 1, price: "1.005" }], 'row 1: column price is "1.005", which isn\'t of type decimal(9, 2)'],
  [[{ id: 1, day: new Date(1) }], "row 1: column day is 1970-01-01T00:00:00.001Z, which isn't of type date"],
  [
    [{ id: 1, at: "2020-01-01T00:00:00" }],
    'row 1: column at is "2020-01-01T00:00:00", which isn\'t of type timestamptz',
  ],
  [[{ price: 1 }], "row 1: column id is null, but it is required"],
  [[{ id: 1, point: { x: null } }], "row 1: column point.x is null, but it is required"],
  [[{ id: 1, tags: ["a", null] }], "row 1: column tags[1] is null, but it is required"],
  [
    [{ id: 1, cost: 1 }],
    "row 1: there is no column cost in the table: its columns are id, price, day, at, point, tags, code",
  ],
  [[[1]] as never, "row 1: it is an Array, which isn't an object of columns"],
  [
    sqlSource("SELECT 1 AS id, 2 AS cost"),
    "the query has a column cost, which the table doesn't have: its columns are id, price, day, at, point, tags, code",
  ],
  [sqlSource("SELECT 1 AS id, 2 AS id"), "the query has two columns id: name them apart"],
  [sqlSource("SELECT 1 AS price"), "the query has no column id, which is required"],
  [sqlSource("SELECT 'a' AS id"), "column id is VARCHAR in the query, and no int, which the table has: cast it"],
  [sqlSource("SELECT 3000000000 AS id"), "rows don't fit the table: column id has 3000000000, which isn't of type int"],
  [
    sqlSource("SELECT 1 AS id, 1.005 AS price"),
    "rows don't fit the table: column price has 1.005, which isn't of type decimal(9, 2)",
  ],
  [
    sqlSource("SELECT CASE WHEN i > 7 THEN NULL ELSE i END AS id FROM range(10) t(i)"),
    "column id is required, and it is null in 2 rows",
  ],
  [
    sqlSource("SELECT 1 AS id, {'x': NULL} AS point"),
    "rows don't fit the table: column point.x is null, but it is required",
  ],
  [
    sqlSource("SELECT 1 AS id, {'x': 1, 'y': 2} AS point"),
    "column point has a field y, which the table's doesn't have",
  ],
  [
    sqlSource("SELECT 1 AS id, ['a', NULL] AS tags"),
    "rows don't fit the table: column tags.element is null, but it is required",
  ],
  [
    sqlSource("SELECT 1 AS id, 'abc'::BLOB AS code"),
    "rows don't fit the table: column code has 3 bytes, which isn't of type fixed[2]",
  ],
];

it.each(misfits.map(([source, message]) => [message, source] as const))("refuses rows: %s", async (message, source) => {
  await using table = await testTable(columns(TYPES));
  await expect(writeRows(table, source)).rejects.toMatchObject({ code: "invalid-rows", message });
  expect(await readdir(`${table.folder}/table/data`)).toEqual([]);
});

it("takes values of a query's narrower types, and of wider ones where each fits", async () => {
  await using table = await testTable(
    columns({ i: "int", l: "long", x: "double", d: "decimal(9,2)", t: "timestamp", s: "string", none: "date", tags }),
  );
  const written = await writeRows(
    table,
    sqlSource(`SELECT count(*) AS i, sum(1) AS l, 1.5 AS x, 14.2::DOUBLE AS d, DATE '2020-01-02' AS t,
      'a'::ENUM ('a', 'b') AS s, NULL AS none, [] AS tags`),
  );
  expect(await table.query(written, "SELECT * REPLACE (t::VARCHAR AS t, d::VARCHAR AS d) FROM files")).toEqual([
    { i: 1, l: 1n, x: 1.5, d: "14.20", t: "2020-01-02 00:00:00", s: "a", none: null, tags: [] },
  ]);
});

it("writes nothing and leaves nothing behind when a source fails half-way", async () => {
  await using table = await testTable(columns({ n: "int" }));
  async function* failing() {
    for (let n = 0; n < 10_000; n++) yield { n };
    throw new Error("the source is gone");
  }
  await expect(writeRows(table, failing())).rejects.toThrow("the source is gone");
  expect(await readdir(`${table.folder}/table/data`)).toEqual([]);
});

it("ends when it is aborted, also while a source gives nothing", async () => {
  await using table = await testTable(columns({ n: "int" }));
  const controller = new AbortController();
  async function* waiting() {
    yield { n: 1 };
    controller.abort(new Error("enough"));
    await new Promise(() => {});
  }
  await expect(writeRows(table, waiting(), { signal: controller.signal })).rejects.toThrow("enough");
  expect(await readdir(`${table.folder}/table/data`)).toEqual([]);
});

it("deletes the files of a write that fails while files are put into their places, and no others", async () => {
  await using table = await testTable(columns({ n: "int" }), {
    partitionBy: [{ column: "n", transform: "bucket[8]" }],
  });
  const others = await writeRows(table, [{ n: 1 }]);
  let placed = 0;
  class FailingFiles extends TableFiles {
    override localPath(uri: string): string | undefined {
      if (/\/data\/n_bucket.*parquet$/.test(uri) && ++placed === 5) throw new Error("the disk is gone");
      return super.localPath(uri);
    }
  }
  await using files = new FailingFiles();
  await expect(writeRows({ ...table, files }, sqlSource("SELECT i AS n FROM range(100) t(i)"))).rejects.toThrow(
    "the disk is gone",
  );
  const left = (await readdir(`${table.folder}/table/data`, { recursive: true })).filter((f) => f.endsWith(".parquet"));
  expect(left).toHaveLength(1);
  expect(existsSync(others[0]!.file.path)).toBe(true);
});
