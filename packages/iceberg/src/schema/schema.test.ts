import { describe, expect, it } from "vitest";
import { changeSchema, type SchemaChange, type SchemaDraft } from "./changes.ts";
import { addName, nameMappingOf, nameMappingToJson, parseNameMapping } from "./name-mapping.ts";
import { fileFieldsOf, projectFields } from "./projection.ts";
import { fieldByName, parseSchema, schemaToJson } from "./schema.ts";
import { parseType, typeToJson } from "./type-json.ts";
import { typeText } from "./type-text.ts";

const json = {
  type: "struct",
  fields: [
    { id: 1, name: "id", required: true, type: "int" },
    { id: 2, name: "price", required: false, type: "decimal(9, 2)", doc: "in euros" },
    {
      id: 3,
      name: "at",
      required: false,
      type: {
        type: "struct",
        fields: [
          { id: 4, name: "city", required: true, type: "string" },
          { id: 5, name: "x", required: false, type: "float" },
        ],
      },
    },
    {
      id: 6,
      name: "tags",
      required: false,
      type: { type: "list", "element-id": 7, element: "int", "element-required": true },
    },
    {
      id: 8,
      name: "points",
      required: false,
      type: {
        type: "map",
        "key-id": 9,
        key: "int",
        "value-id": 10,
        value: { type: "struct", fields: [{ id: 11, name: "x", required: true, type: "float" }] },
        "value-required": false,
      },
    },
  ],
  "schema-id": 0,
  "identifier-field-ids": [1],
};
const schema = parseSchema(json);
const draft: SchemaDraft = { schema, lastColumnId: 11, formatVersion: 2 };
const change = (...changes: SchemaChange[]) => changeSchema(draft, changes);
const summary = ({ schema: { fields } }: SchemaDraft) => fields.map((f) => `${f.id} ${f.name} ${typeText(f.type)}`);

describe("schemas in JSON", () => {
  it("come back as they were, with attributes that aren't known", () => {
    expect(schemaToJson(schema)).toEqual(json);
    const field = {
      id: 1,
      name: "a",
      required: true,
      type: "timestamp_ns",
      "x-note": { a: [1] },
      "initial-default": "2020-01-01T00:00:00.000000001",
    };
    const strange = { type: "struct", fields: [field], "schema-id": 3 };
    expect(schemaToJson(parseSchema(strange))).toEqual(strange);
  });

  it.each(["variant", "unknown", "geometry", "geometry(srid:4326)", "geography(srid:4326, spherical)"])(
    "with the type %s are refused by its name",
    (type) => {
      const fields = [{ id: 1, name: "a", required: false, type }];
      expect(() => parseSchema({ type: "struct", fields })).toThrow(
        expect.objectContaining({
          code: "unsupported",
          message: expect.stringContaining(`schema.fields[0].type is ${type}`),
        }),
      );
    },
  );

  it.each([
    ["int32", 'the type is "int32", where a type, such as int, decimal(9, 2) or fixed[16] was expected'],
    ["decimal(39, 2)", "where a type, such as int"],
    ["fixed[0]", "where a type, such as int"],
    [
      { type: "list", "element-id": 1, element: "int" },
      "the type.element-required is missing: true or false was expected",
    ],
    [3, "the type is 3, where a type was expected"],
  ])("that aren't valid are refused with the path: %o", (type, message) => {
    expect(() => parseType(type)).toThrow(message);
  });

  it("that are nested without end are refused", () => {
    let type: object = { type: "struct", fields: [] };
    for (let i = 0; i < 10_000; i++) type = { type: "struct", fields: [{ id: i, name: "a", required: false, type }] };
    expect(() => parseType(type as never)).toThrow("is nested over 100 deep");
  });

  it.each([
    [
      [
        { id: 1, name: "a" },
        { id: 1, name: "b" },
      ],
      [],
      "fields a and b have the same id, 1",
    ],
    [
      [
        { id: 1, name: "a" },
        { id: 2, name: "a" },
      ],
      [],
      "there are two fields of the name a",
    ],
    [[{ id: 2147483646, name: "a" }], [], "field a has the id 2147483646"],
    [[{ id: 1, name: "a", type: "double" }], [1], "field a can't be an identifier: it is a double"],
    [[{ id: 1, name: "a", required: false }], [1], "field a can't be an identifier: it is optional"],
    [[{ id: 1, name: "a" }], [2], "field 2 can't be an identifier: there is no such field"],
  ])("that break a rule are refused: %o", (fields, ids, message) => {
    const whole = fields.map((f) => ({ required: true, type: "int", ...f }));
    expect(() => parseSchema({ type: "struct", fields: whole, "identifier-field-ids": ids })).toThrow(message);
  });

  it("keep decimals with and without a space", () => {
    expect(typeToJson(parseType("decimal(9,2)"))).toBe("decimal(9, 2)");
  });
});

