import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileStats, manifestStats, partitionStats } from "../manifest/stats.ts";
import { summarise } from "../manifest/summary.ts";
import type { DataFile } from "../manifest/data-file.ts";
import { applyTransform } from "../partition/apply.ts";
import { typedFields } from "../partition/spec.ts";
import { parseTransform, resultType } from "../partition/transform.ts";
import { fieldsById, type Schema } from "../schema/schema.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { lowerBound, upperBound } from "../values/bounds.ts";
import { compareValues } from "../values/compare.ts";
import type { PrimitiveValue } from "../values/value.ts";
import { nearValues, primitiveTypes } from "../values/values.fixture.ts";
import { allMatch } from "./all-match.ts";
import { bind } from "./bind.ts";
import { matches } from "./evaluate.ts";
import { mayMatch } from "./may-match.ts";
import { not } from "./predicate.ts";
import { predicates } from "./predicates.fixture.ts";
import { projectPredicate } from "./project.ts";

const TRANSFORMS = [
  "identity",
  "bucket[3]",
  "truncate[1]",
  "truncate[5]",
  "year",
  "month",
  "day",
  "hour",
  "void",
  "unheard-of",
];

const schemaOf = (type: PrimitiveType): Schema => ({
  id: 0,
  fields: [{ id: 1, name: "a", required: false, type }],
  identifierIds: [],
});

/** A type, some values of it with nulls, and a filter of them. */
const cases = primitiveTypes.chain((type) =>
  fc.record({
    type: fc.constant(type),
    values: fc.array(fc.option(nearValues(type), { freq: 4 }), { maxLength: 5 }),
    predicate: predicates(type, "a", nearValues(type)),
  }),
);

/** A file of values with the statistics that a writer gives it; some leave counts out. */
function fileOf(type: PrimitiveType, values: readonly (PrimitiveValue | null)[], hasNaNCounts: boolean): DataFile {
  const nulls = values.filter((v) => v === null).length;
  const nans = values.filter((v) => Number.isNaN(v)).length;
  const others = values.filter((v) => v !== null && !Number.isNaN(v)).sort((a, b) => compareValues(a!, b!));
  const [lowest, highest] = [others[0] ?? undefined, others.at(-1) ?? undefined];
  const upper = highest === undefined ? undefined : upperBound(type, highest);
  return {
    content: "data",
    path: "a",
    format: "parquet",
    partition: [],
    recordCount: values.length,
    sizeBytes: 1,
    valueCounts: new Map([[1, values.length]]),
    nullCounts: new Map([[1, nulls]]),
    nanCounts: hasNaNCounts ? new Map([[1, nans]]) : undefined,
    lowerBounds: lowest === undefined ? undefined : new Map([[1, lowerBound(type, lowest)]]),
    upperBounds: upper === undefined ? undefined : new Map([[1, upper]]),
  };
}

describe("statistics of a file", () => {
  it("never prune it if a row is selected, and prove that all are only if they are", () => {
    fc.assert(
      fc.property(cases, fc.boolean(), ({ type, values, predicate }, hasNaNCounts) => {
        const schema = schemaOf(type);
        const bound = bind(predicate, schema);
        const selected = values.filter((a) => matches(bound, { a })).length;
        const stats = fileStats(fileOf(type, values, hasNaNCounts), fieldsById(schema), []);
        expect(selected === 0 || mayMatch(bound, stats)).toBe(true);
        expect(selected === values.length || !allMatch(bound, stats)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("that are left out prune nothing", () => {
    fc.assert(
      fc.property(cases, ({ type, values, predicate }) => {
        const schema = schemaOf(type);
        const bound = bind(predicate, schema);
        const file: DataFile = {
          content: "data",
          path: "a",
          format: "parquet",
          partition: [],
          recordCount: 9,
          sizeBytes: 1,
        };
        const stats = fileStats(file, fieldsById(schema), []);
        expect(!values.some((a) => matches(bound, { a })) || mayMatch(bound, stats)).toBe(true);
      }),
    );
  });
});

describe("partitions", () => {
  it("are never pruned if a row of them is selected, nor are manifests of them", () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(...TRANSFORMS), ({ type, values, predicate }, text) => {
        const transform = parseTransform(text);
        const schema = schemaOf(type);
        fc.pre(canTake(text, type));
        const spec = { id: 0, fields: [{ sourceId: 1, fieldId: 1000, name: "p", transform }] };
        const fields = typedFields(spec, schema);
        const bound = bind(predicate, schema);
        const projected = projectPredicate(bound, fields);
        const partitionOf = (v: PrimitiveValue | null) =>
          transform.kind === "unknown" ? null : applyTransform(transform, type, v);
        const selected = values.filter((a) => matches(bound, { a }));
        for (const value of selected) {
          expect(mayMatch(projected, partitionStats([partitionOf(value)], fields))).toBe(true);
          if (transform.kind !== "identity") continue;
          const file = { ...fileOf(type, [value], true), partition: [value], lowerBounds: undefined };
          expect(mayMatch(bound, fileStats(file, fieldsById(schema), fields))).toBe(true);
        }
        if (selected.length === 0) return;
        const entries = values.map((v) => ({
          status: "added" as const,
          file: { ...fileOf(type, [], true), partition: [partitionOf(v)] },
        }));
        const manifest = {
          formatVersion: 2,
          content: "data",
          schema,
          spec,
          snapshotId: 1n,
          sequenceNumber: 1,
          sync: new Uint8Array(16),
        } as const;
        const { partitions } = summarise({ ...manifest, entries }, fields);
        expect(mayMatch(projected, manifestStats(partitions, fields))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

function canTake(text: string, type: PrimitiveType): boolean {
  try {
    resultType(parseTransform(text), type);
    return true;
  } catch {
    return false;
  }
}

it("has not for the opposite where nothing is null", () => {
  fc.assert(
    fc.property(cases, ({ type, values, predicate }) => {
      const [bound, negated] = [bind(predicate, schemaOf(type)), bind(not(predicate), schemaOf(type))];
      for (const a of values.filter((v) => v !== null)) expect(matches(negated, { a })).toBe(!matches(bound, { a }));
    }),
  );
});
