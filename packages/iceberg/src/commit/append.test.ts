import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { TableOperations } from "../catalog/table-operations.ts";
import { openCatalog } from "../catalog/open.ts";
import { IcebergError } from "../errors.ts";
import { schemaOf } from "../metadata/table-metadata.ts";
import { eq } from "../predicate/predicate.ts";
import { Table } from "../table.ts";

const folder = mkdtempSync(path.join(tmpdir(), "append-"));
afterAll(() => rmSync(folder, { recursive: true }));
const catalog = openCatalog(folder, { engine: { threads: 1 } });
afterAll(async () => await catalog[Symbol.asyncDispose]());
await catalog.createNamespace("weather");

let tables = 0;
const newTable = (partitionBy: readonly string[] = []) =>
  catalog.createTable(`weather.t${++tables}`, {
    columns: { day: "date", rain: "double?" },
    partitionBy: partitionBy.map((column) => ({ column, transform: "identity" })),
  });
const filesOf = (table: Table) =>
  readdirSync(table.location, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(parquet|avro)$/.test(entry.name))
    .map((entry) => entry.name);
const row = (rain: number) => ({ day: "2024-05-01", rain });

/** The table with other operations. */
function tableWith(table: Table, change: Partial<TableOperations>): Table {
  const { operations } = table;
  const changed: TableOperations = {
    name: operations.name,
    files: operations.files,
    load: (options) => operations.load(options),
    commit: (base, commit, options) => operations.commit(base, commit, options),
    ...change,
  };
  return new Table(changed, table.state, table.engine);
}

describe("an append", () => {
  it("adds rows to those that are there, with counts and properties in its snapshot", async () => {
    const table = await newTable(["day"]);
    const first = await table.append([row(1), { day: "2024-05-02", rain: null }], {
      properties: { "weather.run": "7" },
    });
    const second = await table.append([row(2)]);
    expect(await table.scan().toArray()).toHaveLength(3);
    expect(await table.scan({ where: eq("day", "2024-05-02") }).toArray()).toEqual([{ day: "2024-05-02", rain: null }]);
    expect(await table.scan({ snapshot: { id: first["snapshot-id"] } }).toArray()).toHaveLength(2);
    expect(first.summary).toMatchObject({
      operation: "append",
      "weather.run": "7",
      "added-data-files": "2",
      "added-records": "2",
      "changed-partition-count": "2",
      "total-records": "2",
    });
    expect(second).toMatchObject({
      "parent-snapshot-id": first["snapshot-id"],
      "sequence-number": 2,
      summary: { "added-records": "1", "total-records": "3", "total-data-files": "3", "changed-partition-count": "1" },
    });
  });

  it("keeps texts as they are, also those that begin with a byte order mark", async () => {
    const table = await catalog.createTable(`weather.t${++tables}`, {
      columns: { name: "string", list: ["string"], part: "string" },
      partitionBy: ["part"],
    });
    const rows = [{ name: "\uFEFFa", list: ["\uFEFF", "\uFEFFlonger than is kept inline"], part: "\uFEFFb" }];
    await table.append(rows);
    expect(await table.scan().toArray()).toEqual(rows);
    expect(await table.scan({ where: eq("part", "\uFEFFb") }).toArray()).toEqual(rows);
  });

  it("takes a query's rows", async () => {
    const table = await newTable();
    await table.append([row(1), row(3)]);
    await table.append(table.engine.sql`select day, rain + 1 as rain from ${table.scan()}`);
    const rains = (await table.scan<{ rain: number }>().toArray()).map(({ rain }) => rain);
    expect(rains.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  });

  it("is one of eight at once, of which none is lost or doubled", async () => {
    const table = await newTable();
    const writers = Array.from({ length: 8 }, () => new Table(table.operations, table.state, table.engine));
    await Promise.all(
      writers.map(async (writer, i) => {
        for (let n = 0; n < 5; n++) await writer.append([row(i * 5 + n)]);
      }),
    );
    await table.refresh();
    const rains = (await table.scan<{ rain: number }>().toArray()).map(({ rain }) => rain);
    expect(rains.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect(table.snapshots()).toHaveLength(40);
    expect(filesOf(table).filter((name) => name.startsWith("snap-"))).toHaveLength(40);
  });

  it("leaves nothing when the columns have changed meanwhile", async () => {
    const table = await newTable();
    const other = new Table(table.operations, table.state, table.engine);
    await other.changeSchema([{ change: "add", column: "wind", type: "double?" }]);
    await expect(table.append([row(1)])).rejects.toMatchObject({
      code: "commit-conflict",
      message: expect.stringContaining("columns of") as string,
    });
    expect(filesOf(table)).toEqual([]);
    await table.refresh();
    await table.append([{ ...row(1), wind: 2 }]);
    expect(schemaOf(table.metadata).fields).toHaveLength(3);
  });

  it("leaves nothing when it was refused, and all when whether it was applied isn't known", async () => {
    const table = await newTable();
    const failing = (code: "catalog-failed" | "commit-unknown") =>
      tableWith(table, { commit: () => Promise.reject(new IcebergError(code, "no")) }).append([row(1)]);
    await expect(failing("catalog-failed")).rejects.toMatchObject({ code: "catalog-failed" });
    expect(filesOf(table)).toEqual([]);
    await expect(failing("commit-unknown")).rejects.toMatchObject({ code: "commit-unknown" });
    expect(filesOf(table)).toHaveLength(3);
  });

  it("reads a manifest list and writes a manifest and a list, however many snapshots there are", async () => {
    const table = await newTable();
    for (let i = 0; i < 3; i++) await table.append([row(i)]);
    const before = filesOf(table).filter((name) => name.endsWith(".avro")).length;
    await table.append([row(3)]);
    expect(filesOf(table).filter((name) => name.endsWith(".avro"))).toHaveLength(before + 2);
  });

  it("doesn't take a property that is counted", async () => {
    const table = await newTable();
    await expect(table.append([row(1)], { properties: { "total-records": "9" } })).rejects.toMatchObject({
      code: "invalid-change",
    });
    expect(filesOf(table)).toEqual([]);
  });
});
