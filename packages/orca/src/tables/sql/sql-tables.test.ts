/** SQL is the same in steps without datasets as in steps that have some. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../core/ctx.ts";
import type { ErrorCode } from "../../core/errors.ts";
import { defineStep } from "../../core/step-definition.ts";
import { going } from "../warehouse/test-tables.fixture.ts";
import { TestTables } from "../warehouse/test-tables.ts";
import { SqlTables } from "./sql-tables.ts";

// the engine takes its zone from here when it first starts, if nothing else sets it
process.env["TZ"] = "America/New_York";

const step = defineStep("mapped", "s", [() => 1]);
const refused = (code: ErrorCode, message: string) => ({ code, message: expect.stringContaining(message) as unknown });

describe.each([
  ["without tables", () => new SqlTables()],
  ["over a warehouse", () => new TestTables("p", [step])],
])("SQL %s", (_where, open) => {
  const tables = open();
  let ctx: Ctx;
  beforeAll(() => {
    ctx = tables.of(step, "2024-01", going) as unknown as Ctx;
  });
  afterAll(async () => await tables[Symbol.asyncDispose]());

  it("gives texts whole that begin with a byte order mark", async () => {
    const marked = "\uFEFFx";
    expect(await ctx.sql`select ${marked} as s`.toArray()).toEqual([{ s: marked }]);
  });

  it("that nobody awaits when its tables are closed has its rows: the process goes on", async () => {
    const closed = open();
    const { sql } = closed.of(step, "2024-01", going) as unknown as Ctx;
    await sql`select 1`.toArray();
    const queries = Array.from({ length: 20 }, (_, n) => sql`select ${n} as n`.toArray());
    await closed[Symbol.asyncDispose]();
    expect((await Promise.all(queries)).flat()).toEqual(queries.map((_, n) => ({ n })));
  });

  it("is one statement, which may be a pivot", async () => {
    const values = ctx.sql`select * from (values (date '2024-01-30', 1), (date '2024-01-31', 2)) as t(day, n)`;
    const pivot = ctx.sql`pivot ${values} on day using sum(n)::bigint;`;
    expect(await pivot.toArray()).toEqual([{ "2024-01-30": 1n, "2024-01-31": 2n }]);
    expect(await ctx.sql`select ';' as a; -- the end`.toArray()).toEqual([{ a: ";" }]);
    expect(await ctx.sql`select * from ${ctx.sql`select 1 as a -- the end`}`.toArray()).toEqual([{ a: 1 }]);
    for (const query of [
      ctx.sql`select 1; select 2`,
      ctx.sql`create temp table t as select ${1} as n; select n from t`,
      ctx.sql`select 1; pivot ${values} on day using sum(n)`,
    ])
      await expect(query.toArray()).rejects.toMatchObject(
        refused("sql-misfit", "SQL takes one statement, and this is several: write a query for each"),
      );
    for (const query of [ctx.sql``, ctx.sql` ; `])
      await expect(query.toArray()).rejects.toMatchObject(refused("sql-misfit", "SQL has no statement"));
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

  it("stands for a table in other SQL, whatever names that gives", async () => {
    const numbers = ctx.sql`select unnest([1, 2])::bigint as n`;
    const doubled = ctx.sql`select n * 2 as n from ${numbers} where n > ${1n}`;
    const query = ctx.sql`with t0 as (select 7 as n) select s.n::bigint as s, d.n::bigint as d, t0.n::bigint as t
      from ${numbers} as s, ${doubled} as d, t0 order by s.n`;
    expect(await query.toArray()).toEqual([
      { s: 1n, d: 4n, t: 7n },
      { s: 2n, d: 4n, t: 7n },
    ]);
  });

  it("runs when its rows are asked for, and each time that they are", async () => {
    const query = ctx.sql`select ${1n} as n`;
    for await (const row of query) expect(row).toEqual({ n: 1n });
    expect(await query.toArray()).toEqual([{ n: 1n }]);
  });

  it("runs at the same time as other SQL", async () => {
    const queries = Array.from({ length: 8 }, (_, i) => ctx.sql`select ${BigInt(i)} as n`);
    const all = await Promise.all(queries.map((query) => query.toArray()));
    expect(all).toEqual(queries.map((_, i) => [{ n: BigInt(i) }]));
  });

  it("gives values of every kind, and tells columns of one name apart", async () => {
    const query = ctx.sql`select true as a, 1 as b, 1::bigint as c, 1.5::float as d, 1.5::double as e, 1.50::decimal(5, 2) as f,
      date '2024-01-31' as g, time '12:34:56.000001' as h, timestamp '1969-12-31 23:59:59.999999' as i,
      timestamptz '2024-01-31 00:00:00+00' as j, 'x' as k, uuid '5e1fc0de-0000-4000-8000-00000000000a' as l, '\\x01'::blob as m,
      timestamp_s '2024-01-31 00:00:01' as n, timestamp_ms '2024-01-31 00:00:00.001' as o, timestamp_ns '1969-12-31 23:59:59.999999999' as p,
      [1, null] as q, {a: 1, b: 'x'} as r, map {'k': 1} as s, array_value(1, 2) as t, null as u, 1 as z, 2 as z`;
    expect(await query.toArray()).toEqual([
      {
        a: true,
        b: 1,
        c: 1n,
        d: 1.5,
        e: 1.5,
        f: "1.50",
        g: "2024-01-31",
        h: "12:34:56.000001",
        i: "1969-12-31T23:59:59.999999",
        j: "2024-01-31T00:00:00.000000Z",
        k: "x",
        l: "5e1fc0de-0000-4000-8000-00000000000a",
        m: new Uint8Array([1]),
        n: "2024-01-31T00:00:01.000000",
        o: "2024-01-31T00:00:00.001000",
        p: "1969-12-31T23:59:59.999999999",
        q: [1, null],
        r: { a: 1, b: "x" },
        s: new Map([["k", 1]]),
        t: [1, 2],
        u: null,
        z: 1,
        "z:1": 2,
      },
    ]);
  });

  it("that is wrong says what the engine says", async () => {
    const query = ctx.sql`select * from nothing`;
    await expect(query.toArray()).rejects.toMatchObject(
      refused("sql-misfit", "SQL failed: Catalog Error: Table with name nothing"),
    );
  });

  it("that gives a type of no JavaScript value says to cast it", async () => {
    await expect(ctx.sql`select interval 1 day`.toArray()).rejects.toMatchObject(
      refused("sql-misfit", "a value of type INTERVAL has no JavaScript value here: cast it, such as x::varchar"),
    );
  });

  it("is interrupted when its attempt is to stop", async () => {
    const stop = new AbortController();
    const { sql } = tables.of(step, "2024-02", { ...going, signal: stop.signal });
    const endless = sql`SELECT sum(a.range * b.range) AS x FROM range(10000000) a, range(10000000) b`.toArray();
    await sql`SELECT 1`.toArray();
    stop.abort(new Error("stopped"));
    await expect(endless).rejects.toThrow("stopped");
  });
});
