import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Engine } from "../engine/engine.ts";
import { eq } from "../predicate/predicate.ts";
import type { Field } from "../schema/type.ts";
import { TestTable } from "./table.fixture.ts";

const temporaryFolder = await mkdtemp(path.join(tmpdir(), "iceberg-faults-"));
const engine = new Engine({ temporaryFolder });
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await rm(temporaryFolder, { recursive: true });
});

const fields: readonly Field[] = [{ id: 1, name: "n", required: false, type: { kind: "long" } }];

/** A table of three files of 50,000 rows. */
async function threeFiles(location?: string) {
  const table = await TestTable.make({ fields }, engine, location);
  const files = [];
  for (const i of [0, 1, 2]) {
    const select = `SELECT range + ${i * 50_000} AS n FROM range(50000)`;
    files.push(await table.copy(select, { rowGroupRows: 10_000 }));
  }
  await table.commit(files);
  return { table, files };
}

describe("a data file", () => {
  it("that vanished is named", async () => {
    const { table, files } = await threeFiles();
    await using _ = table;
    await rm(files[1]!.path);
    const gone = { code: "file-missing", message: `the table's file ${files[1]!.path} isn't there any more` };
    await expect(table.scan().toArray()).rejects.toMatchObject(gone);
    await expect(engine.sql`select count(*) as n from ${table.scan()}`.toArray()).rejects.toMatchObject(gone);
    await expect(table.scan().toArrow()).rejects.toMatchObject(gone);
  });

  it("that vanished after its columns were seen is named", async () => {
    const { table, files } = await threeFiles();
    await using _ = table;
    expect(await engine.sql`select count(n) as n from ${table.scan()}`.toArray()).toEqual([{ n: 150_000n }]);
    await rm(files[2]!.path);
    await expect(table.scan().toArray()).rejects.toMatchObject({ code: "file-missing" });
  });

  it("that is cut off is named", async () => {
    const { table, files } = await threeFiles();
    await using _ = table;
    await truncate(files[1]!.path, 1000);
    await expect(table.scan().toArray()).rejects.toMatchObject({
      code: "invalid-file",
      message: expect.stringContaining(
        `data file ${files[1]!.path} can't be read: it has 1000 bytes, and the table says ${files[1]!.sizeBytes}`,
      ) as string,
    });
  });

  it("whose pages are corrupt is named", async () => {
    const { table, files } = await threeFiles();
    await using _ = table;
    const bytes = await readFile(files[1]!.path);
    bytes.fill(0xff, 4, 2000);
    await writeFile(files[1]!.path, bytes);
    await expect(table.scan().toArray()).rejects.toMatchObject({
      code: "invalid-file",
      message: expect.stringContaining(`data file ${files[1]!.path} can't be read`) as string,
    });
  });

  it("that isn't Parquet, or is encrypted, is refused by name", async () => {
    await using table = await TestTable.make({ fields }, engine);
    const file = await table.file({ rows: [{ n: 1n }] });
    await table.commit([{ ...file, format: "orc" }]);
    await expect(table.scan().toArray()).rejects.toMatchObject({
      code: "unsupported",
      message: `file ${file.path} is in orc, and only Parquet is read`,
    });
    table.metadata = { ...table.metadata, refs: {}, "current-snapshot-id": undefined };
    await table.commit([{ ...file, keyMetadata: Uint8Array.of(1) }]);
    await expect(table.scan().toArray()).rejects.toMatchObject({
      code: "unsupported",
      message: `file ${file.path} is encrypted, and encryption isn't supported`,
    });
  });

  it("is never taken for another by the signs in its name", async () => {
    await using table = await TestTable.make({ fields }, engine);
    const odd = await table.file({ rows: [{ n: 1n }], name: "a[1]*'?.parquet" });
    await table.file({ rows: [{ n: 2n }], name: "a1x'y.parquet" });
    await table.commit([odd]);
    expect(await table.scan().toArray()).toEqual([{ n: 1n }]);
    await rm(odd.path);
    await expect(table.scan().toArray()).rejects.toMatchObject({ code: "file-missing" });
  });
});

