import { randomUUID } from "node:crypto";
import { mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TableFiles } from "../files/table-files.ts";
import type { Table } from "../table.ts";
import { COLUMNS, outcomeOf } from "./conformance/test-catalog.fixture.ts";
import { openCatalog } from "./open.ts";
import { Engine } from "../engine/engine.ts";
import { createTable, openTable } from "./open-table.ts";

let folder: string;
let table: Table;
let resources: AsyncDisposableStack;
const files = new TableFiles();

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "iceberg-open-"));
  resources = new AsyncDisposableStack();
  resources.defer(() => rm(folder, { recursive: true }));
  const catalog = resources.use(openCatalog(folder));
  await catalog.createNamespace("a");
  table = await catalog.createTable("a.t", { columns: COLUMNS });
  await table.setProperties({ a: "1" });
});
afterEach(() => resources.disposeAsync());

describe("a catalog's location", () => {
  it.each([
    "",
    "gs://b",
    "http://h",
    "ftp://h",
    "s3://",
    "s3:b",
    "s3://b?region=x&colour=red",
    "s3://b?path-style=1",
    "a\0b",
  ])("can't be %j", (location) => {
    expect(() => openCatalog(location)).toThrow(expect.objectContaining({ code: "unsupported" }));
  });

  it.each(["rest+http://me:pass@h", "rest+https://", "rest+https://h?token=pass", "rest+https://h/#pass"])(
    "can't be %j, and what may be a password isn't repeated",
    (location) => {
      const error = expect.objectContaining({ code: "unsupported", message: expect.not.stringContaining("pass") });
      expect(() => openCatalog(location)).toThrow(error);
    },
  );

  it("is a path from the working folder on, and files have the whole of it", async () => {
    await using catalog = openCatalog(path.relative(process.cwd(), folder));
    expect(catalog.location).toBe(folder);
    expect((await catalog.loadTable("a.t")).location).toBe(`${folder}/a/t`);
  });

  it("as a URL is unescaped, so that files have paths as they are", async () => {
    await symlink(folder, `${folder} and`);
    resources.defer(() => rm(`${folder} and`));
    await using catalog = openCatalog(`file://${folder}%20and`);
    expect(catalog.location).toBe(`file://${folder} and`);
    expect(await catalog.listTables("a")).toEqual(["a.t"]);
  });

  it("memory: is new each time, and memory:name is not", async () => {
    for (const [location, expected] of [
      ["memory:", []],
      [`memory:${randomUUID()}`, ["a"]],
    ] as const) {
      await using first = openCatalog(location);
      await first.createNamespace("a");
      await using second = openCatalog(location);
      expect(await second.listNamespaces()).toEqual(expected);
    }
  });
});

