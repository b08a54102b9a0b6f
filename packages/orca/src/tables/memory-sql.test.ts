import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Ctx } from "../core/ctx.ts";
import { nullable } from "../core/datasets/column-notation.ts";
import { dataset } from "../core/datasets/dataset.ts";
import { Instant, Time, clockOfMicros, textOfMicros } from "../core/datasets/moments.ts";
import { textOfDecimal } from "../core/datasets/stored-value.ts";
import { Day } from "../core/keys/day.ts";
import type { Month } from "../core/keys/month.ts";
import type { StepDefinition } from "../core/step-definition.ts";
import { mapped } from "../core/step.ts";
import { going, refused } from "./memory-tables.fixture.ts";
import { MemoryTables } from "./memory-tables.ts";

// the engine takes its zone from here when it first starts, if nothing else sets it
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
const counts = dataset("lake.counts", { n: "int" });
const step = mapped(
  "s",
  { reads: [every, "by.name"], writes: [counts, "by.name"] },
  async (_ctx, _month: Month) => 1,
) as unknown as StepDefinition;

type TablesCtx = Ctx<typeof every | "by.name", typeof counts | "by.name">;
function attemptOn(tables: MemoryTables): TablesCtx {
  return tables.of(step, "2024-01", going) as unknown as TablesCtx;
}
const opened: MemoryTables[] = [];
/** Tables that are closed in the end, with their SQL engine. */
function opens(): MemoryTables {
  const tables = new MemoryTables();
  opened.push(tables);
  return tables;
}
/** For tests that need no tables of their own: an engine takes longer to start than they do. */
const shared = opens();
const ctx = attemptOn(shared);
afterAll(() => {
  for (const tables of opened) tables[Symbol.dispose]();
});

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

describe("SQL", () => {
  it("gives back values of every column type as they were", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
        using tables = new MemoryTables();
        await tables.fill(every, rows);
        const attempt = attemptOn(tables);
        const read = await attempt.scan(every).toArray();
        expect(await attempt.sql`select * from ${attempt.scan(every)}`.toArray()).toEqual(read);
        expect(read).toEqual(rows);
      }),
      { numRuns: 60 },
    );
  });

  it("gives texts whole that begin with a byte order mark", async () => {
    const marked = "\uFEFFx";
    expect(await attemptOn(opens()).sql`select ${marked} as s`.toArray()).toEqual([{ s: marked }]);
  });

  it("is one statement, which may be a pivot", async () => {
    const tables = opens();
    await tables.fill("by.name", [
      { day: "2024-01-30", n: 1n },
      { day: "2024-01-31", n: 2n },
    ]);
    const attempt = attemptOn(tables);
    const pivot = attempt.sql`pivot ${attempt.scan("by.name")} on day using sum(n)::bigint;`;
    expect(await pivot.toArray()).toEqual([{ "2024-01-30": 1n, "2024-01-31": 2n }]);
    expect(await ctx.sql`select ';' as a; -- the end`.toArray()).toEqual([{ a: ";" }]);
    expect(await ctx.sql`select * from ${ctx.sql`select 1 as a -- the end`}`.toArray()).toEqual([{ a: 1 }]);
    for (const query of [
      ctx.sql`select 1; select 2`,
      ctx.sql`create temp table t as select ${1} as n; select n from t`,
      attempt.sql`select 1; pivot ${attempt.scan("by.name")} on day using sum(n)`,
    ])
      await expect(query.toArray()).rejects.toThrow(
        refused("sql-misfit", "ctx.sql takes one statement, and this is several: write a ctx.sql for each"),
      );
    for (const query of [ctx.sql``, ctx.sql` ; `])
      await expect(query.toArray()).rejects.toThrow(refused("sql-misfit", "ctx.sql has no statement"));
  });

  it("is in UTC, wherever it runs", async () => {
    const query = ctx.sql`select current_setting('TimeZone') as zone, timestamptz '2024-07-01 00:00' as midnight`;
    expect(await query.toArray()).toEqual([{ zone: "UTC", midnight: "2024-07-01T00:00:00.000000Z" }]);
  });

  it("loads no extension from elsewhere", async () => {
    const query = ctx.sql`select current_setting('autoinstall_known_extensions') as installs,
      current_setting('autoload_known_extensions') as loads`;
    expect(await query.toArray()).toEqual([{ installs: false, loads: false }]);
  });

  it("has of a scan the columns that it is narrowed to", async () => {
    const tables = opens();
    await tables.fill("by.name", [{ n: 1n, m: 2n }]);
    await tables.fill(every, [{ a: true, c: 1n, r: [], t: new Map() }]);
    const attempt = attemptOn(tables);
    const named = attempt.scan("by.name").columns("m");
    expect(await attempt.sql`select * from ${named}`.toArray()).toEqual([{ m: 2n }]);
    const typed = attempt.scan(every).columns("c", "a");
    expect(await attempt.sql`select * from ${typed}`.toArray()).toEqual([{ a: true, c: 1n }]);
  });

  it("compares days with parameters that are text", async () => {
    const tables = opens();
    await tables.fill("by.name", [{ day: "2024-01-30" }, { day: "2024-01-31" }]);
    const attempt = attemptOn(tables);
    const scan = attempt.scan("by.name");
    expect(await attempt.sql`select * from ${scan} where day = ${Day("2024-01-31")}`.toArray()).toEqual([
      { day: "2024-01-31" },
    ]);
  });

  it("stands for a table in other SQL, whatever names that gives", async () => {
    const tables = opens();
    await tables.fill("by.name", [{ n: 1n }, { n: 2n }]);
    const attempt = attemptOn(tables);
    const scan = attempt.scan("by.name");
    const doubled = attempt.sql`select n * 2 as n from ${scan} where n > ${1n}`;
    const query = attempt.sql`with t0 as (select 7 as n) select s.n::bigint as s, d.n::bigint as d, t0.n::bigint as t
      from ${scan} as s, ${doubled} as d, t0 order by s.n`;
    expect(await query.toArray()).toEqual([
      { s: 1n, d: 4n, t: 7n },
      { s: 2n, d: 4n, t: 7n },
    ]);
    expect(await attempt.sql`select sum(n)::bigint as n from ${scan.columns("n")}`.toArray()).toEqual([{ n: 3n }]);
  });

  it("runs when its rows are asked for, and each time that they are", async () => {
    const query = ctx.sql`select ${1n} as n`;
    for await (const row of query) expect(row).toEqual({ n: 1n });
    expect(await query.toArray()).toEqual([{ n: 1n }]);
  });

  it("runs at the same time as other SQL, which sees none of its tables", async () => {
    const tables = opens();
    await tables.fill("by.name", [{ n: 1n }]);
    const one = attemptOn(tables);
    const queries = Array.from(
      { length: 8 },
      (_, i) => one.sql`select n + ${BigInt(i)} as n from ${one.scan("by.name")}`,
    );
    const all = await Promise.all(queries.map((query) => query.toArray()));
    expect(all).toEqual(queries.map((_, i) => [{ n: BigInt(i + 1) }]));
  });

  it("that is wrong says what the engine says", async () => {
    await expect(ctx.sql`select * from nothing`.toArray()).rejects.toThrow(
      expect.objectContaining({ code: "sql-misfit", message: expect.stringContaining("SQL failed: ") as string }),
    );
  });

  it("that gives a type of no JavaScript value says to cast it", async () => {
    await expect(ctx.sql`select interval 1 day`.toArray()).rejects.toThrow(
      refused("sql-misfit", "a value of type INTERVAL has no JavaScript value here: cast it, such as x::varchar"),
    );
  });
});

