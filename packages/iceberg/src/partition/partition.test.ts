import { describe, expect, it } from "vitest";
import { parseType } from "../schema/type-json.ts";
import type { PrimitiveType } from "../schema/type.ts";
import { toPrimitive } from "../values/to-value.ts";
import { parseSchema } from "../schema/schema.ts";
import { applyTransform } from "./apply.ts";
import { hashValue } from "./hash.ts";
import { partitionPath } from "./path.ts";
import { changeSpec, type SpecContext } from "./spec-changes.ts";
import { parseSpec, specToJson, typedFields } from "./spec.ts";
import { parseSortOrder, sortOrderToJson } from "./sort-order.ts";
import { parseTransform, resultType, transformText } from "./transform.ts";

const valueOf = (text: string, given: unknown) => {
  const type = parseType(text) as PrimitiveType;
  return { type, value: toPrimitive(type, given, "value") };
};

describe("hashes as the specification's Appendix B has them", () => {
  it.each([
    ["int", 34, 2017239379],
    ["long", 34, 2017239379],
    ["decimal(9,2)", "14.20", -500754589],
    ["date", "2017-11-16", -653330422],
    ["time", "22:31:08", -662762989],
    ["timestamp", "2017-11-16T22:31:08", -2047944441],
    ["timestamp", "2017-11-16T22:31:08.000001", -1207196810],
    ["timestamptz", "2017-11-16T14:31:08-08:00", -2047944441],
    ["timestamptz", "2017-11-16T14:31:08.000001-08:00", -1207196810],
    ["timestamp_ns", "2017-11-16T22:31:08", -2047944441],
    ["timestamp_ns", "2017-11-16T22:31:08.000001001", -1207196810],
    ["timestamptz_ns", "2017-11-16T14:31:08-08:00", -2047944441],
    ["timestamptz_ns", "2017-11-16T14:31:08.000001001-08:00", -1207196810],
    ["string", "iceberg", 1210000089],
    ["uuid", "f79c3e09-677c-4bbd-a479-3f349cb785e7", 1488055340],
    ["fixed[4]", Uint8Array.of(0, 1, 2, 3), -188683207],
    ["binary", Uint8Array.of(0, 1, 2, 3), -188683207],
    ["boolean", true, 1392991556],
    ["float", 1, -142385009],
    ["float", 0, 1669671676],
    ["float", -0, 1669671676],
    ["double", 1, -142385009],
    ["double", 0, 1669671676],
    ["double", -0, 1669671676],
  ])("%s %s", (text, given, hash) => {
    const { type, value } = valueOf(text, given);
    expect(hashValue(type, value)).toBe(hash);
  });
});

describe("transforms", () => {
  it.each([
    ["truncate[10]", "int", 1, 0],
    ["truncate[10]", "int", -1, -10],
    ["truncate[10]", "long", -1, -10n],
    ["truncate[50]", "decimal(9,2)", "10.65", 1050n],
    ["truncate[3]", "string", "iceberg", "ice"],
    ["truncate[1]", "string", "\u{1F600}b", "\u{1F600}"],
    ["truncate[3]", "binary", Uint8Array.of(1, 2, 3, 4, 5), Uint8Array.of(1, 2, 3)],
    ["year", "date", "1969-12-31", -1],
    ["year", "timestamp", "2017-11-16T22:31:08", 47],
    ["month", "date", "2017-11-16", 574],
    ["month", "timestamptz", "1969-12-31T23:59:59Z", -1],
    ["day", "timestamp", "1969-12-31T23:59:59.999999", -1],
    ["day", "timestamp_ns", "2017-11-16T22:31:08", 17486],
    ["hour", "timestamp", "2017-11-16T22:31:08", 419686],
    ["hour", "timestamp", "1969-12-31T23:59:59", -1],
    ["bucket[16]", "string", "iceberg", 9],
    ["identity", "uuid", "f79c3e09-677c-4bbd-a479-3f349cb785e7", "f79c3e09-677c-4bbd-a479-3f349cb785e7"],
    ["void", "int", 1, null],
  ])("%s of %s %s", (transform, text, given, result) => {
    const { type, value } = valueOf(text, given);
    expect(applyTransform(parseTransform(transform), type, value)).toEqual(result);
    expect(applyTransform(parseTransform(transform), type, null)).toBeNull();
  });

  it("keep their text, known or not", () => {
    for (const text of [
      "identity",
      "bucket[16]",
      "truncate[4]",
      "year",
      "month",
      "day",
      "hour",
      "void",
      "zorder",
      "bucket[0]",
    ])
      expect(transformText(parseTransform(text))).toBe(text);
    expect(parseTransform("bucket[0]").kind).toBe("unknown");
  });

  it("take only the types that the specification lists", () => {
    expect(() => resultType(parseTransform("hour"), parseType("date"))).toThrow("hour can't be applied to type date");
    expect(() => resultType(parseTransform("bucket[2]"), parseType("double"))).toThrow("bucket[2] can't be applied");
    expect(resultType(parseTransform("truncate[5]"), parseType("decimal(9, 2)"))).toEqual(parseType("decimal(9,2)"));
  });

  it("can't be written if they aren't known", () => {
    const { type, value } = valueOf("int", 1);
    expect(() => applyTransform(parseTransform("zorder"), type, value)).toThrow(
      "partitions by zorder can't be written: the transform isn't known",
    );
  });

  it("refuse a number whose partition would be below its type", () => {
    const { type, value } = valueOf("int", -(2 ** 31));
    expect(() => applyTransform(parseTransform("truncate[10]"), type, value)).toThrow("below the lowest int");
  });
});

