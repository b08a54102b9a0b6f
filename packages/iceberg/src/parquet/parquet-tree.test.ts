import { expect, it } from "vitest";
import { columnsOfSchema, nestedType, type ParquetColumn, type ParquetPart } from "./parquet-tree.ts";

const part = (name: string, childCount = 0, annotation = "", isRepeated = false): ParquetPart => {
  return { name, id: undefined, isRepeated, childCount, annotation };
};
const repeated = (name: string, childCount = 0, annotation = "") => part(name, childCount, annotation, true);

/** `list<struct<a, b>>`. */
function shown({ name, kind, part, fields }: ParquetColumn<ParquetPart>): string {
  return kind === "primitive" ? (name === "element" ? part.name : name) : `${kind}<${fields.map(shown).join(", ")}>`;
}

it.each<[string, string, readonly ParquetPart[]]>([
  ["three levels", "list<x>", [part("l", 1, "LIST"), repeated("list", 1), part("x")]],
  ["three levels, whatever their names", "list<y>", [part("l", 1, "LIST"), repeated("bag", 1), part("y")]],
  ["a repeated primitive", "list<x>", [part("l", 1, "LIST"), repeated("x")]],
  ["a repeated group of two", "list<struct<a, b>>", [part("l", 1, "LIST"), repeated("x", 2), part("a"), part("b")]],
  [
    "a repeated group of one that is called array",
    "list<struct<a>>",
    [part("l", 1, "LIST"), repeated("array", 1), part("a")],
  ],
  [
    "a repeated group of one that is called after the list",
    "list<struct<a>>",
    [part("l", 1, "LIST"), repeated("l_tuple", 1), part("a")],
  ],
  [
    "a repeated list",
    "list<list<x>>",
    [part("l", 1, "LIST"), repeated("y", 1, "LIST"), repeated("list", 1), part("x")],
  ],
  [
    "a repeated map",
    "list<map<key, value>>",
    [part("l", 1, "LIST"), repeated("y", 1, "MAP"), repeated("e", 2), part("k"), part("v")],
  ],
  ["a map", "map<key, value>", [part("m", 1, "MAP"), repeated("key_value", 2), part("k"), part("v")]],
  ["a map of old files", "map<key, value>", [part("m", 1, "MAP_KEY_VALUE"), repeated("map", 2), part("k"), part("v")]],
  ["a repeated field without annotation", "list<x>", [repeated("x")]],
  ["a struct", "struct<a, b>", [part("s", 2), part("a"), part("b")]],
])("reads %s as %s", (_, expected, parts) => {
  expect(columnsOfSchema([part("root", 1), ...parts]).map(shown)).toEqual([expected]);
});

it("refuses a schema that ends within a group", () => {
  expect(() => columnsOfSchema([part("root", 2), part("a")])).toThrow("ends within a group");
});

it("knows no field of a file to be required", () => {
  const [a, b] = [
    { id: 1, name: "a", type: { kind: "int" } },
    { id: undefined, name: "b", type: { kind: "long" } },
  ] as const;
  expect(nestedType("list", [a])).toEqual({ kind: "list", elementId: 1, elementRequired: false, element: a.type });
  expect(nestedType("map", [a, b])).toEqual({
    kind: "map",
    keyId: 1,
    key: a.type,
    valueId: -1,
    valueRequired: false,
    value: b.type,
  });
});
