import * as arrow from "apache-arrow";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clean, day, TestRun } from "./warehouse-tables.fixture.ts";

let run: TestRun;
beforeEach(() => {
  run = new TestRun();
});
afterEach(async () => await run[Symbol.asyncDispose]());

/** A table in two record batches, as a file or a service gives it. */
function arrowTable(): arrow.Table {
  const batch = (ids: readonly number[], note: string | null) =>
    new arrow.Table({
      id: arrow.vectorFromArray(ids, new arrow.Int32()),
      day: arrow.vectorFromArray(
        ids.map(() => new Date(day)),
        new arrow.DateDay(),
      ),
      note: arrow.vectorFromArray(
        ids.map(() => note),
        new arrow.Utf8(),
      ),
    });
  return arrow.tableFromIPC(arrow.tableToIPC(batch([1, 2], "x").concat(batch([3], null))));
}

const ROWS = [
  { id: 1n, day, note: "x" },
  { id: 2n, day, note: "x" },
  { id: 3n, day, note: null },
];

async function* later<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}

describe("rows are appended and overwritten as they come:", () => {
  it.each([
    ["an array", () => ROWS],
    ["an iterable", () => new Set(ROWS)],
    ["an async iterable", () => later(ROWS)],
    ["a stream", () => ReadableStream.from(ROWS)],
    ["a table of Arrow's", arrowTable],
    ["a record batch", () => new arrow.Table(arrowTable().batches).batches[0]!],
    ["record batches", () => arrowTable().batches],
    ["record batches that come one by one", () => later(arrowTable().batches)],
    ["a reader of Arrow's stream", () => arrow.RecordBatchReader.from(arrow.tableToIPC(arrowTable()))],
  ])("%s", async (what, rows) => {
    const expected = what === "a record batch" ? ROWS.slice(0, 2) : ROWS;
    await run.attempt(1, "appends").append(clean, rows() as never);
    expect(await run.rows("lake.clean")).toEqual(expected);
    await run.attempt(1, "overwrites").overwrite(clean, rows() as never, { where: { day } });
    expect(await run.rows("lake.clean")).toEqual(expected);
  });
});

describe("Arrow's rows are refused", () => {
  it.each([
    [{ id: arrow.vectorFromArray(["x"], new arrow.Utf8()) }, "rows don't fit lake.clean: row 1: column id"],
    [{ id: arrow.vectorFromArray([1], new arrow.Int32()) }, "rows don't fit lake.clean: row 1: column day is null"],
    [{ mm: arrow.vectorFromArray([1], new arrow.Int32()) }, "there is no column mm in the table"],
  ])("that don't fit the table's columns", async (columns, sentence) => {
    const appended = run.attempt().append(clean, new arrow.Table(columns as never) as never);
    await expect(appended).rejects.toMatchObject({
      code: "rows-misfit",
      message: expect.stringContaining(sentence) as unknown,
    });
  });

  it("that an overwrite doesn't replace", async () => {
    const written = run.attempt().overwrite(clean, arrowTable(), { where: { day, note: "x" } });
    await expect(written).rejects.toMatchObject({ code: "rows-misfit" });
    expect((await run.catalog.loadTable("lake.clean")).snapshots()).toEqual([]);
  });
});
