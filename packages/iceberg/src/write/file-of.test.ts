import { expect, it } from "vitest";
import { stringifyJson } from "../json/json.ts";
import { schemaOf } from "../metadata/table-metadata.ts";
import { NAME_MAPPING_PROPERTY, nameMappingOf, nameMappingToJson } from "../schema/name-mapping.ts";
import { fileOf } from "./file-of.ts";
import { columns, sqlSource, testTable, type TestTable } from "./table.fixture.ts";
import { writeRows } from "./write-rows.ts";

const tags = { kind: "list", elementId: 0, elementRequired: false, element: { kind: "string" } } as const;
const TYPES = { id: "int!", day: "date", x: "double", tags, code: "fixed[2]", price: "decimal(20,2)" };
const ROWS =
  "SELECT i::INTEGER AS id, DATE '2020-01-01' AS day, i / 2 AS x, ['a'] AS tags, 'ab'::BLOB AS code, 1.5::DECIMAL(20,2) AS price FROM range(10) t(i)";

async function copy(table: TestTable, select: string): Promise<string> {
  const path = `${table.folder}/other.parquet`;
  await table.engine.use(undefined, async (c) => void (await c.run(`COPY (${select}) TO '${path}'`)));
  return path;
}

it("says of a file what was said when it was written", async () => {
  await using table = await testTable(columns(TYPES), { partitionBy: [{ column: "day", transform: "month" }] });
  const [written] = await writeRows(table, sqlSource(ROWS));
  const again = await fileOf(table, written!.file.path);
  expect(again).toEqual({
    specId: 0,
    file: { ...written!.file, nanCounts: new Map(), sortOrderId: undefined },
  });
});

it("finds columns without ids by the table's name mapping, and refuses a file none of whose columns it finds", async () => {
  await using table = await testTable(columns(TYPES));
  const path = await copy(table, ROWS);
  const mapping = stringifyJson(nameMappingToJson(nameMappingOf(schemaOf(table.metadata))));
  const metadata = { ...table.metadata, properties: { [NAME_MAPPING_PROPERTY]: mapping } };
  const { file } = await fileOf({ ...table, metadata }, path);
  expect(file).toMatchObject({ recordCount: 10, partition: [] });
  expect(file.nullCounts).toEqual(new Map([1, 2, 3, 7, 5, 6].map((id) => [id, 0])));
  const optional = await testTable(columns({ id: "int" }));
  await using _ = optional;
  await expect(fileOf(optional, path)).rejects.toMatchObject({
    code: "invalid-file",
    message: expect.stringContaining("none of the table's columns"),
  });
});

it.each([
  ["SELECT 'a' AS id", "a data file has string in column id, which can't be read as int"],
  ["SELECT DATE '2020-01-01' AS day", "a data file has no column for the required field id (id 1)"],
  ["SELECT NULL::INTEGER AS id", "has 1 null in column id, which is required"],
])("refuses a file that doesn't fit: %s", async (select, message) => {
  await using table = await testTable(columns({ id: "int!", day: "date" }));
  const mapping = stringifyJson(nameMappingToJson(nameMappingOf(schemaOf(table.metadata))));
  const metadata = { ...table.metadata, properties: { [NAME_MAPPING_PROPERTY]: mapping } };
  const path = await copy(table, select);
  await expect(fileOf({ ...table, metadata }, path)).rejects.toMatchObject({
    code: "invalid-file",
    message: expect.stringContaining(message),
  });
});

it("takes a partition that is given, and refuses to guess one", async () => {
  await using table = await testTable(columns({ id: "int" }));
  const [written] = await writeRows(table, [{ id: 1 }, { id: 2 }]);
  await using parted = await testTable(columns({ id: "int" }), {
    partitionBy: [{ column: "id", transform: "bucket[4]" }],
  });
  const path = written!.file.path;
  expect((await fileOf(parted, path, { partition: { id_bucket_4: 3 } })).file.partition).toEqual([3]);
  await expect(fileOf(parted, path)).rejects.toMatchObject({ code: "invalid-file" });
  await expect(fileOf(parted, path, { partition: { id: 3 } })).rejects.toMatchObject({ code: "invalid-value" });
});

it("refuses a given partition that its rows aren't of", async () => {
  await using table = await testTable(columns({ day: "date", name: "string" }));
  const [written] = await writeRows(table, [
    { day: "2024-01-31", name: "a" },
    { day: "2024-02-01", name: "b" },
    { day: "2024-02-02", name: "b" },
  ]);
  const path = written!.file.path;
  const refused = { code: "invalid-file", message: expect.stringContaining("has rows that aren't of the partition") };
  const given = async (column: string, transform: string, partition: Record<string, unknown>) => {
    await using parted = await testTable(columns({ day: "date", name: "string" }), {
      partitionBy: [{ column, transform }],
    });
    return (await fileOf(parted, path, { partition })).file.partition;
  };
  for (const day of ["2024-01-30", "2024-01-31", "2024-02-03", null])
    await expect(given("day", "identity", { day })).rejects.toMatchObject(refused);
  await expect(given("day", "month", { day_month: 648 })).rejects.toMatchObject(refused);
  expect(await given("day", "year", { day_year: 54 })).toEqual([54]);
  await expect(given("name", "identity", { name: "c" })).rejects.toMatchObject(refused);
  expect(await given("name", "identity", { name: "a" })).toEqual(["a"]); // texts may be cut in footers
});

it("says what isn't a Parquet file, or isn't there", async () => {
  await using table = await testTable(columns({ id: "int" }));
  const [written] = await writeRows(table, [{ id: 1 }]);
  const bytes = await table.files.read(written!.file.path);
  await expect(fileOf(table, `${table.folder}/none.parquet`)).rejects.toMatchObject({ code: "file-missing" });
  for (const [i, cut] of [
    bytes.subarray(0, -1),
    bytes.subarray(0, 3),
    bytes.subarray(-12),
    bytes.map((b, at) => (at > bytes.length - 60 && at < bytes.length - 8 ? 255 : b)),
  ].entries()) {
    const uri = `${table.folder}/cut-${i}.parquet`;
    await table.files.write(uri, cut);
    await expect(fileOf(table, uri)).rejects.toMatchObject({ code: "invalid-file" });
  }
});
