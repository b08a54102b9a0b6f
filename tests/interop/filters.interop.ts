/** What filters select, over files of every writer and by every reader. */
import path from "node:path";
import { type JsonObject, openTable, parseSchema, type Predicate } from "@orcajs/iceberg";
import { expect, it } from "vitest";
import { ALL_TYPES, ALL_TYPES_ROWS } from "./all-types.ts";
import { filterJson, filtersOf, idsInOrder } from "./filters.ts";
import { isJavaReady, java } from "./java.ts";
import { python } from "./python.ts";
import type { WrittenTable } from "./tables-here.ts";
import { warehouse } from "./warehouse.ts";

const folder = warehouse();
const { fields } = parseSchema(ALL_TYPES);

/** NaN is above all numbers here; in Arrow it compares with none, and Java passes over files of it, whose bounds don't have it. */
const rowsWithoutNaN = ALL_TYPES_ROWS.filter((row) => row["d"] !== "NaN");
/** 0 and -0 are equal here, as in SQL; in Java one is less than the other. */
const rowsWithoutZeros = rowsWithoutNaN.filter((row) => row["d"] === null || Number(row["d"]) !== 0);
/** Without UUIDs: Arrow compares none, and Java's generic reader finds none that are equal. */
const filters = filtersOf(
  fields.filter((f) => f.name !== "u"),
  ALL_TYPES_ROWS,
);

it("filters select the rows that PyIceberg selects, of each type, in files that it wrote", async () => {
  const appends = [rowsWithoutNaN.slice(0, 3), rowsWithoutNaN.slice(3, 5), rowsWithoutNaN.slice(5)];
  const requests = [{ name: "filters", version: 2, schema: ALL_TYPES, appends }];
  for (const { metadata } of python("write_rows.py", [folder], requests) as unknown as WrittenTable[])
    expect(await idsHere(metadata)).toEqual(idsOf(python("read.py", [], requestsOf(metadata))));
});

it.skipIf(!isJavaReady())(
  "filters select the rows that Java selects, of each type, in files that it wrote",
  async () => {
    const parts = [rowsWithoutZeros.slice(0, 3), rowsWithoutZeros.slice(3, 5), rowsWithoutZeros.slice(5)];
    const steps = parts.map((append) => ({ append }));
    const requests = [{ folder: path.join(folder, "java"), version: 3, schema: ALL_TYPES, steps }];
    for (const { metadata } of java("write", requests) as unknown as WrittenTable[])
      expect(await idsHere(metadata)).toEqual(idsOf(java("read", requestsOf(metadata))));
  },
);

function requestsOf(metadata: string): unknown {
  return filters.map((where) => ({ metadata, where: filterJson(where), columns: ["id"] }));
}

function idsOf(answers: unknown): Record<string, readonly number[]> {
  return byFilter((answers as JsonObject[][]).map(idsInOrder));
}

async function idsHere(metadata: string): Promise<Record<string, readonly number[]>> {
  await using table = await openTable(metadata);
  const ids: (readonly number[])[] = [];
  for (const where of filters) {
    const rows = await table.scan({ where, columns: ["id"] }).toArray();
    ids.push(idsInOrder(rows));
  }
  return byFilter(ids);
}

function byFilter(ids: readonly (readonly number[])[]): Record<string, readonly number[]> {
  return Object.fromEntries(ids.map((list, i) => [textOf(filters[i]!), list]));
}

function textOf(where: Predicate): string {
  return JSON.stringify(filterJson(where), (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}
