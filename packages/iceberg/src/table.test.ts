/** What those get whom no compiler tells: a sentence, and a table that can be read as before. */
import { afterAll, describe, expect, it } from "vitest";
import { openCatalog } from "./catalog/open.ts";
import { openTable } from "./catalog/open-table.ts";
import { Engine } from "./engine/engine.ts";
import { eq } from "./predicate/predicate.ts";
import type { Table } from "./table.ts";

const catalog = openCatalog("memory:table-test", { engine: { threads: 1 } });
afterAll(async () => await catalog[Symbol.asyncDispose]());
await catalog.createNamespace("a");
let tables = 0;
const newTable = () => catalog.createTable(`a.t${++tables}`, { columns: { id: "int?", s: "string?" } });
const given = (value: unknown) => value as never;

describe("a table whose change is refused is as it was", () => {
  it.each<[string, (table: Table) => Promise<unknown>, string, string]>([
    ["a delete without a filter", (t) => t.delete(given(undefined)), "invalid-predicate", "or ALWAYS for all of them"],
    ["an overwrite without where", (t) => t.overwrite([], given({})), "invalid-predicate", "or ALWAYS for all of them"],
    ["a filter that is none", (t) => t.delete(given({ op: "like", column: "s" })), "invalid-predicate", "is no filter"],
    ["a list in a filter", (t) => t.delete(given({ op: "and", of: "x" })), "invalid-predicate", "is no filter"],
    ["a number as a property", (t) => t.append([], { properties: given({ n: 5 }) }), "invalid-change", 'such as "5"'],
    ["a number in once", (t) => t.append([], { once: given({ n: 5 }) }), "invalid-change", 'such as "5"'],
    ["null as a property", (t) => t.setProperties(given({ n: null })), "invalid-change", "which isn't a text"],
    ["another operation", (t) => t.commit(given({ operation: "add" })), "invalid-change", "the operation is add"],
    ["another version", (t) => t.upgrade(given(9)), "invalid-change", "and not to 9"],
    ["rows that are a text", (t) => t.append(given("abc")), "invalid-rows", "give an array"],
    ["rows that are a promise", (t) => t.append(given(Promise.resolve([]))), "invalid-rows", "await it"],
    ["a row without brackets", (t) => t.append(given({ id: 1 })), "invalid-rows", "give an array"],
    ["a Map for a row", (t) => t.append([new Map([["id", 5]])]), "invalid-rows", "row 1: it is a Map"],
    ["a Date for a row", (t) => t.append([new Date()]), "invalid-rows", "row 1: it is a Date"],
    ["half a character", (t) => t.append([{ s: "\ud83d" }]), "invalid-rows", "has half of a surrogate pair"],
    ["half a character in a filter", (t) => t.delete(eq("s", "\ud83d")), "invalid-value", "has half of a surrogate"],
    [
      "a text for a time",
      (t) => t.maintenance.removeOrphans({ olderThan: given("2024") }),
      "invalid-change",
      "olderThan",
    ],
  ])("%s", async (_what, change, code, sentence) => {
    const table = await newTable();
    await table.append([{ id: 1 }]);
    await expect(change(table)).rejects.toMatchObject({ code, message: expect.stringContaining(sentence) as unknown });
    const again = await catalog.loadTable(table.name);
    expect(await again.scan().toArray()).toEqual([{ id: 1, s: null }]);
  });
});

it("rows of one object that changes are those that it was", async () => {
  const table = await newTable();
  function* counted() {
    const row = { id: 0 };
    for (row.id = 1; row.id <= 3; row.id++) yield row;
  }
  await table.append(counted());
  expect((await table.scan<{ id: number }>().toArray()).map(({ id }) => id)).toEqual([1, 2, 3]);
});

describe("a table isn't made", () => {
  it.each<[string, object, string, string]>([
    ["of another version", { columns: { id: "int" }, formatVersion: 3 }, "invalid-change", "version 1 or 2"],
    ["with a number as a property", { columns: { id: "int" }, properties: { a: 5 } }, "invalid-change", 'such as "5"'],
    ["with names that differ by case only", { columns: { a: "int", A: "int" } }, "unsupported", "by case only"],
    ["with such fields in a struct", { columns: { s: { a: "int", A: "int" } } }, "unsupported", "s.A differs from s.a"],
    ["with a NUL in a name", { columns: { "a\0b": "int" } }, "unsupported", "has a NUL"],
    ["with a text for a list", { columns: { id: "int" }, partitionBy: "id" }, "invalid-change", 'write ["id"]'],
    ["with nanoseconds", { columns: { t: "timestamp_ns" } }, "unsupported", "needs version 3"],
  ])("%s", async (_what, options, code, sentence) => {
    const failure = { code, message: expect.stringContaining(sentence) as unknown };
    await expect(catalog.createTable("a.never", options)).rejects.toMatchObject(failure);
    expect(await catalog.tableExists("a.never")).toBe(false);
  });
});

it.each([[[]], ["id"]])("columns to read that are %j are refused", async (columns) => {
  const table = await newTable();
  expect(() => table.scan({ columns: given(columns) })).toThrow("columns is a list of one column's name or several");
});

it("orphans of a table that was opened to be read stay", async () => {
  const table = await newTable();
  await using readOnly = await openTable(table.location);
  const removed = readOnly.maintenance.removeOrphans({ olderThan: new Date(), allowsRecent: true });
  await expect(removed).rejects.toMatchObject({ code: "read-only" });
});

it("options that DuckDB doesn't take are named", async () => {
  await using engine = new Engine({ memoryLimit: "lots" });
  const failure = { code: "query-failed", message: expect.stringContaining("memoryLimit lots") as unknown };
  await expect(engine.sql`select 1`.toArray()).rejects.toMatchObject(failure);
});