describe("a table by its location", () => {
  it("is read, and not changed unless that is asked for", async () => {
    await using opened = await openTable(table.location);
    expect(opened.properties).toEqual({ a: "1" });
    expect(opened.name).toBe(table.location);
    await expect(opened.setProperties({ b: "2" })).rejects.toMatchObject({
      code: "read-only",
      message: expect.stringContaining("open it with isWritable to change it"),
    });
    await table.setProperties({ c: "3" });
    expect((await opened.refresh()).properties).toEqual({ a: "1", c: "3" });
  });

  it("is changed if that is asked for", async () => {
    await using opened = await openTable(`${table.location}/`, { isWritable: true });
    await opened.setProperties({ b: "2" });
    expect((await table.refresh()).properties).toEqual({ a: "1", b: "2" });
  });

  it("is read by one of its metadata files as it was then", async () => {
    const uri = `${table.location}/metadata/v1.metadata.json`;
    await using opened = await openTable(uri);
    expect((await opened.refresh()).properties).toEqual({});
    expect(await outcomeOf(opened.setProperties({ b: "2" }))).toBe("read-only");
    await expect(openTable(uri, { isWritable: true })).rejects.toMatchObject({
      code: "read-only",
      message: expect.stringContaining("as it was at one time"),
    });
    await files.delete([uri]);
    await expect(opened.refresh()).rejects.toMatchObject({
      code: "table-missing",
      message: expect.stringContaining(uri),
    });
  });

  it("is read by the highest number of files that a catalog has named", async () => {
    const metadata = `${table.location}/metadata`;
    await files.write(
      `${metadata}/00009-${randomUUID()}.metadata.json`,
      await files.read(`${metadata}/v1.metadata.json`),
    );
    const packed = gzipSync(await files.read(`${metadata}/v2.metadata.json`));
    await files.write(`${metadata}/00010-${randomUUID()}.gz.metadata.json`, packed);
    await files.delete([`${metadata}/v1.metadata.json`, `${metadata}/v2.metadata.json`]);
    await using opened = await openTable(table.location);
    expect(opened.properties).toEqual({ a: "1" });
    expect(opened.state.metadataLocation).toMatch(/\/00010-/);
    await expect(openTable(table.location, { isWritable: true })).rejects.toMatchObject({
      code: "read-only",
      message: expect.stringContaining("open the table by its catalog"),
    });
  });

  it("is found after its folder was moved", async () => {
    await rename(table.location, `${folder}/moved`);
    await using opened = await openTable(`${folder}/moved`, { isWritable: true });
    await opened.setProperties({ b: "2" });
    expect(opened.location).toBe(table.location);
    expect(opened.state.metadataLocation).toBe(`${folder}/moved/metadata/v3.metadata.json`);
  });

  it("is made where there is none, and is the catalog's too whose folder that is", async () => {
    const options = { columns: COLUMNS, partitionBy: ["day"], properties: { b: "2" } };
    await using made = await createTable(`${folder}/a/made/`, options);
    expect(made.location).toBe(`${folder}/a/made`);
    await made.setProperties({ c: "3" });
    await using catalog = openCatalog(folder);
    const found = await catalog.loadTable("a.made");
    expect([found.properties, found.spec.fields.map((f) => f.name)]).toEqual([{ b: "2", c: "3" }, ["day"]]);
    await expect(createTable(`${folder}/a/made`, options)).rejects.toMatchObject({ code: "table-exists" });
  });

  it("is made by one of all who try", async () => {
    const tries = Array.from({ length: 8 }, () => createTable(`${folder}/raced`, { columns: COLUMNS }));
    const ended = await Promise.allSettled(tries);
    for (const one of ended) if (one.status === "fulfilled") resources.use(one.value);
    const failed = ended.flatMap((one) => (one.status === "rejected" ? [(one.reason as { code: string }).code] : []));
    expect(failed).toEqual(Array.from({ length: 7 }, () => "table-exists"));
  });

  it("isn't made where a catalog has one", async () => {
    const metadata = `${folder}/cataloged/metadata`;
    const file = `${metadata}/00001-${randomUUID()}.metadata.json`;
    await files.write(file, await files.read(`${table.location}/metadata/v1.metadata.json`));
    const making = createTable(`${folder}/cataloged`, { columns: COLUMNS });
    await expect(making).rejects.toMatchObject({ code: "table-exists" });
  });

  it("is in one query with others of the same engine, which it leaves open", async () => {
    await using engine = new Engine();
    await using other = await createTable(`${folder}/other`, { columns: { id: "long" }, engine });
    await other.append([{ id: 7 }]);
    await (await openTable(table.location, { engine }))[Symbol.asyncDispose]();
    await using opened = await openTable(table.location, { engine });
    const counts = engine.sql`select (select count(*) from ${opened.scan()}) as t, (select sum(id) from ${other.scan()})::int as o`;
    expect(await counts.toArray()).toEqual([{ t: 0n, o: 7 }]);
  });

  it.each(["nothing", "nothing.metadata.json"])("isn't there: %s", async (name) => {
    await expect(openTable(`${folder}/${name}`)).rejects.toMatchObject({ code: "table-missing" });
    await expect(openTable(`${folder}/${name}`, { isWritable: true })).rejects.toMatchObject({ code: "table-missing" });
  });
});
