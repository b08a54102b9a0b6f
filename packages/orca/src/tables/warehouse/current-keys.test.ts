import { randomUUID } from "node:crypto";
import { type Catalog, type Columns, type GivenRow, openCatalog } from "@orcajs/iceberg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keyed } from "../../core/partitions.ts";
import { currentKeys } from "./current-keys.ts";
import { Warehouse } from "./warehouse.ts";

let catalog: Catalog;
let warehouse: Warehouse;
beforeEach(async () => {
  const location = `memory:${randomUUID()}`;
  catalog = openCatalog(location);
  warehouse = new Warehouse(location);
  await catalog.createNamespace("av2");
});
afterEach(async () => {
  await warehouse[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
});

async function made(columns: Columns, rows: readonly GivenRow[]) {
  const table = await catalog.createTable("av2.logs", { columns });
  if (rows.length > 0) await table.append(rows);
  return table;
}

const keysOf = (column = "log_id") => currentKeys(warehouse, keyed("av2.logs", column));

it("the keys are the column's distinct values in the current snapshot, sorted by their bytes", async () => {
  const table = await made(
    { log_id: "string", n: "long?" },
    ["b", "a", "B", "a.1", "a-1", "b"].map((log_id) => ({ log_id })),
  );
  await table.append([{ log_id: "a" }, { log_id: "c" }]);
  const { snapshot, keys } = await keysOf();
  expect(snapshot).toBe(table.scan().snapshot!["snapshot-id"]);
  expect(keys).toEqual(["B", "a", "a-1", "a.1", "b", "c"]);
});

it("a column that may be null is fit as long as no row lacks it, and so is one of UUIDs", async () => {
  const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
  await made({ log_id: "string?", id: "uuid" }, [{ log_id: "a", id }]);
  expect((await keysOf()).keys).toEqual(["a"]);
  expect((await keysOf("id")).keys).toEqual([id]);
});

it("a table that had no rows yet has no keys", async () => {
  await made({ log_id: "string" }, []);
  expect(await keysOf()).toEqual({ snapshot: undefined, keys: [] });
});

it("100,000 keys of 300,000 rows are read", async () => {
  const table = await made({ log_id: "string" }, []);
  const rows = warehouse.engine.sql`select 'log-' || (n % 100000)::varchar as log_id from range(300000) t(n)`;
  await table.append(rows);
  const { keys } = await keysOf();
  expect([keys.length, keys[0], keys.at(-1)]).toEqual([100_000, "log-0", "log-99999"]);
});

it.each([
  ["a value that is no name", ["ok", "no name"], '"no name" of log_id in av2.logs can\'t be keys: names are 1 to 128'],
  ["an empty value", [""], '"" of log_id in av2.logs can\'t be keys'],
  ["a folder's sign", [".."], '".." of log_id in av2.logs can\'t be keys'],
  ["a value of more lines", ["a\nb"], String.raw`"a\nb" of log_id in av2.logs can't be keys`],
  [
    "several",
    ["a/1", "a/2", "a/3", "a/4", "a/5"],
    '"a/1", "a/2", "a/3" and 2 more of log_id in av2.logs can\'t be keys',
  ],
  ["a long value", ["x".repeat(200)], `"${"x".repeat(128)}…" of log_id`],
  [
    "a row without one",
    ["a", null],
    "rows of av2.logs have no log_id, so that no run would cover them: give each one a name",
  ],
])("a table is refused for %s", async (_what, values, sentence) => {
  await made(
    { log_id: "string?" },
    values.map((log_id) => ({ log_id })),
  );
  await expect(keysOf()).rejects.toMatchObject({
    code: "keys-unfit",
    message: expect.stringContaining(sentence) as unknown,
  });
});

it("a column that isn't there, or is of another type, is refused with what there is", async () => {
  await made({ log_id: "string", frames: "long", at: { lat: "double" } }, []);
  const refused = (message: string) => ({ code: "keys-unfit", message });
  await expect(keysOf("log_di")).rejects.toMatchObject(
    refused("av2.logs has no column 'log_di': did you mean 'log_id'?"),
  );
  await expect(keysOf("where")).rejects.toMatchObject(
    refused("av2.logs has no column 'where': there are log_id, frames, at"),
  );
  await expect(keysOf("frames")).rejects.toMatchObject(
    refused("'frames' of av2.logs is of type long: keys are a string column's values"),
  );
  await expect(keysOf("at")).rejects.toMatchObject(
    refused("'at' of av2.logs is of type struct: keys are a string column's values"),
  );
});

it("a table that isn't there is refused", async () => {
  await expect(keysOf()).rejects.toMatchObject({
    code: "table-missing",
    message:
      "there is no table 'av2.logs' in the warehouse yet, whose log_id has the keys: make it, or set ORCA_WAREHOUSE to where it is",
  });
  await expect(currentKeys(warehouse, keyed("/nowhere/logs", "log_id"))).rejects.toMatchObject({
    code: "table-missing",
    message: "there is no table at /nowhere/logs yet, whose log_id has the keys: make it",
  });
});
