import fc from "fast-check";
import { expect, it } from "vitest";
import { IcebergError } from "../errors.ts";
import { type Json, parseJson, stringifyJson } from "../json/json.ts";
import { typedFields } from "../partition/spec.ts";
import { parseSchema } from "../schema/schema.ts";
import { parseType } from "../schema/type-json.ts";
import { applyUpdates } from "./apply.ts";
import { newTable } from "./new-table.ts";
import { parseMetadata } from "./parse.ts";
import { metadataText } from "./serialise.ts";
import { schemaOf, sortOrderOf, specOf } from "./table-metadata.ts";

const created = newTable({
  fields: [
    { id: 1, name: "id", required: true, type: parseType("long") },
    { id: 2, name: "at", required: false, type: parseType("timestamptz") },
    {
      id: 3,
      name: "place",
      required: false,
      type: { kind: "struct", fields: [{ id: 4, name: "lat", required: false, type: parseType("decimal(9, 2)") }] },
    },
    {
      id: 5,
      name: "tags",
      required: false,
      type: { kind: "list", elementId: 6, elementRequired: true, element: parseType("string") },
    },
  ],
  identifiedBy: ["id"],
  partitionBy: [
    { column: "at", transform: "day" },
    { column: "id", transform: "bucket[16]" },
  ],
  location: "memory:x/t",
  uuid: "f79c3e09-677c-4bbd-a479-3f349cb785e7",
  nowMs: 1000,
});
const snapshot = {
  "snapshot-id": 3051729675574597004n,
  "sequence-number": 1,
  "timestamp-ms": 2000,
  "manifest-list": "memory:x/t/metadata/snap.avro",
  summary: { operation: "append" },
};
const statistics = { "snapshot-id": snapshot["snapshot-id"], "statistics-path": "x", "file-size-in-bytes": 1 };
const table = applyUpdates(
  created,
  [
    { action: "add-snapshot", snapshot },
    { action: "set-snapshot-ref", "ref-name": "main", type: "branch", "snapshot-id": snapshot["snapshot-id"] },
    { action: "set-snapshot-ref", "ref-name": "v1", type: "tag", "snapshot-id": snapshot["snapshot-id"] },
    { action: "set-statistics", statistics },
    { action: "set-properties", updates: { a: "b" } },
  ],
  { nowMs: 2000 },
);
const json = parseJson(metadataText(table), "metadata");

/** Values that other places of metadata have, and none has. */
const strange: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    -1,
    0,
    1.5,
    2 ** 31,
    2n ** 63n,
    "",
    "__proto__",
    "decimal(99,-1)",
    "bucket[0]",
    [],
    {},
    [[]],
    [{}],
    { type: "struct" },
    { type: "list", "element-id": 1, element: { type: "map" } },
  ),
  fc.jsonValue() as fc.Arbitrary<Json>,
);

it("metadata in which any values are others, missing or doubled is read, or is an error with a code", () => {
  const places = placesOf(json);
  const change = fc.record({
    at: fc.nat(places.length - 1),
    how: fc.constantFrom("set", "remove", "double"),
    value: strange,
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      let changed = json;
      for (const { at, how, value } of changes) changed = withChange(changed, places[at]!, how, value);
      try {
        const metadata = parseMetadata(stringifyJson(changed));
        schemaOf(metadata);
        sortOrderOf(metadata);
        typedFields(specOf(metadata), schemaOf(metadata), metadata.schemas.map(parseSchema));
        expect(metadataText(parseMetadata(metadataText(metadata)))).toBe(metadataText(metadata));
      } catch (error) {
        if (!(error instanceof IcebergError)) throw error;
      }
    }),
    { numRuns: 5000 },
  );
});

type Path = readonly (string | number)[];

function placesOf(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, item]) =>
      placesOf(item as Json, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** A place may have gone by an earlier change: then nothing is changed. */
function withChange(value: Json, [key, ...rest]: Path, how: string, to: Json): Json {
  if (key === undefined) return how === "set" ? to : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    if (rest.length > 0) return items.map((item, i) => (i === key ? withChange(item, rest, how, to) : item));
    return items.flatMap((item, i) =>
      i !== key ? [item] : how === "set" ? [to] : how === "double" ? [item, item] : [],
    );
  }
  const object = value as Readonly<Record<string, Json>>;
  if (!Object.hasOwn(object, key)) return value;
  if (rest.length === 0 && how === "remove") {
    const { [key as string]: _, ...others } = object;
    return others;
  }
  return {
    ...object,
    [key]: rest.length === 0 ? (how === "set" ? to : object[key]!) : withChange(object[key]!, rest, how, to),
  };
}
