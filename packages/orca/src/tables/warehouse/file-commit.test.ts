import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openTable, type Table, writeRows } from "@orcajs/iceberg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FileChange } from "../../core/table-files.ts";
import { clean, day, raw, type TablesCtx, TestRun } from "./warehouse-tables.fixture.ts";

let folder: string;
let run: TestRun;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "orca-files-"));
  run = new TestRun(path.join(folder, "lake"));
});
afterEach(async () => {
  await run[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A file that DuckDB has written, without Iceberg's field ids. */
async function copied(ctx: TablesCtx, text: TemplateStringsArray, ...values: never[]): Promise<string> {
  const file = path.join(folder, `${randomUUID()}.parquet`);
  await ctx.sql`copy ${ctx.sql(text, ...values)} to ${file} (format parquet)`.toArray();
  return file;
}

const misfit = (sentence: string) => ({ code: "files-misfit", message: expect.stringContaining(sentence) as unknown });
const tableOf = (name: string) => run.catalog.loadTable(name);

/** Files of the library's own writer. */
async function written(table: Table, rows: readonly object[]) {
  const { metadata, operations, engine } = table;
  return await writeRows({ metadata, files: operations.files, engine }, rows as never);
}

describe("a commit of files", () => {
  it("adds files of other writers where they are, and says in its snapshot who made it of what", async () => {
    const ctx = run.attempt();
    await ctx.scan(raw).toArray();
    const file = await copied(ctx, [`select 1::bigint as id, date '2024-01-31' as day, 'x' as note`] as never);
    const snapshot = await ctx.commit(clean, { operation: "append", add: [file] });
    expect(await run.rows("lake.clean")).toEqual([{ id: 1n, day, note: "x" }]);
    const table = await tableOf("lake.clean");
    expect((await table.scan().files()).map((task) => task.file.file.path)).toEqual([file]);
    expect(table.scan().snapshot).toMatchObject({
      "snapshot-id": snapshot,
      summary: {
        operation: "append",
        "orca.step": "load",
        "orca.commit": "1",
        "orca.commit.does": "adds files to 'lake.clean'",
        "orca.reads": "lake.raw@none",
      },
    });
    expect(run.records.commits).toEqual([
      {
        number: 1,
        dataset: "lake.clean",
        location: table.location,
        snapshot,
        operation: "append",
        code: "0xabc",
        rowsAdded: 1,
        rowsTotal: 1,
      },
    ]);
  });

  it("lands once, whatever files later attempts have written", async () => {
    const tried = async (attempt: number) => {
      const ctx = run.attempt(attempt);
      const file = await copied(ctx, [`select 1::bigint as id, date '2024-01-31' as day`] as never);
      return await ctx.commit(clean, { operation: "append", add: [file] });
    };
    expect(await tried(2)).toBe(await tried(1));
    expect(await run.rows("lake.clean")).toHaveLength(1);
  });

  it("is refused in the place of another commit that landed", async () => {
    await run.attempt().append(clean, [{ id: 1, day }]);
    const again = run.attempt(2).commit(clean, { operation: "append", add: [] });
    await expect(again).rejects.toMatchObject({
      code: "commits-differ",
      message: expect.stringContaining(
        "commit 1 of step 'load' adds files to 'lake.clean', and that of an earlier attempt appends to 'lake.clean'",
      ) as unknown,
    });
  });

  it("replaces files that a scan has by others, beside what others append", async () => {
    for (const id of [1, 2]) await run.attempt(1, `p${id}`).append(clean, [{ id, day }]);
    const ctx = run.attempt();
    const files = await ctx.scan(clean).files();
    expect(files).toEqual(files.map(({ path, sizeBytes }) => ({ path, sizeBytes, rowCount: 1, partition: { day } })));
    await using table = await openTable((await ctx.table(clean)).location);
    await run.attempt(1, "other").append(clean, [{ id: 3, day }]);
    const add = await written(table, [
      { id: 1, day, note: null },
      { id: 2, day, note: null },
    ]);
    const snapshot = await ctx.commit(clean, { operation: "replace", add, remove: files });
    expect((await run.rows("lake.clean")).map((row) => (row as { id: bigint }).id)).toEqual([1n, 2n, 3n]);
    const after = await tableOf("lake.clean");
    expect(after.scan().snapshot).toMatchObject({ "snapshot-id": snapshot, summary: { operation: "replace" } });
    expect(await after.scan().files()).toHaveLength(2);
    // its files are those that it pinned, also when they are gone
    expect(await run.attempt(2).scan(clean).files()).toEqual(files);
    expect(await run.attempt(2).commit(clean, { operation: "replace", add, remove: files })).toBe(snapshot);
  });

  it("is refused files to remove that others have removed since it read them", async () => {
    await run.attempt(1, "other").append(clean, [{ id: 1, day }]);
    const ctx = run.attempt();
    const files = await ctx.scan(clean).files();
    const table = await tableOf("lake.clean");
    await table.overwrite([], { where: { op: "eq", column: "id", value: 1n } as never });
    const removed = ctx.commit(clean, { operation: "delete", remove: files });
    await expect(removed).rejects.toMatchObject(misfit("the table has no such file, or others have removed it"));
    expect(table.snapshots()).toHaveLength(2);
  });

  it("finds columns by their names that were added since the first such file", async () => {
    await run.catalog.createNamespace("lake");
    await run.catalog.createTable("lake.raw", { columns: { id: "long", day: "date" } });
    const ctx = run.attempt();
    const first = await copied(ctx, [`select 1::bigint as id, date '2024-01-31' as day`] as never);
    await ctx.commit(raw, { operation: "append", add: [first] });
    const second = await copied(ctx, [
      `select 2::bigint as id, date '2024-01-31' as day, 1.5::double as value`,
    ] as never);
    await ctx.commit(raw, { operation: "append", add: [second] });
    expect(await run.rows("lake.raw")).toEqual([
      { id: 1n, day, value: null },
      { id: 2n, day, value: 1.5 },
    ]);
  });

  it("takes a file's partition, if its rows may be of it", async () => {
    const ctx = run.attempt();
    const file = await copied(ctx, [
      `select 1::bigint as id, day::date as day from (values ('2024-01-31'), ('2024-02-01')) t(day)`,
    ] as never);
    const two = ctx.commit(clean, { operation: "append", add: [file] });
    await expect(two).rejects.toMatchObject(misfit("files don't fit lake.clean: "));
    for (const [partition, sentence] of [
      [{ dya: day }, "has dya: the fields are day"],
      [{ day }, "has rows that aren't of the partition day that it is given"],
    ] as const) {
      const given = run.attempt(2).commit(clean, { operation: "append", add: [{ path: file, partition }] });
      await expect(given).rejects.toMatchObject(misfit(sentence));
    }
    const one = await copied(ctx, [`select 1::bigint as id, date '2024-01-31' as day`] as never);
    await run.attempt(3).commit(clean, { operation: "append", add: [{ path: one, partition: { day } }] });
    expect(await run.rows("lake.clean")).toHaveLength(1);
  });
});

describe("files are refused", () => {
  const add = (...files: readonly unknown[]) =>
    run.attempt().commit(clean, { operation: "append", add: files } as never);

  it("that aren't there, or aren't what they were", async () => {
    await expect(add(path.join(folder, "none.parquet"))).rejects.toMatchObject(misfit("none.parquet"));
    const table = await tableOf("lake.clean");
    const [file] = await written(table, [{ id: 1, day, note: null }]);
    await expect(add({ ...file, file: { ...file!.file, sizeBytes: 7 } })).rejects.toMatchObject(
      misfit("bytes, and had 7 when it was written"),
    );
    await rm(file!.file.path);
    await expect(add(file)).rejects.toMatchObject(misfit(`there is no file ${file!.file.path}`));
    expect(table.snapshots()).toEqual([]);
  });

  it("that are no Parquet files, or have other columns", async () => {
    const text = path.join(folder, "text.parquet");
    await writeFile(text, "id,day\n1,2024-01-31\n");
    await expect(add(text)).rejects.toMatchObject(misfit("text.parquet"));
    const ctx = run.attempt();
    const typed = await copied(ctx, [`select 'x' as id, date '2024-01-31' as day`] as never);
    await expect(add(typed)).rejects.toMatchObject(misfit("doesn't fit the table"));
    const lacking = await copied(ctx, [`select 1::bigint as id`] as never);
    await expect(add(lacking)).rejects.toMatchObject(misfit("files don't fit lake.clean"));
    const nulls = await copied(ctx, [`select null::bigint as id, date '2024-01-31' as day`] as never);
    await expect(add(nulls)).rejects.toMatchObject(misfit("has 1 null in column id, which is required"));
  });

  it("that the table has already", async () => {
    const file = await copied(run.attempt(), [`select 1::bigint as id, date '2024-01-31' as day`] as never);
    await run.attempt(1, "first").commit(clean, { operation: "append", add: [file] });
    for (const given of [file, `file://${file}`])
      await expect(add(given)).rejects.toMatchObject(
        misfit("is in the table already, and its rows would be there twice"),
      );
    await expect(
      run.attempt(1, "both").commit(clean, { operation: "append", add: [file, file] }),
    ).rejects.toMatchObject(misfit(file));
  });

  it.each([
    ["no change", undefined, "commit says what it does, append, overwrite, delete or replace"],
    ["another operation", { operation: "merge" }, "commit says what it does, append, overwrite, delete or replace"],
    ["files that are no list", { operation: "append", add: "a.parquet" }, "the files to add are an array"],
    ["an append that removes", { operation: "append", add: [], remove: ["a"] }, "an append removes no files"],
    ["what is no file", { operation: "append", add: [1] }, "a file to add is the path of a Parquet file"],
    ["what can't be removed", { operation: "delete", remove: [{}] }, "a file to remove is its path"],
    [
      "a file that isn't there",
      { operation: "delete", remove: ["a"] },
      "a can't be removed: the table has no such file",
    ],
  ])("as no commit takes them: %s", async (_what, change, sentence) => {
    await expect(run.attempt().commit(clean, change as FileChange)).rejects.toMatchObject(misfit(sentence));
  });
});