describe("what SQL gives", () => {
  it("is cast into an int column where it is a count that fits", async () => {
    expect(await ctx.append(counts, ctx.sql`select count(*) as n from range(3)`)).toBe(1n);
    expect(shared.get(counts).current.rows).toEqual([{ n: 3 }]);
    await expect(ctx.append(counts, ctx.sql`select ${2n ** 31n} as n`)).rejects.toThrow(
      expect.objectContaining({
        code: "rows-misfit",
        message: "rows don't fit lake.counts: n: 2147483648 isn't a 32-bit integer (row 1)",
      }),
    );
  });

  it("is checked as any rows are", async () => {
    await expect(ctx.append(counts, ctx.sql`select 'x' as n`)).rejects.toThrow(
      expect.objectContaining({ message: "rows don't fit lake.counts: n takes number, not string (row 1)" }),
    );
    await expect(ctx.append(counts, [{ n: 1n }] as never)).rejects.toThrow(
      expect.objectContaining({ message: "rows don't fit lake.counts: n takes number, not bigint (row 1)" }),
    );
  });
});

describe("a table known by its name", () => {
  it("has the columns in SQL that its values are of", async () => {
    const tables = opens();
    const bytes = new Uint8Array([1]);
    await tables.fill("by.name", [
      { a: 1n, b: 1.5, c: true, d: "2024-01-31", e: "x", f: new Date(0), g: bytes, h: null },
      { a: null, i: "2024-01-31" },
      { i: "and not a day" },
    ]);
    const attempt = attemptOn(tables);
    const none = { a: null, b: null, c: null, d: null, e: null, f: null, g: null, h: null };
    expect(await attempt.sql`select * from ${attempt.scan("by.name")}`.toArray()).toEqual([
      { a: 1n, b: 1.5, c: true, d: "2024-01-31", e: "x", f: "1970-01-01T00:00:00.000000Z", g: bytes, h: null, i: null },
      { ...none, i: "2024-01-31" },
      { ...none, i: "and not a day" },
    ]);
  });

  it("is refused in SQL where its columns can't be told", async () => {
    const tables = opens();
    const attempt = attemptOn(tables);
    const query = attempt.sql`select * from ${attempt.scan("by.name")}`;
    const other = tables.of(step, "2024-02", going) as unknown as TablesCtx;
    await expect(query.toArray()).rejects.toThrow(
      "a table in memory that has no rows has no columns: give it as a dataset",
    );
    for (const value of [1n, { nested: 1 }]) await tables.fill("by.name", [{ a: "x" }, { a: value }]);
    await expect(other.sql`select * from ${other.scan("by.name")}`.toArray()).rejects.toThrow(
      expect.objectContaining({
        code: "sql-misfit",
        message:
          "column a of a table in memory holds values of several types, or none of a plain one: give it as a dataset",
      }),
    );
  });
});
