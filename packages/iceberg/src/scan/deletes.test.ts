import { tmpdir } from "node:os";
import { rm, truncate, writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Engine } from "../engine/engine.ts";
import type { DataFile } from "../manifest/data-file.ts";
import { gt } from "../predicate/predicate.ts";
import type { Field } from "../schema/type.ts";
import { FILE_PATH_ID, POSITION_ID } from "./delete-index.ts";
import { TestTable } from "./table.fixture.ts";

const fields: readonly Field[] = [
  { id: 1, name: "id", required: true, type: { kind: "int" } },
  { id: 2, name: "name", required: false, type: { kind: "string" } },
];
const positionFields: readonly Field[] = [
  { id: FILE_PATH_ID, name: "file_path", required: true, type: { kind: "string" } },
  { id: POSITION_ID, name: "pos", required: true, type: { kind: "long" } },
];
const rows = (...ids: readonly number[]) => ids.map((id) => ({ id, name: `n${id}` }));
const ids = async (table: TestTable) =>
  (await table.scan<{ id: number }>().toArray()).map((row) => row.id).sort((a, b) => a - b);

function positionsOf(table: TestTable, entries: readonly (readonly [DataFile, number])[], hasStatistics = true) {
  return table.file({
    content: "position-deletes",
    fields: positionFields,
    hasStatistics,
    rows: entries.map(([file, pos]) => ({ file_path: file.path, pos: BigInt(pos) })),
  });
}

describe("position deletes", () => {
  it("delete rows of several files, of which one delete file may be", async () => {
    await using table = await TestTable.make({ fields });
    const [a, b, c] = [
      await table.file({ rows: rows(1, 2, 3) }),
      await table.file({ rows: rows(4, 5, 6) }),
      await table.file({ rows: rows(7) }),
    ];
    await table.commit([a, b, c]);
    const deletes = [
      await positionsOf(table, [
        [a, 0],
        [b, 2],
      ]),
      await positionsOf(table, [[b, 1]], false),
    ];
    await table.commit(deletes, { content: "deletes", operation: "delete" });
    expect(await ids(table)).toEqual([2, 3, 4, 7]);
    expect(await table.scan({ where: gt("id", 2), columns: ["name"] }).toArray()).toEqual([
      { name: "n3" },
      { name: "n4" },
      { name: "n7" },
    ]);
    const files = await table.scan().files();
    // a file of one data file's deletes is for that alone
    expect(files.map((task) => task.deletes.length)).toEqual([2, 2, 1]);
  });

  it("delete no rows of newer files", async () => {
    await using table = await TestTable.make({ fields });
    const [old, late] = [await table.file({ rows: rows(1, 2) }), await table.file({ rows: rows(3, 4) })];
    await table.commit([old]);
    await table.commit(
      [
        await positionsOf(table, [
          [old, 1],
          [late, 1],
        ]),
      ],
      { content: "deletes", operation: "delete" },
    );
    await table.commit([late]);
    expect(await ids(table)).toEqual([1, 3, 4]);
  });

  it("delete rows of the files of their own commit", async () => {
    await using table = await TestTable.make({ fields });
    const file = await table.file({ rows: rows(1, 2) });
    await table.commit([await positionsOf(table, [[file, 0]])], { content: "deletes", operation: "overwrite" });
    table.metadata = { ...table.metadata, "last-sequence-number": 0 };
    await table.commit([file]);
    expect(await ids(table)).toEqual([2]);
  });

  it("find rows of large files by their place, whatever the filter leaves out", async () => {
    await using table = await TestTable.make({ fields });
    const file = await table.copy("SELECT range::INTEGER AS id, 'n' || range AS name FROM range(300000)", {
      rowGroupRows: 20_000,
    });
    await table.commit([file]);
    const some = [0, 19_999, 20_000, 250_123, 299_999];
    await table.commit(
      [
        await positionsOf(
          table,
          some.map((pos) => [file, pos] as const),
        ),
      ],
      { content: "deletes", operation: "delete" },
    );
    const { sql } = table.engine;
    expect(await sql`select count(*) as n, sum(id) as sum from ${table.scan()}`.toArray()).toEqual([
      { n: 299_995n, sum: (299_999n * 300_000n) / 2n - BigInt(some.reduce((a, b) => a + b)) },
    ]);
    const late = table.scan({ where: gt("id", 250_121) });
    expect(await sql`select min(id) as a, count(*) as n from ${late} where id < 250126`.toArray()).toEqual([
      { a: 250_122, n: 3n },
    ]);
  });
});

