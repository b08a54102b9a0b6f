/** Tables of version 3, which Java alone writes. */
import path from "node:path";
import { eq, gt, isNull, type JsonObject, openTable, type Predicate } from "@orcajs/iceberg";
import { beforeAll, describe, expect, it } from "vitest";
import { sorted } from "./canonical.ts";
import { isJavaReady, java } from "./java.ts";
import { expectReadHere, readHere, type WrittenTable } from "./tables-here.ts";
import { warehouse } from "./warehouse.ts";

const folder = warehouse();

const optional = (id: number, name: string, type: unknown) => ({ id, name, required: false, type });
const SCHEMA = {
  type: "struct",
  "schema-id": 0,
  fields: [
    optional(1, "id", "int"),
    optional(2, "place", { type: "struct", fields: [optional(3, "town", "string")] }),
    optional(4, "places", {
      type: "list",
      "element-id": 5,
      "element-required": false,
      element: { type: "struct", fields: [optional(6, "town", "string")] },
    }),
    optional(7, "byName", {
      type: "map",
      "key-id": 8,
      key: "string",
      "value-id": 9,
      "value-required": false,
      value: { type: "struct", fields: [optional(10, "town", "string")] },
    }),
  ],
};
const PLACE = { town: "De Bilt" };
const rows = Array.from({ length: 20 }, (_, id) => ({
  id,
  place: id % 4 === 3 ? null : PLACE,
  places: id % 5 === 4 ? null : [PLACE, null],
  byName:
    id % 3 === 2
      ? []
      : [
          ["a", PLACE],
          ["b", null],
        ],
}));

/** A column of each type that may have a default, and the default as older rows have it. */
const DEFAULTS: readonly (readonly [type: string, value: unknown, json: unknown])[] = [
  ["boolean", true, true],
  ["int", -7, -7],
  ["long", 9_007_199_254_740_993n, "9007199254740993"],
  ["float", 1.5, 1.5],
  ["double", 0.1, 0.1],
  ["decimal(9, 2)", "14.20", "14.20"],
  ["date", "2017-11-16", 17_486],
  ["time", "22:31:08.123456", "81068123456"],
  ["timestamp", "2017-11-16T22:31:08.000001", "1510871468000001"],
  ["timestamptz", "2017-11-16T22:31:08.000001+00:00", "1510871468000001"],
  ["timestamp_ns", "2017-11-16T22:31:08.000000001", "1510871468000000001"],
  ["timestamptz_ns", "2017-11-16T22:31:08.000000001+00:00", "1510871468000000001"],
  ["string", "é'\"", "é'\""],
  ["uuid", "f79c3e09-677c-4bbd-a479-3f349cb785e7", "f79c3e09-677c-4bbd-a479-3f349cb785e7"],
];
const COLUMNS = DEFAULTS.map(([type, value, json], i) => ({ name: `c${i}`, type, value, json }));
const added = COLUMNS.map(({ name, type, value }) => ({ addColumn: { name, type, default: value } }));
const IN_STRUCTS = ["place", "places.element", "byName.value"].map((parent) => ({
  addColumn: { parent, name: "people", type: "int", default: 42_000 },
}));

const STEPS = {
  "default values": [{ append: rows }, ...added, ...IN_STRUCTS],
  "default values of required columns": [
    { append: rows },
    { addColumn: { name: "must", type: "int", default: 5, required: true } },
  ],
  "deletion vectors": [
    { append: rows },
    { deleteByPosition: { op: "lt", column: "id", value: 5 } },
    { append: rows.slice(0, 4) },
    { deleteByPosition: { op: "in", column: "id", values: [1, 9, 19] } },
  ],
  "the ids of rows": [
    { append: rows },
    { deleteByPosition: { op: "lt", column: "id", value: 5 } },
    { rewrite: true },
    { append: rows.slice(0, 4) },
    { addColumn: { name: "late", type: "string", default: "no" } },
    { deleteByPosition: { op: "eq", column: "id", value: 7 } },
    { rewrite: true },
  ],
};

const REFUSED = ["unknown", "variant", "geometry", "geography"];

describe.skipIf(!isJavaReady())("a table of version 3 that Java writes", () => {
  const tables = new Map<string, WrittenTable>();
  beforeAll(() => {
    const made = [
      ...Object.entries(STEPS).map(([name, steps]) => ({ name, schema: SCHEMA, steps })),
      ...REFUSED.map((type) => ({
        name: type,
        schema: { ...SCHEMA, fields: [optional(1, "id", "int"), optional(2, "odd", type)] },
        steps: [],
      })),
    ];
    const requests = made.map((request, i) => ({ folder: path.join(folder, String(i)), version: 3, ...request }));
    const written = java("write", requests) as unknown as WrittenTable[];
    for (const [i, { name }] of made.entries()) tables.set(name, written[i]!);
  });

  it.each(Object.keys(STEPS))("with %s is read here as there", async (name) => {
    expect(tables.get(name)!.rows.length).toBeGreaterThan(10);
    await expectReadHere(tables.get(name)!);
  });

  it("has the defaults where a file lacks columns, in structs too, and filters know them", async () => {
    const { metadata } = tables.get("default values")!;
    const { schema, rows: here } = await readHere(metadata);
    const place = { ...PLACE, people: 42_000 };
    const expected = rows.map((row): JsonObject => ({
      id: row.id,
      place: row.place && place,
      places: row.places && [place, null],
      byName:
        row.byName.length === 0
          ? []
          : [
              ["a", place],
              ["b", null],
            ],
      ...Object.fromEntries(COLUMNS.map(({ name, json }) => [name, json as never])),
    }));
    expect(sorted(schema.fields, here)).toEqual(sorted(schema.fields, expected));
    await using table = await openTable(metadata);
    const countOf = async (where: Predicate) => (await table.scan({ where }).toArray()).length;
    expect(await countOf(eq("c1", -7))).toBe(20);
    expect(await countOf(gt("c1", -7))).toBe(0);
    expect(await countOf(isNull("c1"))).toBe(0);
    expect(await countOf(eq("place.people", 42_000))).toBe(15);
  });

  it.each(REFUSED)("with the type %s is refused by its name", async (type) => {
    await expect(openTable(tables.get(type)!.metadata)).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining(type),
    });
  });
});
