import fc from "fast-check";
import { expect, it } from "vitest";
import { fileStats } from "../manifest/stats.ts";
import { mayMatch } from "../predicate/may-match.ts";
import { bind } from "../predicate/bind.ts";
import { eq, isNull } from "../predicate/predicate.ts";
import { fieldsById } from "../schema/schema.ts";
import { schemaOf } from "../metadata/table-metadata.ts";
import { duckLiteral } from "../engine/duck-literal.ts";
import type { PrimitiveValue } from "../values/value.ts";
import { nearValues, primitiveTypes, valuesOf } from "../values/values.fixture.ts";
import { columns, isFiniteInDuckDB, testTable, type TestTable } from "./table.fixture.ts";
import { writeRows } from "./write-rows.ts";

const types = primitiveTypes.filter((type) => type.kind !== "timestamptz_ns");
const columnsOfValues = types.chain((type) =>
  fc.record({
    type: fc.constant(type),
    values: fc.array(fc.option(fc.oneof(valuesOf(type), nearValues(type)).filter((v) => isFiniteInDuckDB(type, v))), {
      minLength: 1,
      maxLength: 40,
    }),
  }),
);

it.each([
  ["DuckDB", {}],
  ["what writes for it where it can't", { code: "fixed[2]" }],
])(
  "values of every type are written by %s as they are, in structs too, with statistics that don't exclude any of them",
  async (_writer, more) => {
    await fc.assert(
      fc.asyncProperty(columnsOfValues, async ({ type, values }) => {
        const struct = { kind: "struct" as const, fields: [{ id: 1, name: "v", required: false, type }] };
        const list = { kind: "list" as const, elementId: 0, elementRequired: false, element: type };
        await using table: TestTable = await testTable(columns({ v: type, s: struct, l: list, ...more }));
        const rows = values.map((v, i) => ({ v, s: i % 3 === 0 ? null : { v }, l: [v, v] }));
        const written = await writeRows(table, rows);
        const { file } = written[0]!;
        const schema = schemaOf(table.metadata);
        const fields = fieldsById(schema);
        const stats = fileStats(file, fields, []);
        const mayHave = (column: string, v: PrimitiveValue | null) =>
          mayMatch(bind(v === null ? isNull(column) : eq(column, v), schema), stats);
        expect(values.filter((v) => !mayHave("v", v))).toEqual([]);
        expect(values.filter((v, i) => i % 3 !== 0 && !mayHave("s.v", v))).toEqual([]);
        const [inStruct, inList] = ["s.v", "l.element"].map((path) => idOf(fields, path)) as [number, number];
        const nulls = values.filter((v) => v === null).length;
        const nans = values.filter((v) => Number.isNaN(v)).length;
        expect(file.valueCounts!.get(1)).toBe(values.length);
        expect(file.nullCounts!.get(1)).toBe(nulls);
        expect(file.nullCounts!.get(inStruct)).toBe(values.filter((v, i) => v === null || i % 3 === 0).length);
        expect(file.valueCounts!.get(inList)).toBe(values.length * 2);
        expect(file.lowerBounds!.has(inList)).toBe(false);
        expect(file.nanCounts!.get(1)).toBe(type.kind === "float" || type.kind === "double" ? nans : undefined);
        // of UUIDs in both halves of their order there are none
        const first = values.map((v) => type.kind === "uuid" && v !== null && (v as string) >= "8");
        const isInOneOrder = new Set(first.filter((_, i) => values[i] !== null)).size < 2;
        expect(file.lowerBounds!.has(1)).toBe(nulls + nans < values.length && isInOneOrder);
        const same = values.map(
          (v, i) =>
            `WHEN ${i} THEN v IS NOT DISTINCT FROM ${duckLiteral(type, v)} AND l[2] IS NOT DISTINCT FROM v AND s.v IS NOT DISTINCT FROM ${i % 3 === 0 ? "NULL" : "v"}`,
        );
        const differing = await table.query(
          written,
          `SELECT n, v FROM (SELECT *, row_number() OVER () - 1 AS n FROM files) WHERE NOT (CASE n ${same.join(" ")} END)`,
        );
        expect(differing).toEqual([]);
      }),
      { numRuns: 40 },
    );
  },
  120_000,
);

function idOf(fields: ReturnType<typeof fieldsById>, path: string): number | undefined {
  return [...fields].find(([, place]) => place.path.join(".") === path)?.[0];
}
