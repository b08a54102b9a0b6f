import { afterAll, beforeAll, expect, it } from "vitest";
import type { Catalog } from "./catalog/catalog.ts";
import { openCatalog } from "./catalog/open.ts";

let catalog: Catalog;
let table: any; // as a caller without types has it
beforeAll(async () => {
  catalog = openCatalog("memory:");
  await catalog.createNamespace("n");
  table = await catalog.createTable("n.t", { columns: { a: "long?" } });
  await table.append([{ a: 1n }]);
});
afterAll(() => catalog[Symbol.asyncDispose]());

it.each<[string, (wrong: unknown) => unknown]>([
  ["changeSchema", (changes) => table.changeSchema(changes)],
  ["changeSchema of one", (change) => table.changeSchema([change])],
  ["changeSpec", (changes) => table.changeSpec(changes)],
  ["changeSpec of one", (change) => table.changeSpec([change])],
  ["changeSortOrder", (by) => table.changeSortOrder(by)],
  ["removeProperties", (names) => table.removeProperties(names)],
  ["setProperties", (properties) => table.setProperties(properties)],
  ["a scan's snapshot", (snapshot) => table.scan({ snapshot }).toArray()],
  ["rollbackTo", (to) => table.refs.rollbackTo(to)],
  ["append's properties", (properties) => table.append([{ a: 1n }], { properties })],
])("%s refuses what it doesn't take with a sentence", async (_, call) => {
  const outcomes = await Promise.allSettled(
    [null, 5, 5n, "x", { a: 1 }, new Map([["a", 1]])].map(async (wrong) => await call(wrong)),
  );
  const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  expect(reasons.length).toBeGreaterThan(2);
  for (const reason of reasons) expect(reason).toMatchObject({ name: "IcebergError" });
});
