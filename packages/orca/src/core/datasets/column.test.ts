import { describe, expect, it } from "vitest";
import { nullable } from "./column-notation.ts";
import { columnAt, columnsOf, isNested, pathsOf, textOfType, type Column } from "./column.ts";

const long = { type: { type: "long" }, nullable: false };

describe("the notation of columns", () => {
  it("gives each plain type, and whether it may be null", () => {
    expect(columnsOf({ id: "long", day: "date?", at: "timestamptz" }, {})).toEqual([
      { name: "id", type: { type: "long" }, nullable: false },
      { name: "day", type: { type: "date" }, nullable: true },
      { name: "at", type: { type: "timestamptz" }, nullable: false },
    ]);
  });

  it.each([
    ["decimal(10, 2)", { type: "decimal", precision: 10, scale: 2 }],
    ["decimal(10,2)", { type: "decimal", precision: 10, scale: 2 }],
    ["decimal(38, 38)?", { type: "decimal", precision: 38, scale: 38 }],
    ["decimal(1, 0)", { type: "decimal", precision: 1, scale: 0 }],
    ["fixed(16)", { type: "fixed", length: 16 }],
    ["fixed(1)?", { type: "fixed", length: 1 }],
  ])("gives %s its sizes", (text, type) => {
    expect(columnsOf({ c: text }, {})).toEqual([{ name: "c", type, nullable: text.endsWith("?") }]);
  });

  it.each([
    "decimal(0, 0)",
    "decimal(39, 0)",
    "decimal(010, 2)",
    "decimal(10, 02)",
    "decimal( 10, 2)",
    "decimal(10, -1)",
    "decimal(10, )",
    "decimal(1e1, 2)",
    "decimal(0x10, 2)",
    "decimalx(10, 2)",
    "decimal",
  ])("refuses %s", (text) => {
    const message = `'${text}' isn't a decimal(precision, scale) of at most 38 digits`;
    expect(() => columnsOf({ c: text }, {})).toThrow(expect.objectContaining({ code: "invalid-dataset", message }));
  });

  it.each([
    "fixed(0)",
    "fixed(01)",
    "fixed(1e3)",
    "fixed( 1)",
    "fixed(1.5)",
    "fixed(9007199254740993)",
    "fixedx(1)",
    "fixed",
  ])("refuses %s", (text) => {
    const message = `'${text}' isn't a fixed(bytes)`;
    expect(() => columnsOf({ c: text }, {})).toThrow(expect.objectContaining({ code: "invalid-dataset", message }));
  });

  it("gives lists, structs and maps, and which of their parts may be null", () => {
    const columns = columnsOf(
      {
        list: ["long"],
        lists: [["long?"]],
        struct: { id: "long" },
        map: { "[date]": "long" },
        none: nullable(["long"]),
        noneOf: [nullable({ id: "long" })],
      },
      {},
    );
    const struct = { type: "struct", fields: [{ name: "id", ...long }] };
    expect(columns).toEqual([
      { name: "list", type: { type: "list", element: long }, nullable: false },
      {
        name: "lists",
        type: {
          type: "list",
          element: { type: { type: "list", element: { ...long, nullable: true } }, nullable: false },
        },
        nullable: false,
      },
      { name: "struct", type: struct, nullable: false },
      { name: "map", type: { type: "map", key: { type: "date" }, value: long }, nullable: false },
      { name: "none", type: { type: "list", element: long }, nullable: true },
      { name: "noneOf", type: { type: "list", element: { type: struct, nullable: true } }, nullable: false },
    ]);
  });

  it("gives data that JSON holds", () => {
    const columns = columnsOf({ a: ["decimal(9, 2)?"], b: { "[string]": { c: "fixed(2)" } } }, { a: "what it is" });
    expect(JSON.parse(JSON.stringify(columns))).toEqual(columns);
  });

  it("keeps docs at columns and fields, by their paths", () => {
    const columns = columnsOf({ id: "long", stops: [{ at: "date" }] }, { id: "the key", "stops.at": "UTC" });
    expect(columns[0]).toEqual({ name: "id", ...long, doc: "the key" });
    expect(columns[1]!.type).toMatchObject({ element: { type: { fields: [{ name: "at", doc: "UTC" }] } } });
  });

  it("takes a column that is called as a member of every object", () => {
    const names = ["constructor", "toString", "__proto__", "hasOwnProperty"];
    const columns = columnsOf(Object.fromEntries(names.map((name) => [name, "long"])), {});
    expect(columns).toEqual(names.map((name) => ({ name, ...long })));
  });
});

describe("a path of columns", () => {
  const columns: readonly Column[] = columnsOf(
    {
      id: "long",
      place: { at: { lat: "double" } },
      stops: [{ at: "date" }],
      of: { "[string]": { n: "int" } },
      "a.b": "int",
    },
    {},
  );

  it("leads to columns and to fields of structs, and not into lists and maps", () => {
    expect(columnAt(columns, "id")).toEqual({ name: "id", ...long });
    expect(columnAt(columns, "place.at.lat")?.type).toEqual({ type: "double" });
    expect(columnAt(columns, "a.b")?.type).toEqual({ type: "int" });
    for (const path of ["stops.at", "of.n", "place.lat", "id.x", "", "."])
      expect(columnAt(columns, path)).toBeUndefined();
  });

  it("is there for everything that can have a doc", () => {
    expect(pathsOf(columns)).toEqual([
      "id",
      "place",
      "place.at",
      "place.at.lat",
      "stops",
      "stops.at",
      "of",
      "of.n",
      "a.b",
    ]);
  });
});

describe("a type", () => {
  it("is written in sentences as it is in the notation, and nested ones by what they are", () => {
    const written = ["decimal(10, 2)", "fixed(16)", "timestamptz"];
    expect(written.map((text) => textOfType(columnsOf({ c: text }, {})[0]!.type))).toEqual(written);
    const nested = columnsOf({ a: ["int"], b: { c: "int" }, d: { "[int]": "int" } }, {});
    expect(nested.map((c) => [textOfType(c.type), isNested(c.type)])).toEqual(
      Array.from({ length: 3 }, () => ["list, struct or map", true]),
    );
  });
});
