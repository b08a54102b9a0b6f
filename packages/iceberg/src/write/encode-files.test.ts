import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBytes } from "../values/binary.ts";
import type { Field, Type } from "../schema/type.ts";
import { canBeCopied } from "./copy-limits.ts";
import { columns, sqlSource, testTable, type TestTable } from "./table.fixture.ts";
import { writeRows } from "./write-rows.ts";

const list = (element: Type, elementRequired: boolean): Type => ({
  kind: "list",
  elementId: 0,
  elementRequired,
  element,
});
const struct = (...fields: Field[]): Type => ({ kind: "struct", fields });
const field = (name: string, required: boolean, type: Type): Field => ({ id: 0, name, required, type });
const map = (value: Type, valueRequired: boolean): Type => ({
  kind: "map",
  keyId: 0,
  key: { kind: "string" },
  valueId: 0,
  valueRequired,
  value,
});
const INT = { kind: "int" } as const;
const FIXED = { kind: "fixed", length: 2 } as const;

/** What DuckDB says of a file in one of its functions. */
async function told(
  table: TestTable,
  from: string,
  path: string,
): Promise<readonly Readonly<Record<string, string | null>>[]> {
  return await table.engine.use(
    undefined,
    async (c) =>
      (await c.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM ${from}('${path}')`)).getRowObjectsJS() as Record<
        string,
        string | null
      >[],
  );
}

describe("DuckDB's COPY writes", () => {
  it.each<[string, readonly Field[]]>([
    ["required columns", [field("a", true, INT)]],
    ["required fields of required structs", [field("a", true, struct(field("b", true, INT)))]],
    ["required elements of lists that may be null", [field("a", false, list(INT, true))]],
    ["required values of maps that may be null", [field("a", false, map(INT, true))]],
    ["required fields of required elements", [field("a", false, list(struct(field("b", true, INT)), true))]],
  ])("%s", (_, fields) => expect(canBeCopied(fields)).toBe(true));
});

describe("DuckDB's COPY doesn't write", () => {
  it.each<[string, readonly Field[]]>([
    ["fixed columns", [field("a", false, FIXED)]],
    ["fixed values of maps in structs", [field("a", true, struct(field("b", false, map(FIXED, false))))]],
    ["required fields of structs that may be null", [field("a", false, struct(field("b", true, INT)))]],
    [
      "required lists in required structs of structs that may be null",
      [field("a", false, struct(field("b", false, struct(field("c", true, list(INT, false))))))],
    ],
    ["required fields of elements that may be null", [field("a", true, list(struct(field("b", true, INT)), false))]],
  ])("%s", (_, fields) => expect(canBeCopied(fields)).toBe(false));
});

it("columns are in files as the specification maps them to Parquet", async () => {
  const TYPES = {
    id: "int!",
    d9: "decimal(9,2)",
    d18: "decimal(18,0)",
    d19: "decimal(19,4)",
    d38: "decimal(38,0)",
    day: "date",
    at: "time",
    local: "timestamp",
    instant: "timestamptz",
    ns: "timestamp_ns",
    s: "string",
    u: "uuid",
    f: "fixed[3]",
    bin: "binary",
    maybe: struct(field("n", true, { kind: "long" }), field("tags", true, list({ kind: "string" }, true))),
    map: map({ kind: "double" }, false),
  };
  await using table = await testTable(columns(TYPES));
  const [written] = await writeRows(table, [{ id: 1 }]);
  const parts = await told(table, "parquet_schema", written!.file.path);
  const shown = parts.slice(1).map((part) => {
    const logical = (part["logical_type"] ?? "").replaceAll(/MILLIS=<null>, |=\w+Seconds\(\)|\w+=<null>(, )?/g, "");
    const type = [part["type"], part["type_length"], part["converted_type"], logical].filter((text) => text).join(" ");
    return `${part["repetition_type"]} ${part["name"]} ${part["field_id"]}: ${type}`;
  });
  expect(shown).toMatchInlineSnapshot(`
    [
      "REQUIRED id 1: INT32",
      "OPTIONAL d9 2: INT32 DECIMAL DecimalType(scale=2, precision=9)",
      "OPTIONAL d18 3: INT64 DECIMAL DecimalType(scale=0, precision=18)",
      "OPTIONAL d19 4: FIXED_LEN_BYTE_ARRAY 9 DECIMAL DecimalType(scale=4, precision=19)",
      "OPTIONAL d38 5: FIXED_LEN_BYTE_ARRAY 16 DECIMAL DecimalType(scale=0, precision=38)",
      "OPTIONAL day 6: INT32 DATE DateType()",
      "OPTIONAL at 7: INT64 TIME_MICROS TimeType(isAdjustedToUTC=0, unit=TimeUnit(MICROS, ))",
      "OPTIONAL local 8: INT64 TIMESTAMP_MICROS TimestampType(isAdjustedToUTC=0, unit=TimeUnit(MICROS, ))",
      "OPTIONAL instant 9: INT64 TIMESTAMP_MICROS TimestampType(isAdjustedToUTC=1, unit=TimeUnit(MICROS, ))",
      "OPTIONAL ns 10: INT64 TimestampType(isAdjustedToUTC=0, unit=TimeUnit(NANOS))",
      "OPTIONAL s 11: BYTE_ARRAY UTF8 StringType()",
      "OPTIONAL u 12: FIXED_LEN_BYTE_ARRAY 16 UUIDType()",
      "OPTIONAL f 13: FIXED_LEN_BYTE_ARRAY 3",
      "OPTIONAL bin 14: BYTE_ARRAY",
      "OPTIONAL maybe 15: ",
      "REQUIRED n 17: INT64",
      "REQUIRED tags 18: LIST ListType()",
      "REPEATED list null: ",
      "REQUIRED element 19: BYTE_ARRAY UTF8 StringType()",
      "OPTIONAL map 16: MAP MapType()",
      "REPEATED key_value null: ",
      "REQUIRED key 20: BYTE_ARRAY UTF8 StringType()",
      "OPTIONAL value 21: DOUBLE",
    ]
  `);
});

it.each([
  ["zstd", "ZSTD"],
  ["snappy", "SNAPPY"],
  ["gzip", "GZIP"],
  ["brotli", "BROTLI"],
  ["lz4", "SNAPPY"],
  ["uncompressed", "UNCOMPRESSED"],
] as const)("pages are compressed by %s as %s", async (compression, codec) => {
  await using table = await testTable(columns({ n: "long", s: "string", f: "fixed[2]" }));
  const source = sqlSource(
    "SELECT i AS n, repeat('x' || i % 7, 100) AS s, CASE WHEN i % 2 = 0 THEN '\\x00\\xFF'::BLOB END AS f FROM range(3000) t(i)",
  );
  const written = await writeRows(table, source, { compression });
  const chunks = await told(table, "parquet_metadata", written[0]!.file.path);
  expect(new Set(chunks.map((chunk) => chunk["compression"]))).toEqual(new Set([codec]));
  expect(
    await table.query(written, "SELECT count(DISTINCT n) AS n, sum(length(s)) AS s, count(f) AS f FROM files"),
  ).toEqual([{ n: 3000n, s: 600_000n, f: 1500n }]);
});

it("row groups have as many rows as is wanted, and fewer where values are large", async () => {
  await using table = await testTable(columns({ n: "long", s: "string", f: "fixed[2]" }));
  const groupsOf = async (select: string, rowGroupRows?: number) => {
    const [written, ...others] = await writeRows(table, sqlSource(select), { rowGroupRows });
    expect(others).toEqual([]);
    const chunks = await told(table, "parquet_metadata", written!.file.path);
    const offsets = chunks
      .filter((chunk) => chunk["path_in_schema"] === "n")
      .map((chunk) =>
        Math.min(...["dictionary_page_offset", "data_page_offset"].map((o) => Number(chunk[o] ?? Infinity))),
      );
    expect(written!.file.splitOffsets).toEqual(offsets);
    return chunks
      .filter((chunk) => chunk["path_in_schema"] === "n")
      .map((chunk) => Number(chunk["row_group_num_rows"]));
  };
  expect(await groupsOf("SELECT i AS n, i::VARCHAR AS s FROM range(10000) t(i)", 4096)).toEqual([4096, 4096, 1808]);
  expect(await groupsOf("SELECT i AS n, repeat('abcd', 4096) AS s FROM range(10240) t(i)")).toEqual([4096, 4096, 2048]);
});

it("texts keep the byte order mark that they begin with", async () => {
  const nested = {
    s: struct(field("t", true, { kind: "string" })),
    l: list({ kind: "string" }, true),
    m: map({ kind: "string" }, true),
  };
  await using table = await testTable(columns({ t: "string", ...nested }));
  const t = fc.sample(fc.string({ unit: "binary" }), 20).map((text) => `\uFEFF${text}`);
  const rows = t.map((t) => ({ t, s: { t }, l: [t], m: new Map([[t, t]]) }));
  const written = await writeRows(table, rows);
  const unequal = "l[1] <> t OR s.t <> t OR map_keys(m)[1] <> t OR map_values(m)[1] <> t OR ascii(t) <> 65279";
  expect(
    await table.query(written, `SELECT count(*) AS n, count(*) FILTER (${unequal}) AS unequal FROM files`),
  ).toEqual([{ n: 20n, unequal: 0n }]);
});

it("long texts and bytes have bounds that hold", async () => {
  const properties = { "write.metadata.metrics.default": "full" };
  await using table = await testTable(columns({ s: "string", f: "fixed[2]", b: "binary" }), { properties });
  const [s, b] = ["é".repeat(3000), new Uint8Array(3000).fill(255)];
  const [written] = await writeRows(table, [{ s, b }]);
  const { lowerBounds, upperBounds } = written!.file;
  expect(s.startsWith(fromBytes({ kind: "string" }, lowerBounds!.get(1)!) as string)).toBe(true);
  expect((fromBytes({ kind: "string" }, upperBounds!.get(1)!) as string) >= s).toBe(true);
  expect(Buffer.compare(lowerBounds!.get(3)!, b)).toBeLessThanOrEqual(0);
  expect(Buffer.compare(upperBounds!.get(3)!, b)).toBeGreaterThanOrEqual(0);
});
