import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { Engine } from "../engine/engine.ts";
import { schemaOf, specOf } from "../metadata/table-metadata.ts";
import { applyTransform } from "../partition/apply.ts";
import { parseTransform, resultType } from "../partition/transform.ts";
import { typedFields } from "../partition/spec.ts";
import { bind } from "../predicate/bind.ts";
import { matches } from "../predicate/evaluate.ts";
import { predicates } from "../predicate/predicates.fixture.ts";
import { changeSchema, type SchemaChange } from "../schema/changes.ts";
import { schemaToJson } from "../schema/schema.ts";
import type { JsonObject } from "../json/json.ts";
import { childFields, type Field, type PrimitiveType, type Type } from "../schema/type.ts";
import { valueKey } from "../values/compare.ts";
import type { PrimitiveValue, StructValue, Value } from "../values/value.ts";
import { nearValues, primitiveTypes } from "../values/values.fixture.ts";
import { TestTable } from "./table.fixture.ts";

const engine = new Engine();
afterAll(() => engine[Symbol.asyncDispose]());

const TRANSFORMS = ["identity", "bucket[3]", "truncate[1]", "truncate[5]", "year", "month", "day", "hour", "void"];
/** DuckDB has a first and a last nanosecond of its own. */
const nanos = fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n });
const values = (type: PrimitiveType): fc.Arbitrary<PrimitiveValue> =>
  type.kind.endsWith("_ns") ? nanos : nearValues(type);

const cases = primitiveTypes
  .chain((type) => {
    const file = fc.array(fc.option(values(type), { freq: 4 }), { minLength: 1, maxLength: 4 });
    return fc.tuple(fc.constant(type), fc.array(file, { minLength: 1, maxLength: 3 }));
  })
  .chain(([type, files]) => {
    const held = files.flat().filter((v) => v !== null);
    const filter = fc.constantFrom("a", "s.a").chain((column) => predicates(type, column, values(type), held));
    return fc.record({
      type: fc.constant(type),
      files: fc.constant(files),
      transform: fc.constantFrom(...TRANSFORMS),
      filters: fc.array(filter, { minLength: 6, maxLength: 6 }),
    });
  });

function takes(text: string, type: PrimitiveType): boolean {
  try {
    resultType(parseTransform(text), type);
    return true;
  } catch {
    return false;
  }
}

it("a filter selects the rows that it is true of, however files are pruned", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ type, files, transform, filters }) => {
      const inner: Field = { id: 4, name: "a", required: false, type };
      const fields: readonly Field[] = [
        { id: 1, name: "n", required: true, type: { kind: "int" } },
        { id: 2, name: "a", required: false, type },
        { id: 3, name: "s", required: false, type: { kind: "struct", fields: [inner] } },
      ];
      const partitionBy = takes(transform, type) ? [{ column: "a", transform }] : [];
      await using table = await TestTable.make({ fields, partitionBy }, engine);
      const spec = typedFields(specOf(table.metadata), schemaOf(table.metadata));
      const all: StructValue[] = [];
      for (const some of files) {
        const byPartition = Map.groupBy(some, (v) => {
          const [p] = spec.map((f) => applyTransform(f.transform, f.sourceType, v));
          return p === undefined || p === null ? String(p) : valueKey(p);
        });
        const written = [];
        for (const group of byPartition.values()) {
          const rows = group.map((a, i) => ({ n: all.length + i, a, s: a === null && i % 2 === 0 ? null : { a } }));
          all.push(...rows);
          const partition = spec.map((f) => applyTransform(f.transform, f.sourceType, group[0]!));
          written.push(await table.file({ rows, partition, rowGroupRows: 2 }));
        }
        await table.commit(written);
      }
      for (const filter of filters) {
        const bound = bind(filter, schemaOf(table.metadata));
        const selected = await table.scan<{ n: number }>({ where: filter, columns: ["n"] }).toArray();
        expect(selected.map((row) => row.n).sort((a, b) => a - b)).toEqual(
          all.filter((row) => matches(bound, row)).map((row) => row["n"]),
        );
      }
    }),
    { numRuns: 60 },
  );
}, 120_000);

const leaf: fc.Arbitrary<Type> = fc.constantFrom<Type>(
  { kind: "int" },
  { kind: "float" },
  { kind: "string" },
  { kind: "date" },
  { kind: "decimal", precision: 5, scale: 1 },
);
const types = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc
      .uniqueArray(fc.tuple(fc.constantFrom("a", "b", "c"), tie("type")), {
        selector: ([name]) => name,
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => ({
        kind: "struct" as const,
        fields: parts.map(([name, type]) => ({ id: 0, name, required: false, type })),
      })),
    tie("type").map((element) => ({ kind: "list" as const, elementId: 0, elementRequired: false, element })),
    fc
      .tuple(
        leaf.filter((t) => t.kind !== "float"),
        tie("type"),
      )
      .map(([key, value]) => ({ kind: "map" as const, keyId: 0, key, valueId: 0, valueRequired: false, value })),
  ),
})).type;

let nextId = 100;
function numbered(type: Type): Type {
  switch (type.kind) {
    case "struct":
      return { kind: "struct", fields: type.fields.map((f) => ({ ...f, id: nextId++, type: numbered(f.type) })) };
    case "list":
      return { ...type, elementId: nextId++, element: numbered(type.element) };
    case "map":
      return { ...type, keyId: nextId++, key: numbered(type.key), valueId: nextId++, value: numbered(type.value) };
    default:
      return type;
  }
}

