/** Tables with required fields on every level, beneath such as may be null and beneath others, and rows of them with nulls on every level. */
import type { Json, JsonObject } from "@orcajs/iceberg";
import { ALL_TYPES, ALL_TYPES_ROWS } from "./all-types.ts";

const field = (id: number, name: string, required: boolean, type: Json) => ({ id, name, required, type });
const struct = (...fields: Json[]): Json => ({ type: "struct", fields });
const list = (id: number, required: boolean, element: Json): Json => ({
  type: "list",
  "element-id": id,
  "element-required": required,
  element,
});
const map = (keyId: number, key: Json, valueId: number, required: boolean, value: Json): Json => ({
  type: "map",
  "key-id": keyId,
  key,
  "value-id": valueId,
  "value-required": required,
  value,
});

const PRIMITIVES = ALL_TYPES.fields.filter(({ type }) => typeof type === "string");
const KINDS = PRIMITIVES.filter(({ name }) => name !== "id");

/** What is required is within what may be null: where that is null, nothing of it is there. */
export const REQUIRED_WITHIN = {
  type: "struct",
  "schema-id": 0,
  fields: [
    field(1, "id", true, "int"),
    field(2, "all", false, struct(...KINDS.map(({ name, type }, i) => field(100 + i, name, true, type)))),
    field(
      3,
      "outer",
      false,
      struct(
        field(10, "inner", true, struct(field(11, "n", true, "long"), field(12, "s", false, "string"))),
        field(13, "tags", true, list(14, true, "string")),
        field(15, "prices", true, map(16, "string", 17, true, "decimal(20, 4)")),
        field(18, "maybe", false, struct(field(19, "day", true, "date"))),
      ),
    ),
    field(4, "points", false, list(20, false, struct(field(21, "x", true, "double"), field(22, "y", false, "double")))),
    field(5, "places", true, map(23, "uuid", 24, false, struct(field(25, "codes", true, list(26, false, "fixed[2]"))))),
    field(6, "lists", false, list(27, false, list(28, true, struct(field(29, "yes", true, "boolean"))))),
  ],
} satisfies JsonObject;

const FULL = ALL_TYPES_ROWS[0]!;
const kindsOf = (row: JsonObject) => Object.fromEntries(KINDS.map(({ name }) => [name, row[name]!]));
const [FIRST_UUID, SECOND_UUID] = ["f79c3e09-677c-4bbd-a479-3f349cb785e7", "00000000-0000-0000-0000-000000000000"];

export const REQUIRED_WITHIN_ROWS: readonly JsonObject[] = [
  {
    id: 1,
    all: kindsOf(FULL),
    outer: {
      inner: { n: "1", s: "\ufeffmarked" },
      tags: ["a", "", "\ufeff"],
      prices: [["x", "-1.5000"]],
      maybe: { day: 17_486 },
    },
    points: [{ x: 0.5, y: null }, null, { x: "-0", y: "NaN" }],
    places: [
      [FIRST_UUID, { codes: ["0001", null] }],
      [SECOND_UUID, null],
    ],
    lists: [[{ yes: true }, { yes: false }], null, []],
  },
  { id: 2, all: null, outer: null, points: null, places: [], lists: null },
  {
    id: 3,
    all: { ...kindsOf(FULL), f: "-0", d: 0, s: "", bin: "" },
    outer: { inner: { n: "-9223372036854775808", s: null }, tags: [], prices: [], maybe: null },
    points: [null],
    places: [[FIRST_UUID, { codes: [] }]],
    lists: [],
  },
  {
    id: 4,
    all: null,
    outer: { inner: { n: "0", s: "" }, tags: ["t"], prices: [["", "0.0000"]], maybe: { day: -1 } },
    points: [{ x: "Infinity", y: 1 }],
    places: [[SECOND_UUID, { codes: ["ffff"] }]],
    lists: [null],
  },
];

/** What is required is beneath nothing that may be null but lists and maps. */
export const REQUIRED_BENEATH_LISTS = {
  type: "struct",
  "schema-id": 0,
  fields: [
    field(1, "id", true, "int"),
    field(2, "struct", true, struct(field(10, "n", true, "int"), field(11, "tags", true, list(12, true, "string")))),
    field(3, "list", false, list(13, true, "decimal(20, 4)")),
    field(4, "map", false, map(14, "int", 15, true, "timestamptz")),
    field(5, "structs", false, list(16, true, struct(field(17, "u", true, "uuid"), field(18, "at", false, "time")))),
    field(6, "lists", false, list(19, false, list(20, true, "long"))),
    field(7, "small", false, "decimal(19, 0)"),
  ],
} satisfies JsonObject;

export const REQUIRED_BENEATH_LISTS_ROWS: readonly JsonObject[] = [
  {
    id: 1,
    struct: { n: 1, tags: ["a", "b"] },
    list: ["1.0000", "-9999999999999999.9999"],
    map: [[1, "0"]],
    structs: [
      { u: FIRST_UUID, at: null },
      { u: SECOND_UUID, at: "1" },
    ],
    lists: [["1", "2"], null, []],
    small: "-9999999999999999999",
  },
  { id: 2, struct: { n: 2, tags: [] }, list: null, map: null, structs: [], lists: null, small: null },
  { id: 3, struct: { n: 3, tags: [""] }, list: [], map: [], structs: [], lists: [], small: "0" },
];
