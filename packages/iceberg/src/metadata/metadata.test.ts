import { describe, expect, it } from "vitest";
import { parseType } from "../schema/type-json.ts";
import { typeText } from "../schema/type-text.ts";
import { applyUpdates } from "./apply.ts";
import { afterMetadataFile } from "./history.ts";
import { newTable } from "./new-table.ts";
import { parseMetadata } from "./parse.ts";
import { checkRequirements, type TableRequirement } from "./requirements.ts";
import { metadataText } from "./serialise.ts";
import { schemaOf, type Snapshot, snapshotIdAt, snapshotOfRef, specOf, type TableMetadata } from "./table-metadata.ts";
import type { TableUpdate } from "./updates.ts";

const uuid = "f79c3e09-677c-4bbd-a479-3f349cb785e7";
const empty = newTable({
  fields: [
    { id: 10, name: "id", required: true, type: parseType("long") },
    { id: 11, name: "time", required: false, type: parseType("timestamptz") },
  ],
  identifiedBy: ["id"],
  partitionBy: [{ column: "time", transform: "day" }],
  location: "file:///table/",
  uuid,
  nowMs: 1000,
});
const apply = (table: TableMetadata, ...updates: TableUpdate[]) => applyUpdates(table, updates, { nowMs: 2000 });
const snapshot = (id: bigint, sequenceNumber: number): Snapshot => ({
  "snapshot-id": id,
  "sequence-number": sequenceNumber,
  "timestamp-ms": 2000,
  "manifest-list": `file:///table/metadata/snap-${id}.avro`,
  summary: { operation: "append" },
});
const append = (table: TableMetadata, id: bigint, nowMs = 2000): TableMetadata =>
  applyUpdates(
    table,
    [
      { action: "add-snapshot", snapshot: snapshot(id, table["last-sequence-number"] + 1) },
      { action: "set-snapshot-ref", "ref-name": "main", type: "branch", "snapshot-id": id },
    ],
    { nowMs },
  );
const BIG = 3051729675574597004n;

describe("a new table", () => {
  it("has ids from 1 and 1000, and no snapshot", () => {
    expect(schemaOf(empty).fields.map((f) => f.id)).toEqual([1, 2]);
    expect(schemaOf(empty).identifierIds).toEqual([1]);
    expect(specOf(empty).fields).toMatchObject([{ sourceId: 2, fieldId: 1000, name: "time_day" }]);
    expect(empty).toMatchObject({ "last-column-id": 2, "last-partition-id": 1000, location: "file:///table" });
    expect(snapshotOfRef(empty)).toBeUndefined();
  });
});