describe("changes", () => {
  it("give added columns and all within them new ids", () => {
    const added = change({ change: "add", column: "new", type: schema.fields[4]!.type, doc: "d" });
    expect(added.lastColumnId).toBe(15);
    expect(schemaToJson({ ...added.schema, fields: added.schema.fields.slice(5) })).toMatchObject({
      fields: [
        { id: 12, name: "new", type: { "key-id": 13, "value-id": 14, value: { fields: [{ id: 15 }] } }, doc: "d" },
      ],
    });
  });

  it("reach into structs, lists and maps", () => {
    const changed = change(
      { change: "add", column: "at.street", type: parseType("string") },
      { change: "move", column: "at.street", to: { after: "city" } },
      { change: "rename", column: "at.city", to: "town" },
      { change: "promote", column: "points.value.x", to: parseType("double") },
      { change: "promote", column: "tags.element", to: parseType("long") },
      { change: "make-optional", column: "points.value.x" },
      { change: "drop", column: "at.x" },
    );
    expect(summary(changed).slice(2)).toEqual([
      "3 at struct<town: string, street: string>",
      "6 tags list<long>",
      "8 points map<int, struct<x: double>>",
    ]);
    expect(fieldByName(changed.schema, "at.town")!.field.id).toBe(4);
    expect(fieldByName(changed.schema, "at.street")!.field.id).toBe(12);
    expect(fieldByName(changed.schema, "points.value.x")!.field.required).toBe(false);
  });

  it("reorder columns", () => {
    const moved = change(
      { change: "move", column: "price", to: "first" },
      { change: "move", column: "id", to: { after: "tags" } },
    );
    expect(moved.schema.fields.map((f) => f.name)).toEqual(["price", "at", "tags", "id", "points"]);
  });

  it("never give a dropped column's id again", () => {
    const changed = change(
      { change: "drop", column: "points" },
      { change: "add", column: "points", type: parseType("int") },
    );
    expect(summary(changed).at(-1)).toBe("12 points int");
  });

  it.each<[SchemaChange, string]>([
    [{ change: "add", column: "id", type: parseType("int") }, "column id can't be added: there is one of that name"],
    [
      { change: "add", column: "a", type: parseType("int"), required: true },
      "column a can't be added as required: older rows have no value for it; add it as optional",
    ],
    [
      { change: "add", column: "a", type: parseType("int"), initialDefault: 1 },
      "column a can't be added with a default: that needs version 3, and the table has 2",
    ],
    [
      { change: "add", column: "tags.a", type: parseType("int") },
      "column tags.a can't be added: tags is a list, not a struct",
    ],
    [{ change: "drop", column: "id" }, "column id can't be dropped: it identifies rows"],
    [{ change: "drop", column: "nope" }, "there is no column nope"],
    [{ change: "drop", column: "tags.element" }, "column tags.element can't be dropped: it is part of a list or map"],
    [{ change: "rename", column: "id", to: "price" }, "column id can't be renamed to price: there is one of that name"],
    [
      { change: "promote", column: "id", to: parseType("string") },
      "column id can't be changed from int to string: only int to long, float to double and a decimal to more digits are allowed",
    ],
    [
      { change: "promote", column: "price", to: parseType("decimal(10, 3)") },
      "column price can't be changed from decimal(9, 2) to decimal(10, 3)",
    ],
    [
      { change: "promote", column: "at", to: parseType("int") },
      "column at can't be changed from struct<city: string, x: float> to int",
    ],
    [
      { change: "promote", column: "points.key", to: parseType("long") },
      "column points.key can't be changed: keys of maps stay as they are",
    ],
    [{ change: "make-optional", column: "id" }, "column id can't be made optional: it identifies rows"],
    [
      { change: "move", column: "id", to: { after: "city" } },
      "column id can't be moved after city: there is no other field of that name beside it",
    ],
    [{ change: "identify-by", columns: ["price"] }, "field price can't be an identifier: it is optional"],
  ])("are refused with the rule: %o", (refused, message) => {
    expect(() => change(refused)).toThrow(message);
  });

  it("with defaults are version 3's", () => {
    const added = changeSchema({ ...draft, formatVersion: 3 }, [
      { change: "add", column: "n", type: parseType("int"), required: true, initialDefault: 7 },
    ]);
    expect(added.schema.fields.at(-1)).toMatchObject({ required: true, initialDefault: 7, writeDefault: 7 });
  });
});

