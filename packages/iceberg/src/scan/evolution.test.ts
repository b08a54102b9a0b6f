import { describe, expect, it } from "vitest";
import { changeSchema, type SchemaChange } from "../schema/changes.ts";
import { schemaToJson } from "../schema/schema.ts";
import { schemaOf } from "../metadata/table-metadata.ts";
import type { JsonObject } from "../json/json.ts";
import { eq, gt, isNull, notNull } from "../predicate/predicate.ts";
import { parseType } from "../schema/type-json.ts";
import type { Field, Type } from "../schema/type.ts";
import { TestTable } from "./table.fixture.ts";

const field = (name: string, type: Type | string, required = false): Field => ({
  id: 0,
  name,
  required,
  type: typeof type === "string" ? parseType(type) : type,
});
let nextId = 1000;
const numbered = (f: Field): Field => ({ ...f, id: nextId++ });
const struct = (...fields: readonly Field[]): Type => ({ kind: "struct", fields: fields.map(numbered) });
const list = (element: Type): Type => ({ kind: "list", elementId: nextId++, elementRequired: false, element });
const map = (key: Type, value: Type): Type => ({
  kind: "map",
  keyId: nextId++,
  key,
  valueId: nextId++,
  valueRequired: false,
  value,
});

function evolve(table: TestTable, ...changes: readonly SchemaChange[]): void {
  const { metadata } = table;
  const draft = {
    schema: schemaOf(metadata),
    lastColumnId: metadata["last-column-id"],
    formatVersion: metadata["format-version"],
  };
  const { schema, lastColumnId } = changeSchema(draft, changes);
  table.update(
    { action: "add-schema", schema: schemaToJson(schema) as JsonObject, "last-column-id": lastColumnId },
    { action: "set-current-schema", "schema-id": -1 },
  );
}

