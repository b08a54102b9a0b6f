import { mkdtemp, readdir, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { Engine } from "../engine/engine.ts";
import { IcebergError } from "../errors.ts";
import type { Field } from "../schema/type.ts";
import { TestTable } from "../scan/table.fixture.ts";
import { sql } from "./fragment.ts";
import type { SqlTag } from "./in-sql.ts";

// the engine takes its zone from here when it first starts, if nothing else sets it
process.env["TZ"] = "America/New_York";

const engine = new Engine({ threads: 1 });
const query = engine.sql;
/** A tag that takes anything, as JavaScript does. */
const untyped = query as unknown as (texts: TemplateStringsArray, ...values: readonly unknown[]) => unknown;
afterAll(() => engine[Symbol.asyncDispose]());

const failed = (message: string) => expect.objectContaining({ code: "query-failed", message }) as Error;
const fields: readonly Field[] = [
  { id: 1, name: "day", required: true, type: { kind: "date" } },
  { id: 2, name: "rain", required: false, type: { kind: "double" } },
];

async function rainTable(): Promise<TestTable> {
  const table = await TestTable.make({ fields });
  const file = await table.file({ rows: [0, 1, 2].map((day) => ({ day, rain: day * 1.5 })) });
  await table.commit([file]);
  return table;
}

describe("a query", () => {
  it("that fails after many rows gives none of them as all", async () => {
    const late = query`select case when range = 100000 then error('late') else 'x' end as v from range(1000000)`;
    await expect(late.toArray()).rejects.toMatchObject(failed("Invalid Input Error: late"));
    await expect(late.toArrow()).rejects.toMatchObject(failed("Invalid Input Error: late"));
  });

  it("has scans and other queries for tables, and takes values as they are", async () => {
    await using table = await rainTable();
    const scan = table.scan();
    const { sql: select } = table.engine;
    const wet = select`select * from ${scan} where rain > ${1} -- the wet ones`;
    expect(
      await select<{ n: bigint }>`select count(*) as n from ${wet} where day >= ${"1970-01-02"}`.toArray(),
    ).toEqual([{ n: 2n }]);
    const twice = select`select count(*) as n from ${scan} a join ${scan} b using (day)`;
    expect(await twice.toArray()).toEqual([{ n: 3n }]);
    expect(await select`select day from ${scan} where rain in ${[0, 3]} order by day`.toArray()).toEqual([
      { day: "1970-01-01" },
      { day: "1970-01-03" },
    ]);
    expect(await select`pivot ${scan} on day using sum(rain)`.toArray()).toEqual([
      { "1970-01-01": 0, "1970-01-02": 1.5, "1970-01-03": 3 },
    ]);
  });

  it("binds values of each kind, and of any content", async () => {
    const text = fc.string({ unit: "binary" });
    const scalar = fc.oneof(
      text,
      fc.constantFrom("'", "'; select 2 --", "*/", "\0", '"'),
      fc.double({ noNaN: true, noInteger: true }),
      fc.integer(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array({ maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(scalar, fc.array(text, { maxLength: 3 }), async (value, list) => {
        expect(await query`select ${value} as value, ${list} as list`.toArray()).toEqual([{ value, list }]);
      }),
      { numRuns: 100 },
    );
    expect(await query`select ${2 ** 60} as n, ${new Date(1)} as t, ${2n ** 100n} as huge`.toArray()).toEqual([
      { n: 2 ** 60, t: "1970-01-01T00:00:00.001000Z", huge: 2n ** 100n },
    ]);
    expect(await query`select ${1} as a limit ${1}`.toArray()).toEqual([{ a: 1 }]);
  });

  it("never has a value as text, wherever it is put", async () => {
    const quoted = query`select '${"' || current_setting('threads') || '"}' as a`;
    await expect(quoted.toArray()).rejects.toThrow(IcebergError);
    expect(await query`select 1 as a -- ${"\n, 2 as b"}`.toArray()).toEqual([{ a: 1 }]);
  });

  it("is put together from pieces, names and lists of them", async () => {
    const columns = ["a", 'of "quotes"'];
    const from = sql`(select ${1} as a, ${2} as ${sql.id('of "quotes"')})`;
    const list = query.join(columns.map((c) => sql.id(c)));
    const where = sql.join([sql`a = ${1}`, sql`true`], sql` and `);
    expect(await query`select ${list} from ${from} where ${where}`.toArray()).toEqual([{ a: 1, 'of "quotes"': 2 }]);
    expect(() => sql.id("a\0b")).toThrow(failed("a name in SQL has a NUL in it"));
  });

  it("is one statement", async () => {
    expect(await query`select ';' as a; -- the end`.toArray()).toEqual([{ a: ";" }]);
    expect(await query`select * from ${query`select 1 as a; -- the end`}`.toArray()).toEqual([{ a: 1 }]);
    for (const several of [query`select 1; select 2`, query`create temp table t as select ${1} as n; select n from t`])
      await expect(several.toArray()).rejects.toThrow(
        failed("SQL takes one statement, and this is several: write a query for each"),
      );
    for (const none of [query``, query` ; `])
      await expect(none.toArray()).rejects.toThrow(failed("SQL has no statement"));
  });

  it("fails with what DuckDB says", async () => {
    await expect(query`select nothing`.toArray()).rejects.toThrow(
      failed('Binder Error: Referenced column "nothing" was not found because the FROM clause is missing'),
    );
    await expect(query`select 'x'::int as a`.toArray()).rejects.toMatchObject({ code: "query-failed" });
    await expect(query`select interval 1 day as a`.toArray()).rejects.toThrow(
      failed("a value of type INTERVAL has no JavaScript value here: cast it, such as x::varchar"),
    );
  });

  it("is in UTC, and loads no extension from elsewhere", async () => {
    const settings = query`select current_setting('TimeZone') as zone, timestamptz '2024-07-01 00:00' as midnight,
      current_setting('autoinstall_known_extensions') as installs, current_setting('autoload_known_extensions') as loads`;
    expect(await settings.toArray()).toEqual([
      { zone: "UTC", midnight: "2024-07-01T00:00:00.000000Z", installs: false, loads: false },
    ]);
  });

  it("is ended by a signal", async () => {
    const reason = new Error("enough");
    const aborting = new AbortController();
    const endless = query`select count(*) as n from range(100000000000) where hash(range) = 1`.toArray({
      signal: aborting.signal,
    });
    aborting.abort(reason);
    await expect(endless).rejects.toBe(reason);
    const rows = query`select * from range(10000000)`.rows({ signal: AbortSignal.any([aborting.signal]) });
    await expect(rows.next()).rejects.toBe(reason);
    const later = new AbortController();
    const begun = query`select * from range(10000000)`.rows({ signal: later.signal });
    expect(await begun.next()).toEqual({ done: false, value: { range: 0n } });
    later.abort(reason);
    await expect(all(begun)).rejects.toBe(reason);
  });

  it("may be left before its end", async () => {
    for await (const row of query`select * from range(10000000)`) if (row["range"] === 5n) break;
    expect(await query`select 1 as a`.toArray()).toEqual([{ a: 1 }]);
  });

  it.each([
    [undefined, "SQL takes no undefined: write null"],
    [() => 1, "SQL takes no function"],
    [{ a: 1 }, "SQL takes no object"],
    [[[1]], "SQL takes lists of plain values only"],
    [Promise.resolve(1), "SQL takes no promise: await it"],
    [2n ** 200n, "SQL takes integers of at most 128 bits"],
    [new Date(Number.NaN), "SQL takes no invalid Date"],
  ])("takes no %s", (value, message) => {
    expect(() => untyped`select ${value}`).toThrow(failed(message));
    expect(() => untyped`select ${(sql as unknown as typeof untyped)`${value}`}`).toThrow(failed(message));
  });

  it("gives columns in batches", async () => {
    const batches = await all(query`select range as a, null as b from range(5000)`.batches());
    expect(batches.reduce((n, b) => n + b.rowCount, 0)).toBe(5000);
    expect(batches.flatMap((b) => b.columns["a"])).toEqual(Array.from({ length: 5000 }, (_, i) => BigInt(i)));
    expect(batches.every((b) => b.columns["b"]!.every((v) => v === null))).toBe(true);
  });
});

it("an engine has limits", async () => {
  await using small = new Engine({ memoryLimit: "100MB", threads: 1 });
  const tooMuch: ReturnType<SqlTag> = small.sql`select count(distinct range) from range(100000000)`;
  expect(await small.sql`select current_setting('threads') as n`.toArray()).toEqual([{ n: 1n }]);
  await small.sql`set temp_directory = ''`.toArray();
  await expect(tooMuch.toArray()).rejects.toMatchObject({ code: "query-failed" });
});

it("engines with the same temporary folder leave each other's files alone, and nothing of their own", async () => {
  const temporaryFolder = await mkdtemp(path.join(tmpdir(), "iceberg-engines-"));
  const limits = { temporaryFolder, memoryLimit: "60MB", threads: 1 };
  const rowCount = 3_000_000;
  const spilled = (one: Engine) =>
    one.sql`select range as n, md5(range::varchar) as text from range(${rowCount})`.batches();
  const [first, second] = [new Engine(limits), new Engine(limits)];
  const rows = spilled(second);
  let count = (await rows.next()).value!.rowCount;
  await all(spilled(first));
  await first[Symbol.asyncDispose]();
  for await (const batch of rows) count += batch.rowCount;
  expect(count).toBe(rowCount);
  await second[Symbol.asyncDispose]();
  expect(await readdir(temporaryFolder)).toEqual([]);
  await rm(temporaryFolder, { recursive: true });
});

it("rows that are lost with the temporary files that they were in aren't passed over", async () => {
  const temporaryFolder = await mkdtemp(path.join(tmpdir(), "iceberg-engine-"));
  await using one = new Engine({ temporaryFolder, memoryLimit: "60MB", threads: 1 });
  const rows = one.sql`select range as n, md5(range::varchar) as text from range(3000000)`.batches();
  await rows.next();
  for (const entry of await readdir(temporaryFolder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await truncate(path.join(entry.parentPath, entry.name));
  await expect(all(rows)).rejects.toMatchObject({ code: "query-failed" });
  await rm(temporaryFolder, { recursive: true });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