function valueOf(type: Type): fc.Arbitrary<Value | null> {
  const orNull = (v: fc.Arbitrary<Value>) => fc.option(v, { freq: 5, nil: null });
  switch (type.kind) {
    case "struct":
      return orNull(
        fc.record(Object.fromEntries(type.fields.map((f) => [f.name, valueOf(f.type)]))) as fc.Arbitrary<Value>,
      );
    case "list":
      return orNull(fc.array(valueOf(type.element), { maxLength: 3 }));
    case "map":
      return orNull(
        fc
          .uniqueArray(fc.tuple(nearValues(type.key as PrimitiveType), valueOf(type.value)), {
            selector: ([k]) => k,
            maxLength: 2,
          })
          .map((entries) => new Map<Value, Value | null>(entries)),
      );
    case "float":
      return orNull(fc.constantFrom(0.5, -1.5, 3));
    default:
      return orNull(nearValues(type));
  }
}

/** What evolution makes of a value: fields by id, promoted where their types were. */
function evolved(value: Value | null, from: Type, to: Type): unknown {
  if (value === null) return null;
  switch (to.kind) {
    case "struct":
      return Object.fromEntries(
        to.fields.map((f) => {
          const before = childFields(from).find((old) => old.id === f.id);
          const inside = before === undefined ? null : (value as StructValue)[before.name]!;
          return [f.name, before === undefined ? null : evolved(inside, before.type, f.type)];
        }),
      );
    case "list":
      return (value as readonly (Value | null)[]).map((v) => evolved(v, childFields(from)[0]!.type, to.element));
    case "map": {
      const [key, inside] = childFields(from);
      return new Map(
        Array.from(value as ReadonlyMap<Value, Value | null>, ([k, v]) => [
          evolved(k, key!.type, to.key),
          evolved(v, inside!.type, to.value),
        ]),
      );
    }
    case "long":
      return BigInt(value as number);
    default:
      return shown(value as PrimitiveValue, from);
  }
}

function shown(value: PrimitiveValue, type: Type): unknown {
  if (type.kind === "date") return new Date((value as number) * 86_400_000).toISOString().slice(0, 10);
  if (type.kind !== "decimal") return value;
  const tenths = Number(value);
  return `${tenths < 0 ? "-" : ""}${Math.floor(Math.abs(tenths) / 10)}.${Math.abs(tenths) % 10}`;
}

const steps = fc.array(fc.tuple(fc.nat(), fc.nat(5)), { maxLength: 8 });

it("files are read as the table's schema is now, whatever it went through", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(types, { minLength: 1, maxLength: 3 }).chain((some) => {
        const named = some.map((type, i) => ({ id: nextId++, name: `c${i}`, required: false, type: numbered(type) }));
        return fc.tuple(
          fc.constant(named),
          fc.array(fc.record(Object.fromEntries(named.map((f) => [f.name, valueOf(f.type)]))), {
            minLength: 1,
            maxLength: 3,
          }),
          steps,
        );
      }),
      async ([named, rows, choices]) => {
        await using table = await TestTable.make({ fields: named }, engine);
        const first = schemaOf(table.metadata);
        await table.commit([await table.file({ rows, fields: first.fields })]);
        let draft = { schema: first, lastColumnId: table.metadata["last-column-id"], formatVersion: 2 };
        for (const [where, what] of choices) {
          const change = changeOf(draft.schema.fields, where, what);
          if (change !== undefined) draft = changeSchema(draft, [change]);
        }
        table.update(
          {
            action: "add-schema",
            schema: schemaToJson(draft.schema) as JsonObject,
            "last-column-id": draft.lastColumnId,
          },
          { action: "set-current-schema", "schema-id": -1 },
        );
        const now: Type = { kind: "struct", fields: draft.schema.fields };
        const expected = rows.map((row) => evolved(row, { kind: "struct", fields: first.fields }, now));
        expect(await table.scan().toArray()).toEqual(expected);
      },
    ),
    { numRuns: 120 },
  );
}, 120_000);

let names = 0;
/** One of the changes that are allowed at some place. */
function changeOf(fields: readonly Field[], where: number, what: number): SchemaChange | undefined {
  const places: { column: string; field: Field; isFixed: boolean; isKey: boolean; siblings: readonly Field[] }[] = [];
  const visit = (some: readonly Field[], path: string, parent: Type["kind"]): void => {
    for (const field of some) {
      const column = `${path}${field.name}`;
      places.push({
        column,
        field,
        isFixed: parent !== "struct",
        isKey: parent === "map" && field.name === "key",
        siblings: some,
      });
      visit(childFields(field.type), `${column}.`, field.type.kind);
    }
  };
  visit(fields, "", "struct");
  const { column, field, isFixed, isKey, siblings } = places[where % places.length]!;
  switch (what) {
    case 0:
      return isFixed ? undefined : { change: "rename", column, to: `r${names++}` };
    case 1:
      return isFixed || siblings.length === 1 ? undefined : { change: "drop", column };
    case 2:
      return isFixed ? undefined : { change: "move", column, to: "first" };
    case 3: {
      if (isKey) return undefined;
      if (field.type.kind === "int") return { change: "promote", column, to: { kind: "long" } };
      if (field.type.kind === "float") return { change: "promote", column, to: { kind: "double" } };
      return field.type.kind === "decimal"
        ? { change: "promote", column, to: { ...field.type, precision: 30 } }
        : undefined;
    }
    default: {
      // a name that another had once, if it is free
      const name = ["a", "b", "c"].find((n) => !childFields(field.type).some((f) => f.name === n));
      return field.type.kind === "struct" && name !== undefined
        ? { change: "add", column: `${column}.${name}`, type: { kind: "int" } }
        : { change: "add", column: `n${names++}`, type: { kind: "string" } };
    }
  }
}
