import { afterAll, describe, expect, it } from "vitest";
import { tableFromIPC, tableToIPC } from "apache-arrow";
import { parseType } from "../schema/type-json.ts";
import type { Field, Type } from "../schema/type.ts";
import { TestTable } from "../scan/table.fixture.ts";
import { Engine } from "./engine.ts";

const engine = new Engine({ threads: 1 });
afterAll(() => engine[Symbol.asyncDispose]());

const SIMPLE = [
  "boolean",
  "int",
  "long",
  "float",
  "double",
  "decimal(38, 9)",
  "date",
  "time",
  "timestamp",
  "timestamptz",
  "string",
  "uuid",
  "fixed[4]",
  "binary",
];
const nested: readonly (readonly [string, Type])[] = [
  ["l", { kind: "list", elementId: 100, elementRequired: false, element: { kind: "long" } }],
  [
    "m",
    {
      kind: "map",
      keyId: 101,
      key: { kind: "string" },
      valueId: 102,
      valueRequired: false,
      value: { kind: "decimal", precision: 4, scale: 2 },
    },
  ],
  [
    "s",
    {
      kind: "struct",
      fields: [
        { id: 103, name: "a", required: true, type: { kind: "fixed", length: 2 } },
        { id: 104, name: "t", required: false, type: { kind: "timestamp" } },
      ],
    },
  ],
];
const fields: readonly Field[] = [
  ...SIMPLE.map((text, i) => ({ id: i + 1, name: `c${i}`, required: i === 1, type: parseType(text) })),
  ...nested.map(([name, type], i) => ({ id: 50 + i, name, required: false, type })),
];
const row = {
  c0: true,
  c1: -5,
  c2: 2n ** 60n,
  c3: 0.5,
  c4: -0.1,
  c5: -12345678901234567890123456789n,
  c6: -1,
  c7: 86_399_999_999n,
  c8: -1n,
  c9: 1_700_000_000_123_456n,
  c10: "żółw\0",
  c11: "f79c3e09-677c-4bbd-a479-3f349cb785e7",
  c12: Uint8Array.of(1, 2, 3, 0),
  c13: new Uint8Array(20).fill(7),
  l: [1n, null],
  m: new Map([
    ["k", -150n],
    ["n", null],
  ]),
  s: { a: Uint8Array.of(8, 9), t: 1n },
};
const nulls = { ...Object.fromEntries(fields.map((f) => [f.name, null])), c1: 0 };

describe("an Arrow table", () => {
  it("has the types of the table's columns, and their values exactly", async () => {
    await using table = await TestTable.make({ fields }, engine);
    await table.commit([await table.file({ rows: [row, nulls, row] })]);
    const arrow = tableFromIPC(tableToIPC(await table.scan().toArrow()));
    expect(arrow.schema.fields.map((f) => `${f.name}: ${String(f.type)}${f.nullable ? "" : " not null"}`)).toEqual([
      "c0: Bool",
      "c1: Int32 not null",
      "c2: Int64",
      "c3: Float32",
      "c4: Float64",
      "c5: Decimal[38e+9]",
      "c6: Date32<DAY>",
      "c7: Time64<MICROSECOND>",
      "c8: Timestamp<MICROSECOND>",
      "c9: Timestamp<MICROSECOND, UTC>",
      "c10: Utf8",
      "c11: FixedSizeBinary[16]",
      "c12: FixedSizeBinary[4]",
      "c13: Binary",
      "l: List<Int64>",
      "m: Map<{key:Utf8, value:Decimal[4e+2]}>",
      "s: Struct<{a:FixedSizeBinary[2], t:Timestamp<MICROSECOND>}>",
    ]);
    const raw = (name: string) => arrow.getChild(name)!.data[0]!;
    expect(arrow.numRows).toBe(3);
    for (const name of fields.map((f) => f.name)) expect(raw(name).nullCount, name).toBe(name === "c1" ? 0 : 1);
    expect([...(raw("c8").values as BigInt64Array)].slice(0, 1)).toEqual([-1n]);
    expect((raw("c9").values as BigInt64Array)[2]).toBe(1_700_000_000_123_456n);
    expect((raw("c6").values as Int32Array)[0]).toBe(-1);
    expect((raw("c7").values as BigInt64Array)[0]).toBe(86_399_999_999n);
    const decimal = new BigInt64Array((raw("c5").values as Uint32Array).slice(0, 4).buffer);
    expect((decimal[1]! << 64n) | BigInt.asUintN(64, decimal[0]!)).toBe(row.c5);
    const values = (name: string) => arrow.getChild(name)!.toArray() as ArrayLike<unknown>;
    expect(Array.from(arrow.getChild("c10")!)).toEqual([row.c10, null, row.c10]);
    expect(Array.from(arrow.getChild("c12")!)).toEqual([row.c12, null, row.c12]);
    expect(Array.from(arrow.getChild("c13")!)).toEqual([row.c13, null, row.c13]);
    expect(Buffer.from(arrow.getChild("c11")!.get(0) as Uint8Array).toString("hex")).toBe(row.c11.replaceAll("-", ""));
    expect(values("c2")[0]).toBe(2n ** 60n);
    expect(Array.from(arrow.getChild("l")!, (l) => (l === null ? null : Array.from(l as Iterable<unknown>)))).toEqual([
      [1n, null],
      null,
      [1n, null],
    ]);
    expect(Object.keys((arrow.getChild("m")!.get(0) as { toJSON(): object }).toJSON())).toEqual(["k", "n"]);
    expect((arrow.getChild("s")!.get(0) as { a: Uint8Array }).a).toEqual(row.s.a);
    // DuckDB's driver gives short bytes as views of memory that is used again
    expect(await table.scan({ columns: ["c12"] }).toArray()).toEqual([
      { c12: row.c12 },
      { c12: null },
      { c12: row.c12 },
    ]);
  });

  it("has its columns without rows, and all rows of many batches", async () => {
    const none = await engine.sql`select 1 as a, sum(1) as b where false group by 1`.toArrow();
    expect([none.numRows, String(none.schema)]).toEqual([0, "Schema<{ 0: a: Int32, 1: b: Decimal[38e0] }>"]);
    const many = await engine.sql`select range as a from range(10000)`.toArrow();
    expect(many.numRows).toBe(10_000);
    expect(many.getChild("a")!.get(9999)).toBe(9999n);
    await expect(engine.sql`select interval 1 day as a`.toArrow()).rejects.toMatchObject({ code: "query-failed" });
  });
});