it("a manifest that vanished or is cut off is named", async () => {
  const { table } = await threeFiles();
  await using _ = table;
  const list = table.metadata.snapshots[0]!["manifest-list"]!;
  await truncate(list, 50);
  await expect(table.scan().toArray()).rejects.toMatchObject({
    code: "invalid-manifest",
    message: expect.stringContaining(list) as string,
  });
  await rm(list);
  // what was read is kept: it would never change
  const other = new (await import("../files/table-files.ts")).TableFiles();
  const { planFiles } = await import("./plan.ts");
  await expect(planFiles({ state: table.state, files: other })).rejects.toMatchObject({
    code: "file-missing",
    message: `the table's file ${list} isn't there any more`,
  });
});

describe("a scan", () => {
  it("streams in bounded memory, and may be left before its end", async () => {
    await using table = await TestTable.make({ fields }, engine);
    await table.commit([await table.copy("SELECT range AS n FROM range(6000000)", {})]);
    await using small = new Engine({ memoryLimit: "60MB", threads: 1 });
    const scan = table.scan();
    const begun = scan.rows();
    expect((await begun.next()).value).toEqual({ n: 0n });
    await begun.return();
    const { scanTable } = await import("./scan.ts");
    const operations = {
      name: "t",
      files: table.files,
      load: async () => table.state,
      commit: () => Promise.reject(new Error()),
    };
    let [rows, sum] = [0, 0n];
    for await (const batch of scanTable({ operations, state: table.state, engine: small }).batches()) {
      rows += batch.rowCount;
      sum += batch.columns["n"]![0] as bigint;
    }
    expect([rows, sum > 0n]).toEqual([6_000_000, true]);
  });

  it("ends with the signal's reason", async () => {
    const { table } = await threeFiles();
    await using _ = table;
    const reason = new Error("enough");
    const controller = new AbortController();
    const rows = table.scan().rows({ signal: controller.signal });
    await rows.next();
    controller.abort(reason);
    await expect(all(rows)).rejects.toBe(reason);
    await expect(table.scan().toArray({ signal: controller.signal })).rejects.toBe(reason);
    await expect(table.scan().files({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it("fetches files of other stores, those that it needs, and removes them", async () => {
    const { table } = await threeFiles("memory:faults/table");
    await using _ = table;
    expect(await table.scan({ where: eq("n", 50_001) }).toArray()).toEqual([{ n: 50_001n }]);
    const partly = table.scan().rows();
    await partly.next();
    expect(await readdir(temporaryFolder)).toHaveLength(1);
    expect(await readdir(path.join(temporaryFolder, (await readdir(temporaryFolder))[0]!))).toHaveLength(3);
    await partly.return();
    expect(await readdir(temporaryFolder)).toEqual([]);
    const [{ path: uri }] = (await table.scan().files()).map((task) => task.file.file) as unknown as [{ path: string }];
    await table.files.delete([uri]);
    await expect(table.scan().toArray()).rejects.toMatchObject({
      code: "file-missing",
      message: `the table's file ${uri} isn't there any more`,
    });
    expect(await readdir(temporaryFolder)).toEqual([]);
  });

  it("is a source that a COPY reads", async () => {
    const { table } = await threeFiles();
    await using _ = table;
    const target = path.join(table.folder, "copied.parquet");
    await engine.use(undefined, async (connection) => {
      await using prepared = await engine.sql`select n from ${table.scan()} where n < ${10}`.prepare(connection);
      await connection.run(`COPY (${prepared.text}) TO '${target}' (FORMAT parquet)`);
    });
    expect(await engine.sql`select count(*) as n from read_parquet(${target})`.toArray()).toEqual([{ n: 10n }]);
  });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
