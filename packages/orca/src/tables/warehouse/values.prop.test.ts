import fc from "fast-check";
import { expect, it } from "vitest";
import type { Ctx } from "../../core/ctx.ts";
import { nullable } from "../../core/datasets/column-notation.ts";
import { dataset } from "../../core/datasets/dataset.ts";
import { Instant, Time, clockOfMicros, textOfMicros } from "../../core/datasets/moments.ts";
import { textOfDecimal } from "../../core/datasets/stored-value.ts";
import { Day } from "../../core/keys/day.ts";
import { defineStep } from "../../core/step-definition.ts";
import { going } from "./test-tables.fixture.ts";
import { TestTables } from "./test-tables.ts";

// DuckDB takes its zone from here when it first starts, if nothing else sets it
process.env["TZ"] = "America/New_York";

const place = { lat: "double?", name: "string" } as const;
const every = dataset("lake.every", {
  a: "boolean?",
  b: "int?",
  c: "long?",
  d: "float?",
  e: "double?",
  f: "decimal(38, 9)?",
  g: "date?",
  h: "time?",
  i: "timestamp?",
  j: "timestamptz?",
  k: "string?",
  l: "uuid?",
  m: "binary?",
  n: "fixed(4)?",
  o: nullable(["long?"]),
  p: nullable([["string"]]),
  q: nullable(place),
  r: [nullable({ at: "timestamptz", of: place })],
  s: nullable({ "[string]": "decimal(6, 2)?" }),
  t: { "[date]": [{ id: "uuid" }] },
  'of "quotes"': "int?",
});
const step = defineStep("mapped", "s", [{ reads: [every] }, () => 1]);

const DAY = 86_400_000_000n;
const micros = fc.bigInt({ min: -719_528n * DAY, max: 2_932_897n * DAY - 1n });
const day = fc.integer({ min: -719_528, max: 2_932_896 }).map((days) => Day.at(days));
const instant = micros.map((m) => Instant.of(m));
const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const text = fc.string({ unit: "binary" });
const decimal = (digits: bigint, scale: number) =>
  fc.bigInt({ min: 1n - 10n ** digits, max: 10n ** digits - 1n }).map((unscaled) => textOfDecimal(unscaled, scale));
const number = fc.double();
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const structs = fc.record({ lat: orNull(number), name: text });
const maps = <K, V>(keys: fc.Arbitrary<K>, values: fc.Arbitrary<V>) =>
  fc.uniqueArray(fc.tuple(keys, values), { selector: ([key]) => key, maxLength: 3 }).map((entries) => new Map(entries));
const row = fc.record({
  a: orNull(fc.boolean()),
  b: orNull(fc.integer()),
  c: orNull(long),
  d: orNull(fc.float()),
  e: orNull(number),
  f: orNull(decimal(38n, 9)),
  g: orNull(day),
  h: orNull(fc.integer({ min: 0, max: Number(DAY) - 1 }).map((m) => Time(clockOfMicros(m)))),
  i: orNull(micros.map((m) => textOfMicros(m) as `${number}-${number}-${number}T${string}`)),
  j: orNull(instant),
  k: orNull(text),
  l: orNull(fc.uuid()),
  m: orNull(fc.uint8Array({ maxLength: 40 })),
  n: orNull(fc.uint8Array({ minLength: 4, maxLength: 4 })),
  o: orNull(fc.array(orNull(long), { maxLength: 3 })),
  p: orNull(fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 3 })),
  q: orNull(structs),
  r: fc.array(orNull(fc.record({ at: instant, of: structs })), { maxLength: 3 }),
  s: orNull(maps(text, orNull(decimal(6n, 2)))),
  t: maps(day, fc.array(fc.record({ id: fc.uuid() }), { maxLength: 3 })),
  'of "quotes"': orNull(fc.integer()),
});

it("a table gives back values of every column type as they were, also by SQL", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
      await using tables = new TestTables("p", [step]);
      await tables.fill(every, rows);
      const ctx = tables.of(step, "2024-01", going) as unknown as Ctx<typeof every>;
      const read = await ctx.scan(every).toArray();
      expect(await ctx.sql`select * from ${ctx.scan(every)}`.toArray()).toEqual(read);
      expect(read).toEqual(rows);
    }),
    { numRuns: 30 },
  );
});