describe("metadata as text", () => {
  it("whose snapshot names neither a manifest list nor manifests isn't one of a snapshot without rows", () => {
    const text = metadataText(append(empty, 1n));
    expect(() => parseMetadata(text.replace('"manifest-list"', '"manifest_list"'))).toThrow(
      "snapshots[0].manifest-list is missing",
    );
    expect(parseMetadata(text.replace(/"manifest-list":"[^"]*"/, '"manifests":[]')).snapshots).toHaveLength(1);
  });

  it("comes back as it was, with ids beyond 2^53 exact", () => {
    const table = append(empty, BIG);
    const text = metadataText(table);
    expect(text).toContain('"snapshot-id":3051729675574597004,');
    expect(metadataText(parseMetadata(text))).toBe(text);
    expect(snapshotOfRef(parseMetadata(text))!["snapshot-id"]).toBe(BIG);
  });

  it("keeps what this package doesn't know through changes", () => {
    const table = append(empty, 1n);
    const strange = JSON.parse(metadataText(table)) as Record<string, object[]>;
    strange["x-other"] = [{ a: 1 }];
    for (const list of ["schemas", "partition-specs", "snapshots", "snapshot-log"])
      Object.assign(strange[list]![0]!, { "x-own": list });
    const changed = apply(append(parseMetadata(JSON.stringify(strange)), 2n), {
      action: "set-properties",
      updates: { a: "1" },
    });
    expect(JSON.parse(metadataText(changed))).toMatchObject({
      "x-other": [{ a: 1 }],
      schemas: [{ "x-own": "schemas" }],
      "partition-specs": [{ "x-own": "partition-specs" }],
      snapshots: [{ "x-own": "snapshots" }, {}],
      "snapshot-log": [{ "x-own": "snapshot-log" }, {}],
      properties: { a: "1" },
    });
  });

  it("keeps ages that mean never", () => {
    const table = append(empty, 1n);
    const text = metadataText(table).replace('"main":{', '"main":{"max-ref-age-ms":9223372036854775807,');
    expect(metadataText(parseMetadata(text))).toContain('"max-ref-age-ms":9223372036854775807,');
  });

  it("of version 1 has the schema and spec alone, or all of version 2's lists", () => {
    const first = {
      "format-version": 1,
      location: "file:///t",
      "last-updated-ms": 5,
      "last-column-id": 1,
      schema: { type: "struct", fields: [{ id: 1, name: "a", required: false, type: "int" }] },
      "partition-spec": [{ "source-id": 1, name: "a", transform: "identity" }],
      "current-snapshot-id": -1,
    };
    const table = parseMetadata(JSON.stringify(first));
    expect(table).toMatchObject({
      "current-schema-id": 0,
      "default-spec-id": 0,
      "last-partition-id": 1000,
      snapshots: [],
    });
    const written = JSON.parse(metadataText(append(table, 1n))) as Record<string, unknown>;
    expect(written).toMatchObject({ schema: first.schema, "partition-spec": [{ "field-id": 1000, name: "a" }] });
    expect(written).not.toHaveProperty("last-sequence-number");
    expect(written["snapshots"]).not.toHaveProperty("[0].sequence-number");
  });

  it.each<[object, string]>([
    [{ "format-version": 4 }, "the table has format version 4: versions 1 to 3 are known"],
    [{ "table-uuid": undefined }, "table-uuid is missing: a text was expected"],
    [{ "last-column-id": "2" }, 'last-column-id is "2", where an integer was expected'],
    [{ "current-schema-id": 7 }, "current-schema-id is 7, which isn't in schemas"],
    [{ "current-snapshot-id": 7 }, "branch main is of snapshot 7, which isn't there"],
    [{ properties: { a: 1 } }, "properties.a is 1, where a text was expected"],
    [{ snapshots: [{ "snapshot-id": 1.5 }] }, "snapshots[0].snapshot-id is 1.5, where an integer was expected"],
    [
      { refs: { x: { "snapshot-id": 1, type: "leaf" } } },
      'refs.x.type is "leaf", where "branch" or "tag" was expected',
    ],
  ])("that is wrong is refused with the path: %o", (wrong, message) => {
    const json = { ...(JSON.parse(metadataText(empty)) as object), ...wrong };
    expect(() => parseMetadata(JSON.stringify(json))).toThrow(message);
  });

  it("that is cut off is refused", () => {
    expect(() => parseMetadata(metadataText(empty).slice(0, -1))).toThrow("table metadata isn't JSON");
  });
});

describe("updates", () => {
  it("add a snapshot, which becomes the branch's, in the log and with the next sequence number", () => {
    const table = append(append(empty, 1n, 2000), 2n, 3000);
    expect(table).toMatchObject({
      "last-sequence-number": 2,
      "current-snapshot-id": 2n,
      "last-updated-ms": 3000,
      "snapshot-log": [
        { "snapshot-id": 1n, "timestamp-ms": 2000 },
        { "snapshot-id": 2n, "timestamp-ms": 3000 },
      ],
    });
    expect(snapshotIdAt(table, 2500)).toBe(1n);
    expect(snapshotIdAt(table, 1999)).toBeUndefined();
  });

  it("add a schema once, with the id that comes next", () => {
    const schema = {
      type: "struct",
      fields: [...(empty.schemas[0]!["fields"] as object[]), { id: 3, name: "new", required: false, type: "int" }],
      "schema-id": 99,
    } as never;
    const set: TableUpdate = { action: "set-current-schema", "schema-id": -1 };
    const table = apply(empty, { action: "add-schema", schema }, set);
    expect(table).toMatchObject({ "current-schema-id": 1, "last-column-id": 3, schemas: [{}, { "schema-id": 1 }] });
    expect(apply(table, { action: "add-schema", schema }, set)).toMatchObject({
      "current-schema-id": 1,
      schemas: [{}, {}],
    });
    expect(typeText(schemaOf(table).fields[2]!.type)).toBe("int");
  });

  it("add specs and sort orders, and make them the default", () => {
    const fields = [{ "source-id": 1, "field-id": 1001, name: "id_bucket", transform: "bucket[4]" }];
    const order = [{ "source-id": 1, transform: "identity", direction: "asc", "null-order": "nulls-first" }];
    const table = apply(
      empty,
      { action: "add-spec", spec: { "spec-id": 0, fields } },
      { action: "set-default-spec", "spec-id": -1 },
      { action: "add-sort-order", "sort-order": { "order-id": 0, fields: order } },
      { action: "set-default-sort-order", "sort-order-id": -1 },
    );
    expect(table).toMatchObject({ "default-spec-id": 1, "last-partition-id": 1001, "default-sort-order-id": 1 });
    expect(apply(table, { action: "remove-partition-specs", "spec-ids": [0] })["partition-specs"]).toHaveLength(1);
  });

  it("remove snapshots with the tags, statistics and history that need them", () => {
    const table = apply(
      append(append(append(empty, 1n), 2n), 3n),
      { action: "set-snapshot-ref", "ref-name": "kept", type: "tag", "snapshot-id": 1n },
      { action: "set-snapshot-ref", "ref-name": "old", type: "tag", "snapshot-id": 2n },
      { action: "set-statistics", statistics: { "snapshot-id": 2n, "statistics-path": "a", "file-size-in-bytes": 1 } },
      { action: "remove-snapshots", "snapshot-ids": [2n] },
    );
    expect(table.snapshots.map((s) => s["snapshot-id"])).toEqual([1n, 3n]);
    expect(Object.keys(table.refs)).toEqual(["main", "kept"]);
    expect(table.statistics).toEqual([]);
    expect(table["snapshot-log"].map((e) => e["snapshot-id"])).toEqual([3n]);
  });

  it("upgrade version 1 to 2 and 3, keeping what is there", () => {
    const first = newTable({ fields: schemaOf(empty).fields, location: "a", formatVersion: 1, uuid, nowMs: 1 });
    const table = apply(append(first, 1n), { action: "upgrade-format-version", "format-version": 2 });
    expect(table).toMatchObject({
      "format-version": 2,
      "last-sequence-number": 0,
      snapshots: [{ "sequence-number": 0 }],
    });
    expect(append(table, 2n)["last-sequence-number"]).toBe(1);
    expect(metadataText(parseMetadata(metadataText(table)))).toBe(metadataText(table));
    expect(apply(table, { action: "upgrade-format-version", "format-version": 3 })["next-row-id"]).toBe(0);
  });

  it.each<[TableUpdate, string]>([
    [{ action: "add-snapshot", snapshot: snapshot(1n, 2) }, "there is a snapshot 1 already"],
    [
      { action: "add-snapshot", snapshot: snapshot(2n, 1) },
      "snapshot 2 has sequence number 1: it must be above the table's last, 1",
    ],
    [
      { action: "set-snapshot-ref", "ref-name": "a", type: "tag", "snapshot-id": 9n },
      "there is no snapshot 9 for tag a",
    ],
    [
      { action: "set-snapshot-ref", "ref-name": "main", type: "tag", "snapshot-id": 1n },
      "main is a branch and can't be a tag",
    ],
    [{ action: "set-current-schema", "schema-id": -1 }, "-1 is the schema that was added last, and none was"],
    [{ action: "set-default-spec", "spec-id": 5 }, "the table has no spec-id 5"],
    [
      { action: "upgrade-format-version", "format-version": 1 },
      "the table has format version 2, and can't go back to 1",
    ],
    [{ action: "assign-uuid", uuid: "other" }, `the table has the UUID ${uuid}, which stays`],
    [{ action: "remove-schemas", "schema-ids": [0] }, "the current schema can't be removed"],
    [
      {
        action: "add-spec",
        spec: { "spec-id": 1, fields: [{ "source-id": 9, "field-id": 1001, name: "x", transform: "day" }] },
      },
      "partition field x: there is no column 9",
    ],
  ])("that aren't allowed are refused: %o", (update, message) => {
    const table = append(empty, 1n);
    expect(() => apply(table, update)).toThrow(expect.objectContaining({ code: "invalid-change", message }));
  });
});

describe("requirements", () => {
  it.each<[TableRequirement, string]>([
    [{ type: "assert-create" }, "there is a table already"],
    [{ type: "assert-table-uuid", uuid: "x" }, `the table's UUID is ${uuid}, and x was required`],
    [
      { type: "assert-ref-snapshot-id", ref: "main", "snapshot-id": null },
      "the snapshot of main is 1, and none was required",
    ],
    [{ type: "assert-ref-snapshot-id", ref: "b", "snapshot-id": 1n }, "the snapshot of b is none, and 1 was required"],
    [{ type: "assert-current-schema-id", "current-schema-id": 1 }, "the current schema's id is 0, and 1 was required"],
    [{ type: "assert-last-assigned-field-id", "last-assigned-field-id": 1 }, "the last column's id is 2"],
    [
      { type: "assert-last-assigned-partition-id", "last-assigned-partition-id": 1 },
      "the last partition field's id is 1000",
    ],
    [{ type: "assert-default-spec-id", "default-spec-id": 1 }, "the default partition spec's id is 0"],
    [{ type: "assert-default-sort-order-id", "default-sort-order-id": 1 }, "the default sort order's id is 0"],
  ])("that don't hold are conflicts: %o", (requirement, message) => {
    const table = append(empty, 1n);
    expect(() => checkRequirements(table, [requirement])).toThrow(
      expect.objectContaining({ code: "commit-conflict", message: expect.stringContaining(message) }),
    );
  });

  it("that hold pass", () => {
    checkRequirements(undefined, [{ type: "assert-create" }]);
    checkRequirements(append(empty, BIG), [
      { type: "assert-table-uuid", uuid },
      { type: "assert-ref-snapshot-id", ref: "main", "snapshot-id": BIG },
    ]);
    expect(() => checkRequirements(undefined, [{ type: "assert-table-uuid", uuid }])).toThrow(
      "there is no table any more",
    );
  });
});

it("lists so many former metadata files as the table's property says", () => {
  let table = apply(empty, { action: "set-properties", updates: { "write.metadata.previous-versions-max": "2" } });
  for (const name of ["v1", "v2", "v3"]) table = afterMetadataFile(table, table, name);
  expect(table["metadata-log"].map((entry) => entry["metadata-file"])).toEqual(["v2", "v3"]);
});