describe("equality deletes", () => {
  it("delete equal rows of older files: null equals null", async () => {
    await using table = await TestTable.make({ fields });
    const old = await table.file({ rows: [...rows(1, 2), { id: 3, name: null }] });
    await table.commit([old]);
    const deletes = await table.file({
      content: "equality-deletes",
      equalityIds: [2],
      fields: [fields[1]!],
      rows: [{ name: "n1" }, { name: null }],
    });
    await table.commit([deletes], { content: "deletes", operation: "delete" });
    await table.commit([await table.file({ rows: [...rows(1), { id: 4, name: null }] })]);
    expect(await ids(table)).toEqual([1, 2, 4]);
    expect(await table.scan({ columns: ["id"], where: gt("id", 1) }).toArray()).toEqual([{ id: 2 }, { id: 4 }]);
  });

  it("compare all of their columns, and each file those that it says", async () => {
    await using table = await TestTable.make({ fields });
    await table.commit([await table.file({ rows: rows(1, 2, 3, 4) })]);
    await table.commit(
      [
        await table.file({
          content: "equality-deletes",
          equalityIds: [1, 2],
          rows: [
            { id: 1, name: "n1" },
            { id: 2, name: "other" },
          ],
        }),
        await table.file({ content: "equality-deletes", equalityIds: [1], rows: [{ id: 4, name: "ignored" }] }),
      ],
      { content: "deletes", operation: "delete" },
    );
    expect(await ids(table)).toEqual([2, 3]);
  });

  it("go by field ids: of columns that were dropped or renamed since, or that files lack", async () => {
    await using table = await TestTable.make({ fields });
    await table.commit([await table.file({ rows: rows(1, 2) })]);
    await table.commit(
      [
        await table.file({
          content: "equality-deletes",
          equalityIds: [2],
          fields: [fields[1]!],
          rows: [{ name: "n1" }],
        }),
      ],
      { content: "deletes", operation: "delete" },
    );
    table.update(
      {
        action: "add-schema",
        schema: {
          type: "struct",
          fields: [
            { id: 1, name: "key", required: true, type: "long" },
            { id: 3, name: "name", required: false, type: "int" },
          ],
        },
        "last-column-id": 3,
      },
      { action: "set-current-schema", "schema-id": -1 },
    );
    expect(await table.scan().toArray()).toEqual([{ key: 2n, name: null }]);
    // of the new column, which older files lack: their rows have null
    await table.commit(
      [
        await table.file({
          content: "equality-deletes",
          equalityIds: [3],
          fields: [{ id: 3, name: "name", required: false, type: { kind: "int" } }],
          rows: [{ name: null }],
        }),
      ],
      { content: "deletes", operation: "delete" },
    );
    expect(await table.scan().toArray()).toEqual([]);
  });

  it("are for their partition, or for all if they have none", async () => {
    await using table = await TestTable.make({ fields, partitionBy: [{ column: "id", transform: "identity" }] });
    await table.commit([
      await table.file({ rows: [{ id: 1, name: "x" }], partition: [1] }),
      await table.file({
        rows: [
          { id: 2, name: "x" },
          { id: 2, name: "y" },
        ],
        partition: [2],
      }),
    ]);
    const nameX = {
      content: "equality-deletes" as const,
      equalityIds: [2],
      fields: [fields[1]!],
      rows: [{ name: "x" }],
    };
    await table.commit([await table.file({ ...nameX, partition: [1] })], { content: "deletes", operation: "delete" });
    expect(await ids(table)).toEqual([2, 2]);
    table.update({ action: "add-spec", spec: { "spec-id": 1, fields: [] } });
    const specId = table.metadata["partition-specs"].find((s) => (s["fields"] as unknown[]).length === 0)![
      "spec-id"
    ] as number;
    await table.commit([await table.file(nameX)], { content: "deletes", operation: "delete", specId });
    expect(await table.scan().toArray()).toEqual([{ id: 2, name: "y" }]);
  });
});