describe("columns of older files", () => {
  it("are found by id when they were renamed, dropped, added again, moved and promoted", async () => {
    const fields = [field("a", "int"), field("b", "float"), field("c", "string"), field("d", "decimal(9, 2)")].map(
      numbered,
    );
    await using table = await TestTable.make({ fields });
    await table.commit([await table.file({ rows: [{ a: 1, b: 1.5, c: "x", d: 1420n }] })]);
    evolve(
      table,
      { change: "rename", column: "a", to: "z" },
      { change: "rename", column: "c", to: "a" },
      { change: "promote", column: "z", to: { kind: "long" } },
      { change: "promote", column: "b", to: { kind: "double" } },
      { change: "promote", column: "d", to: { kind: "decimal", precision: 20, scale: 2 } },
      { change: "add", column: "c", type: { kind: "int" } },
      { change: "move", column: "d", to: "first" },
    );
    await table.commit([await table.file({ rows: [{ d: 5n, z: 2n ** 40n, b: 0.1, a: "y", c: 7 }] })]);
    expect(await table.scan().toArray()).toEqual([
      { d: "14.20", z: 1n, b: 1.5, a: "x", c: null },
      { d: "0.05", z: 2n ** 40n, b: 0.1, a: "y", c: 7 },
    ]);
    expect(await table.scan({ where: gt("z", 2 ** 33), columns: ["a"] }).toArray()).toEqual([{ a: "y" }]);
    expect(await table.scan({ where: eq("a", "x"), columns: ["z"] }).toArray()).toEqual([{ z: 1n }]);
    expect(await table.scan({ where: isNull("c"), columns: ["z"] }).toArray()).toEqual([{ z: 1n }]);
    const [first] = table.metadata.snapshots;
    expect(await table.scan({ snapshot: { id: first!["snapshot-id"] } }).toArray()).toEqual([
      { a: 1, b: 1.5, c: "x", d: "14.20" },
    ]);
  });

  it("are found by id within structs, lists and maps", async () => {
    const point = struct(field("x", "int"), field("y", "int"), field("gone", "string"));
    const fields = [
      field("s", struct(field("p", point), field("n", "int"))),
      field("l", list(struct(field("x", "float"), field("y", "int")))),
      field("m", map({ kind: "string" }, struct(field("x", "int"), field("deep", list(struct(field("q", "int"))))))),
    ].map(numbered);
    await using table = await TestTable.make({ fields });
    await table.commit([
      await table.file({
        rows: [
          {
            s: { p: { x: 1, y: 2, gone: "g" }, n: 3 },
            l: [{ x: 0.5, y: 1 }, null],
            m: new Map([["k", { x: 4, deep: [{ q: 5 }] }]]),
          },
          { s: { p: null, n: null }, l: [], m: new Map() },
          { s: null, l: null, m: null },
        ],
      }),
    ]);
    evolve(
      table,
      { change: "rename", column: "s.p.x", to: "t" },
      { change: "rename", column: "s.p.y", to: "x" }, // what was once another's name
      { change: "drop", column: "s.p.gone" },
      { change: "add", column: "s.p.gone", type: { kind: "int" } },
      { change: "promote", column: "s.n", to: { kind: "long" } },
      { change: "move", column: "s.n", to: "first" },
      { change: "promote", column: "l.element.x", to: { kind: "double" } },
      { change: "rename", column: "l.element.y", to: "z" },
      { change: "rename", column: "m.value.deep.element.q", to: "r" },
      { change: "promote", column: "m.value.deep.element.q".replace("q", "r"), to: { kind: "long" } },
      { change: "add", column: "m.value.more", type: { kind: "boolean" } },
    );
    expect(await table.scan().toArray()).toEqual([
      {
        s: { n: 3n, p: { t: 1, x: 2, gone: null } },
        l: [{ x: 0.5, z: 1 }, null],
        m: new Map([["k", { x: 4, deep: [{ r: 5n }], more: null }]]),
      },
      { s: { n: null, p: null }, l: [], m: new Map() },
      { s: null, l: null, m: null },
    ]);
    const withT = table.scan({ where: eq("s.p.t", 1), columns: ["l"] });
    expect(await withT.toArray()).toEqual([{ l: [{ x: 0.5, z: 1 }, null] }]);
    expect(await table.scan({ where: notNull("s.p.gone") }).toArray()).toEqual([]);
  });

  it("have the default of fields that were added, null within a null struct", async () => {
    const fields = [field("s", struct(field("a", "int")))].map(numbered);
    await using table = await TestTable.make({ fields });
    await table.commit([await table.file({ rows: [{ s: { a: 1 } }, { s: null }] })]);
    table.metadata = { ...table.metadata, "format-version": 3, "next-row-id": 0 };
    evolve(
      table,
      { change: "add", column: "day", type: { kind: "date" }, required: true, initialDefault: 19_000 },
      { change: "add", column: "s.text", type: { kind: "string" }, initialDefault: "it's" },
    );
    expect(await table.scan().toArray()).toEqual([
      { s: { a: 1, text: "it's" }, day: "2022-01-08" },
      { s: null, day: "2022-01-08" },
    ]);
    expect(await table.scan({ where: eq("s.text", "it's"), columns: ["s"] }).toArray()).toEqual([
      { s: { a: 1, text: "it's" } },
    ]);
    expect(await table.scan({ where: gt("day", "2022-01-08") }).toArray()).toEqual([]);
  });

  it("have nanoseconds with their zone, which DuckDB has no type for, in structs, lists and maps too", async () => {
    const nested = { id: 0, name: "x", type: struct(field("a", "int")), required: false };
    const list = { kind: "list" as const, elementId: 0, elementRequired: false, element: nested.type };
    const map = {
      kind: "map" as const,
      keyId: 0,
      key: { kind: "int" as const },
      valueId: 0,
      valueRequired: false,
      value: list,
    };
    await using table = await TestTable.make({ fields: [{ ...nested, name: "m", type: map }].map(numbered) });
    await table.commit([await table.file({ rows: [{ m: new Map([[1, [{ a: 1 }]]]) }] })]);
    table.metadata = { ...table.metadata, "format-version": 3, "next-row-id": 0 };
    const at = (column: string, kind: "timestamp_ns" | "timestamptz_ns") =>
      ({ change: "add", column, type: { kind }, initialDefault: 1n }) as const;
    evolve(table, at("m.value.element.at", "timestamptz_ns"), at("at", "timestamptz_ns"), at("local", "timestamp_ns"));
    const text = "1970-01-01T00:00:00.000000001";
    expect(await table.scan().toArray()).toEqual([
      { m: new Map([[1, [{ a: 1, at: `${text}Z` }]]]), at: `${text}Z`, local: text },
    ]);
  });

  it("are found by the name mapping where files have no ids, and by their partition where files lack them", async () => {
    const fields = [field("name", "string"), field("s", struct(field("a", "int"))), field("p", "int")].map(numbered);
    await using table = await TestTable.make({
      fields,
      partitionBy: [{ column: "p", transform: "identity" }],
      properties: {
        "schema.name-mapping.default": JSON.stringify([
          { "field-id": 1, names: ["name", "title"] },
          { "field-id": 2, names: ["s"], fields: [{ "field-id": 4, names: ["a", "alpha"] }] },
        ]),
      },
    });
    const { fields: now } = schemaOf(table.metadata);
    const s = now[1]!;
    const inFile = (title: string, alpha: string): Field[] => [
      { ...now[0]!, name: title },
      {
        ...s,
        type: {
          kind: "struct",
          fields: [{ ...(s.type as Extract<Type, { kind: "struct" }>).fields[0]!, name: alpha }],
        },
      },
    ];
    await table.commit([
      await table.file({
        fields: inFile("title", "alpha"),
        hasIds: false,
        partition: [7],
        rows: [{ title: "x", s: { alpha: 1 } }],
      }),
      await table.file({
        fields: inFile("name", "a"),
        hasIds: false,
        partition: [8],
        rows: [{ name: "y", s: { a: 2 } }],
      }),
      await table.file({
        fields: inFile("name", "a"),
        hasIds: false,
        partition: [null],
        rows: [{ name: "z", s: null }],
      }),
    ]);
    expect(await table.scan().toArray()).toEqual([
      { name: "x", s: { a: 1 }, p: 7 },
      { name: "y", s: { a: 2 }, p: 8 },
      { name: "z", s: null, p: null },
    ]);
    expect(await table.scan({ where: eq("p", 8), columns: ["s"] }).toArray()).toEqual([{ s: { a: 2 } }]);
  });

  it("have their partition's values as the type is now", async () => {
    const fields = [field("day", "date"), field("n", "int"), field("a", "int")].map(numbered);
    const partitionBy = [
      { column: "day", transform: "identity" },
      { column: "n", transform: "identity" },
    ];
    await using table = await TestTable.make({ fields, partitionBy });
    const { fields: now } = schemaOf(table.metadata);
    await table.commit([
      await table.file({ fields: now.slice(2), partition: [1, 5], rows: [{ a: 1 }] }),
      await table.file({ fields: now.slice(2), partition: [2, 6], rows: [{ a: 2 }] }),
    ]);
    table.metadata = { ...table.metadata, "format-version": 3, "next-row-id": 0 };
    evolve(
      table,
      { change: "promote", column: "day", to: { kind: "timestamp" } },
      { change: "promote", column: "n", to: { kind: "long" } },
    );
    expect(await table.scan().toArray()).toEqual([
      { day: "1970-01-02T00:00:00.000000", n: 5n, a: 1 },
      { day: "1970-01-03T00:00:00.000000", n: 6n, a: 2 },
    ]);
    expect(await table.scan({ where: gt("day", "1970-01-02T01:00:00"), columns: ["a"] }).toArray()).toEqual([{ a: 2 }]);
  });

  it("may be called as DuckDB's own columns are, or as each other but for their case", async () => {
    const fields = [
      field("filename", "int"),
      field("file_row_number", "int"),
      field("a", "int"),
      field("A", "int"),
    ].map(numbered);
    await using table = await TestTable.make({ fields: fields.slice(0, 3) });
    const first = await table.file({ rows: [{ filename: 1, file_row_number: 2, a: 3 }] });
    await table.commit([first]);
    await table.commit(
      [
        await table.file({
          content: "equality-deletes",
          equalityIds: [3],
          fields: [schemaOf(table.metadata).fields[2]!],
          rows: [{ a: 4 }],
        }),
      ],
      { content: "deletes", operation: "delete" },
    );
    expect(await table.scan().toArray()).toEqual([{ filename: 1, file_row_number: 2, a: 3 }]);
    evolve(table, { change: "add", column: "A", type: { kind: "int" } });
    expect(await table.scan().toArray()).toEqual([{ filename: 1, file_row_number: 2, a: 3, A: null }]);
  });

  it("that can't become those of the table are errors that name the file", async () => {
    await using table = await TestTable.make({ fields: [field("a", "int")].map(numbered) });
    const file = await table.file({
      fields: [{ ...field("a", "string"), id: 1 }],
      rows: [{ a: "x" }],
      hasStatistics: false,
    });
    await table.commit([file]);
    await expect(table.scan().toArray()).rejects.toMatchObject({
      code: "invalid-file",
      message: `${file.path} doesn't fit the table: a data file has string in column a, which can't be read as int`,
    });
  });
});
