/** A table of every type of version 2, nested ones too, and rows of it with nulls, extremes and what is easily written wrong. */
import type { Json, JsonObject } from "@orcajs/iceberg";

const optional = (id: number, name: string, type: Json) => ({ id, name, required: false, type });

/** The schema, as the specification has it in JSON. */
export const ALL_TYPES = {
  type: "struct",
  "schema-id": 0,
  fields: [
    { id: 1, name: "id", required: true, type: "int" },
    optional(2, "flag", "boolean"),
    optional(3, "i", "int"),
    optional(4, "l", "long"),
    optional(5, "f", "float"),
    optional(6, "d", "double"),
    optional(7, "dec9", "decimal(9, 2)"),
    optional(8, "dec18", "decimal(18, 0)"),
    optional(9, "dec38", "decimal(38, 10)"),
    optional(10, "day", "date"),
    optional(11, "at", "time"),
    optional(12, "local", "timestamp"),
    optional(13, "instant", "timestamptz"),
    optional(14, "s", "string"),
    optional(15, "u", "uuid"),
    optional(16, "fix", "fixed[3]"),
    optional(17, "bin", "binary"),
    optional(18, "list", { type: "list", "element-id": 24, element: "long", "element-required": false }),
    optional(19, "map", {
      type: "map",
      "key-id": 25,
      key: "string",
      "value-id": 26,
      value: "double",
      "value-required": false,
    }),
    optional(20, "struct", {
      type: "struct",
      fields: [
        optional(27, "day", "date"),
        optional(28, "price", "decimal(20, 4)"),
        optional(29, "inner", { type: "struct", fields: [optional(30, "u", "uuid"), optional(31, "a b.c", "string")] }),
      ],
    }),
    optional(21, "structs", {
      type: "list",
      "element-id": 32,
      element: {
        type: "struct",
        fields: [
          { id: 33, name: "n", required: true, type: "int" },
          optional(34, "tags", { type: "list", "element-id": 35, element: "string", "element-required": false }),
        ],
      },
      "element-required": false,
    }),
    optional(22, "lists", {
      type: "map",
      "key-id": 36,
      key: "int",
      "value-id": 37,
      value: {
        type: "list",
        "element-id": 38,
        element: { type: "struct", fields: [optional(39, "at", "timestamptz"), optional(40, "bin", "binary")] },
        "element-required": false,
      },
      "value-required": false,
    }),
    optional(23, "Größe & 'quote' \"double\"", "int"),
  ],
} satisfies JsonObject;

const NULLS: JsonObject = Object.fromEntries(ALL_TYPES.fields.map(({ name }) => [name, null]));
const ODD = ALL_TYPES.fields.at(-1)!.name;

/** Rows in the canonical form. */
export const ALL_TYPES_ROWS: readonly JsonObject[] = [
  {
    id: 1,
    flag: true,
    i: 34,
    l: "34",
    f: 1.5,
    d: 0.1,
    dec9: "14.20",
    dec18: "17",
    dec38: "-0.0000000001",
    day: 17_486,
    at: "81068123456",
    local: "1510871468000001",
    instant: "1510871468999999",
    s: "iceberg",
    u: "f79c3e09-677c-4bbd-a479-3f349cb785e7",
    fix: "000102",
    bin: "00ff",
    list: ["1", null, "-9007199254740993"],
    map: [
      ["a", 1.5],
      ["", null],
    ],
    struct: { day: -1, price: "-1.5000", inner: { u: "00000000-0000-0000-0000-000000000000", "a b.c": "x" } },
    structs: [{ n: 1, tags: ["a", null] }, null, { n: 2, tags: null }, { n: 3, tags: [] }],
    lists: [
      [1, [{ at: "0", bin: "" }, null]],
      [2, null],
      [3, []],
    ],
    [ODD]: 7,
  },
  { ...NULLS, id: 2 },
  {
    ...NULLS,
    id: 3,
    flag: false,
    i: -2_147_483_648,
    l: "-9223372036854775808",
    f: -3.4028234663852886e38,
    d: -1.7976931348623157e308,
    dec9: "-9999999.99",
    dec18: "-999999999999999999",
    dec38: "-9999999999999999999999999999.9999999999",
    day: -719_162,
    at: "0",
    local: "-62135596800000000",
    instant: "-62135596800000000",
    s: "",
    u: "00000000-0000-0000-0000-000000000000",
    fix: "000000",
    bin: "",
    list: [],
    map: [],
    struct: { day: null, price: null, inner: null },
    structs: [],
    lists: [],
  },
  {
    ...NULLS,
    id: 4,
    flag: true,
    i: 2_147_483_647,
    l: "9223372036854775807",
    f: 3.4028234663852886e38,
    d: 1.7976931348623157e308,
    dec9: "9999999.99",
    dec18: "999999999999999999",
    dec38: "9999999999999999999999999999.9999999999",
    day: 2_932_896,
    at: "86399999999",
    local: "253402300799999999",
    instant: "253402300799999999",
    s: "\u{10ffff}\u{10ffff}",
    u: "ffffffff-ffff-ffff-ffff-ffffffffffff",
    fix: "ffffff",
    bin: "ffffffffffffffffffffffffffffffffffffffff",
    list: ["9223372036854775807"],
    map: [["\u0000 ' \" \\ \n", "NaN"]],
    struct: { day: 2_932_896, price: "9999999999999999.9999", inner: { u: null, "a b.c": null } },
  },
  { ...NULLS, id: 5, f: "NaN", d: "NaN", s: "a".repeat(100_000), map: [["a", "-Infinity"]] },
  {
    ...NULLS,
    id: 6,
    f: "-0",
    d: "-0",
    l: "0",
    i: 0,
    dec9: "0.00",
    dec38: "0.0000000000",
    day: 0,
    local: "-1",
    instant: "-1",
  },
  { ...NULLS, id: 7, f: 0, d: 0, s: "sixteen code units and more \u{1f600}", bin: "00".repeat(100) },
  { ...NULLS, id: 8, f: "Infinity", d: "-Infinity", l: "9007199254740993", s: "'; DROP TABLE x; --", list: [null] },
  { ...NULLS, id: 9, f: 1.401298464324817e-45, d: 5e-324, s: "i\u0307e\u0301", map: [["k", "-0"]] },
];

/** A row as PyIceberg 0.12 gives it, reading or writing: a list of structs that is null is an empty one there. */
export function asByPyIceberg(row: JsonObject): JsonObject {
  const isEmptied = (name: string, cell: Json | undefined) => cell === null && ["structs", "points"].includes(name);
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, isEmptied(name, cell) ? [] : cell]));
}