const schema = parseSchema({
  "schema-id": 0,
  type: "struct",
  fields: [
    { id: 1, name: "id", required: true, type: "long" },
    { id: 2, name: "time", required: false, type: "timestamptz" },
    { id: 3, name: "name", required: false, type: "string" },
  ],
});
const context = (formatVersion: number): SpecContext => ({ schema, formatVersion, specs: [], lastPartitionId: 999 });

describe("partition specs", () => {
  it("give new fields the next ids, and names of their column and transform", () => {
    const changes = [
      { change: "add", column: "time", transform: "day" },
      { change: "add", column: "id", transform: "bucket[16]" },
      { change: "add", column: "name" },
    ] as const;
    expect(specToJson({ id: 1, fields: changeSpec({ fields: [] }, changes, context(2)) })).toEqual({
      "spec-id": 1,
      fields: [
        { "source-id": 2, "field-id": 1000, name: "time_day", transform: "day" },
        { "source-id": 1, "field-id": 1001, name: "id_bucket_16", transform: "bucket[16]" },
        { "source-id": 3, "field-id": 1002, name: "name", transform: "identity" },
      ],
    });
  });

  it("give a field that a spec had before its id again", () => {
    const old = parseSpec({
      "spec-id": 0,
      fields: [{ "source-id": 2, "field-id": 1000, name: "d", transform: "day" }],
    });
    const again = changeSpec({ fields: [] }, [{ change: "add", column: "time", transform: "day" }], {
      ...context(2),
      specs: [old],
      lastPartitionId: 1003,
    });
    expect(again.map((f) => f.fieldId)).toEqual([1000]);
  });

  it("keep a removed field as void in version 1, and leave it out in version 2", () => {
    const { fields } = parseSpec({ "spec-id": 0, fields: [{ "source-id": 3, name: "name", transform: "identity" }] });
    const remove = [{ change: "remove", name: "name" }] as const;
    expect(changeSpec({ fields }, remove, context(2))).toEqual([]);
    expect(changeSpec({ fields }, remove, context(1))).toEqual([{ ...fields[0], transform: { kind: "void" } }]);
  });

  it.each([
    [{ change: "add", column: "nope" } as const, "there is no column nope to partition by"],
    [
      { change: "add", column: "id", name: "name" } as const,
      "partition field name has a column's name: give another name",
    ],
    [{ change: "add", column: "id", transform: "day" } as const, "day can't be applied to type long"],
    [{ change: "add", column: "id", transform: "zorder" } as const, "zorder is no partition transform"],
    [{ change: "remove", name: "nope" } as const, "there is no partition field nope"],
  ])("refuse %o", (change, message) => {
    expect(() => changeSpec({ fields: [] }, [change], context(2))).toThrow(message);
  });

  it("have paths that people can read", () => {
    const changes = ["year", "month", "day", "hour"].map((t) => ({
      change: "add" as const,
      column: "time",
      transform: t,
    }));
    const fields = typedFields(
      { id: 0, fields: changeSpec({ fields: [] }, [...changes, { change: "add", column: "name" }], context(2)) },
      schema,
    );
    expect(partitionPath(fields, [47, 574, 17486, 419686, "a b/c=d"])).toBe(
      "time_year=2017/time_month=2017-11/time_day=2017-11-16/time_hour=2017-11-16-22/name=a%20b%2Fc%3Dd",
    );
    expect(partitionPath(fields, [-1, -1, -1, -1, null])).toBe(
      "time_year=1969/time_month=1969-12/time_day=1969-12-31/time_hour=1969-12-31-23/name=null",
    );
  });

  it("have folders' names that are not too long, and no character of which is cut in two", () => {
    const fields = typedFields(
      { id: 0, fields: changeSpec({ fields: [] }, [{ change: "add", column: "name" }], context(2)) },
      schema,
    );
    expect(partitionPath(fields, ["a".repeat(200)])).toBe(`name=${"a".repeat(123)}`);
    expect(partitionPath(fields, ["\u{1D158}".repeat(20)])).toBe(`name=${"%F0%9D%85%98".repeat(10)}`);
  });

  it("refuse transforms of several columns by name", () => {
    const fields = [{ "source-ids": [1, 2], "field-id": 1000, name: "x", transform: "hash" }];
    expect(() => parseSpec({ "spec-id": 0, fields })).toThrow(
      "partition-spec.fields[0] has a transform of several columns, which isn't supported",
    );
  });
});

it("keeps sort orders", () => {
  const json = {
    "order-id": 1,
    fields: [{ transform: "bucket[4]", "source-id": 3, direction: "desc", "null-order": "nulls-last" }],
  };
  expect(sortOrderToJson(parseSortOrder(json))).toEqual(json);
});