describe("a data file's columns", () => {
  const file = fileFieldsOf(schema.fields);

  it("are found by id after renames, reorders, drops and promotions, nested ones too", () => {
    const changed = change(
      { change: "rename", column: "at.city", to: "town" },
      { change: "add", column: "at.street", type: parseType("string") },
      { change: "rename", column: "price", to: "cost" },
      { change: "promote", column: "cost", to: parseType("decimal(12, 2)") },
      { change: "move", column: "cost", to: "first" },
      { change: "drop", column: "tags" },
      { change: "add", column: "tags", type: parseType("string") },
    );
    expect(projectFields(changed.schema.fields, file)).toMatchObject([
      { from: "file", path: ["price"], type: parseType("decimal(9, 2)"), field: { name: "cost" } },
      { from: "file", path: ["id"] },
      {
        from: "file",
        path: ["at"],
        parts: [
          { from: "file", path: ["at", "city"], field: { name: "town" } },
          { from: "file", path: ["at", "x"] },
          { from: "constant", value: null, field: { name: "street" } },
        ],
      },
      {
        from: "file",
        path: ["points"],
        parts: [{ path: ["points", "key"] }, { parts: [{ path: ["points", "value", "x"] }] }],
      },
      { from: "constant", value: null, field: { name: "tags" } },
    ]);
  });

  it("without ids are found by the table's name mapping", () => {
    const bare = file.map((f) => ({ ...f, id: undefined, fields: f.fields.map((g) => ({ ...g, id: undefined })) }));
    const renamed = change({ change: "rename", column: "at.city", to: "town" }).schema;
    const mapping = addName(nameMappingOf(renamed), 4, "city");
    const at = projectFields(renamed.fields, bare, { mapping })[2]!;
    expect(at).toMatchObject({ from: "file", parts: [{ from: "file", path: ["at", "city"] }, { from: "file" }] });
    expect(() => projectFields(renamed.fields, bare)).toThrow(
      "a data file has no column for the required field id (id 1)",
    );
  });

  it("that are missing have the partition's value, the initial default or null", () => {
    const fields = [
      { id: 1, name: "a", required: true, type: parseType("int") },
      { id: 2, name: "b", required: true, type: parseType("int"), initialDefault: 5 },
      { id: 3, name: "c", required: false, type: parseType("int") },
    ];
    const sources = projectFields(fields, [], { partition: new Map([[1, 9]]) });
    expect(sources.map((s) => s.from === "constant" && s.value)).toEqual([9, 5, null]);
  });

  it("of a type that the column can't have are refused", () => {
    const text = [{ id: 1, name: "id", type: parseType("string"), fields: [] }];
    expect(() => projectFields(schema.fields.slice(0, 1), text)).toThrow(
      "a data file has string in column id, which can't be read as int",
    );
  });
});

it("keeps name mappings", () => {
  const mapping = [
    { "field-id": 1, names: ["id", "record_id"] },
    { "field-id": 3, names: ["location"], fields: [{ "field-id": 4, names: ["latitude", "lat"] }, { names: ["z"] }] },
  ];
  expect(nameMappingToJson(parseNameMapping(mapping))).toEqual(mapping);
});