/** A vector as writers have it: one Roaring bitmap of arrays, with each position's high half as key. */
function vectorBlob(positions: readonly number[]): Uint8Array {
  const keys = [...Map.groupBy(positions, (p) => Math.floor(p / 65_536))].sort(([a], [b]) => a - b);
  const parts = keys.map(([, some]) => Uint16Array.from(some.map((p) => p % 65_536).sort((a, b) => a - b)));
  const header = Buffer.alloc(8 + 8 * keys.length);
  header.writeUInt32LE(12_346);
  header.writeUInt32LE(keys.length, 4);
  let offset = header.length;
  for (const [i, [key, some]] of keys.entries()) {
    header.writeUInt16LE(key, 8 + 4 * i);
    header.writeUInt16LE(some.length - 1, 10 + 4 * i);
    header.writeUInt32LE(offset, 8 + 4 * keys.length + 4 * i);
    offset += 2 * some.length;
  }
  const bitmaps = Buffer.alloc(16);
  bitmaps.writeUInt32LE(0x64_39_d3_d1);
  bitmaps.writeBigUInt64LE(1n, 4);
  const body = Buffer.concat([bitmaps, header, ...parts.map((p) => Buffer.from(p.buffer))]);
  const blob = Buffer.alloc(body.length + 8);
  blob.writeUInt32BE(body.length);
  body.copy(blob, 4);
  blob.writeUInt32BE(crc32(body), body.length + 4);
  return blob;
}

async function vectorOf(table: TestTable, file: DataFile, positions: readonly number[]): Promise<DataFile> {
  const blob = vectorBlob(positions);
  const path = `${table.metadata.location}/data/${positions.length}-${file.recordCount}.puffin`;
  await writeFile(path, Buffer.concat([Buffer.from("PFA1"), blob]));
  return {
    content: "position-deletes",
    path,
    format: "puffin",
    partition: [],
    recordCount: positions.length,
    sizeBytes: blob.length + 4,
    referencedDataFile: file.path,
    contentOffset: 4,
    contentSizeBytes: blob.length,
  };
}

/** Manifests of version 3 can't be written: a plan is made as though one had been read. */
async function readWith(table: TestTable, file: DataFile, deletes: readonly DataFile[]): Promise<unknown[]> {
  const { prepareScan } = await import("./scan-query.ts");
  const { schema } = table.scan();
  const planned = (f: DataFile) => ({ specId: 0, file: f, sequenceNumber: 1 });
  const { DeleteIndex } = await import("./delete-index.ts");
  const index = new DeleteIndex(deletes.map(planned), { fieldsOf: () => [], typeOf: () => undefined });
  const data = planned(file);
  const plan = {
    snapshot: undefined,
    schema,
    filter: { op: "true" } as const,
    tasks: [{ file: data, deletes: index.of(data), isWhole: true }],
  };
  return await table.engine.use(undefined, async (connection) => {
    const query = {
      plan,
      fields: schema.fields,
      metadata: table.metadata,
      files: table.files,
      temporaryFolder: tmpdir(),
    };
    await using prepared = await prepareScan(query, connection);
    return (await connection.runAndReadAll(`SELECT id FROM (${prepared.text}) ORDER BY id`)).getRowsJS().flat();
  });
}

describe("deletion vectors", () => {
  it("delete rows, in place of position deletes", async () => {
    await using table = await TestTable.make({ fields });
    const file = await table.copy("SELECT range::INTEGER AS id, 'n' AS name FROM range(200000)", {});
    const gone = [0, 2, 65_535, 65_536, 131_072, 199_999, ...Array.from({ length: 3000 }, (_, i) => 70_000 + 2 * i)];
    const vector = await vectorOf(table, file, gone);
    const kept = Array.from({ length: 200_000 }, (_, i) => i).filter((i) => !gone.includes(i));
    expect(await readWith(table, file, [vector, await positionsOf(table, [[file, 1]])])).toEqual(kept);
  });

  it("that are corrupt or gone are errors that name them", async () => {
    await using table = await TestTable.make({ fields });
    const file = await table.file({ rows: rows(1, 2) });
    const vector = await vectorOf(table, file, [0]);
    await expect(readWith(table, file, [{ ...vector, contentOffset: 3 }])).rejects.toMatchObject({
      code: "invalid-file",
      message: expect.stringContaining(`deletion vector ${vector.path} at 3 is corrupt`) as string,
    });
    await truncate(vector.path, 20);
    await expect(readWith(table, file, [vector])).rejects.toMatchObject({ code: "invalid-file" });
    await rm(vector.path);
    await expect(readWith(table, file, [vector])).rejects.toMatchObject({
      code: "file-missing",
      message: `the table's file ${vector.path} isn't there any more`,
    });
  });
});

it("deletes work on files that aren't local, which are removed afterwards", async () => {
  await using engine = new Engine({ threads: 1 });
  await using table = await TestTable.make({ fields }, engine, "memory:deletes/table");
  const file = await table.file({ rows: rows(1, 2, 3) });
  await table.commit([file]);
  await table.commit([await positionsOf(table, [[file, 1]])], { content: "deletes", operation: "delete" });
  expect(await ids(table)).toEqual([1, 3]);
});
