import { expect, it } from "vitest";
import { nullable, type AnyColumns } from "./column-notation.ts";
import { columnDifferences } from "./column-differences.ts";
import { columnsOf } from "./column.ts";

function differences(one: AnyColumns, other: AnyColumns): readonly string[] {
  return columnDifferences(columnsOf(one, {}), columnsOf(other, {}), "here", "there");
}

const columns = { id: "long", at: { lat: "double?" }, tags: ["string"], of: { "[date]": "int" } } as const;

it("columns don't differ by their order, and neither do fields", () => {
  expect(differences(columns, columns)).toEqual([]);
  expect(differences({ a: "int", b: { c: "int", d: "int" } }, { b: { d: "int", c: "int" }, a: "int" })).toEqual([]);
});

it.each([
  [{ ...columns, id: "int" }, ["id is long here and int there"]],
  [{ ...columns, id: "long?" }, ["id is long here and long? there"]],
  [{ ...columns, note: "string?" }, ["note is only there"]],
  [{ id: "long", at: columns.at, tags: columns.tags }, ["of is only here", "a value of of is only here"]],
  [{ ...columns, at: { lat: "double" } }, ["at.lat is double? here and double there"]],
  [{ ...columns, at: nullable(columns.at) }, ["at is struct here and struct? there"]],
  [{ ...columns, tags: ["uuid"] }, ["tags[] is string here and uuid there"]],
  [{ ...columns, of: { "[string]": "int" } }, ["of is map of date here and map of string there"]],
  [{ ...columns, of: { "[date]": "int?" } }, ["a value of of is int here and int? there"]],
  [{ ...columns, id: "decimal(9, 2)" }, ["id is long here and decimal(9, 2) there"]],
])("columns that differ from %o are named", (other, says) => {
  expect(differences(columns, other)).toEqual(says);
});
