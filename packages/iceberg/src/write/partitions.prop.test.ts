import fc from "fast-check";
import { expect, it } from "vitest";
import { applyTransform } from "../partition/apply.ts";
import { partitionPath } from "../partition/path.ts";
import { typedFields } from "../partition/spec.ts";
import { parseTransform, resultType, transformText } from "../partition/transform.ts";
import { schemaOf, specOf } from "../metadata/table-metadata.ts";
import { SIMPLE_KINDS, type PrimitiveType } from "../schema/type.ts";
import { typeText } from "../schema/type-text.ts";
import { valueKey } from "../values/compare.ts";
import type { PrimitiveValue } from "../values/value.ts";
import { nearValues, valuesOf } from "../values/values.fixture.ts";
import { columns, isFiniteInDuckDB, testTable } from "./table.fixture.ts";
import { writeRows } from "./write-rows.ts";

const types: readonly PrimitiveType[] = [
  ...SIMPLE_KINDS.filter((kind) => kind !== "timestamptz_ns").map((kind) => ({ kind })),
  { kind: "decimal", precision: 9, scale: 2 },
  { kind: "decimal", precision: 38, scale: 10 },
  { kind: "fixed", length: 3 },
];
const transforms = ["identity", "bucket[5]", "truncate[3]", "year", "month", "day", "hour", "void"].map(parseTransform);
const cases = types.flatMap((type) =>
  transforms
    .filter((transform) => {
      try {
        return resultType(transform, type) !== undefined;
      } catch {
        return false;
      }
    })
    .map((transform) => ({ type, transform })),
);

it.each(cases.map((c) => [transformText(c.transform), typeText(c.type), c] as const))(
  "puts rows into the partitions that %s of %s gives",
  async (_transform, _type, { type, transform }) => {
    await using table = await testTable(columns({ v: type, n: "int" }), {
      partitionBy: [{ column: "v", transform: transformText(transform), name: "p" }],
    });
    const values = fc.array(fc.option(fc.oneof(valuesOf(type), nearValues(type))), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        fc.pre(given.every((v) => v === null || isFiniteInDuckDB(type, v)));
        const expected = new Map<string, number[]>();
        for (const [n, v] of given.entries()) {
          let partition: PrimitiveValue | null;
          try {
            partition = applyTransform(transform, type, v);
          } catch {
            fc.pre(false);
          }
          const key = keyOf(partition);
          expected.set(key, [...(expected.get(key) ?? []), n]);
        }
        const written = await writeRows(
          table,
          given.map((v, n) => ({ v, n })),
        );
        const found = new Map<string, number[]>();
        for (const file of written) {
          const rows = await table.query([file], "SELECT n FROM files ORDER BY n");
          found.set(
            keyOf(file.file.partition[0]!),
            rows.map((row) => row["n"] as number),
          );
          const fields = typedFields(specOf(table.metadata), schemaOf(table.metadata));
          expect(file.file.path).toContain(`/data/${partitionPath(fields, file.file.partition)}/`);
        }
        expect(found).toEqual(expected);
      }),
      { numRuns: 6 },
    );
  },
);

function keyOf(value: PrimitiveValue | null): string {
  return value === null ? "null" : `v${valueKey(Object.is(value, -0) ? "-0" : value)}`;
}
