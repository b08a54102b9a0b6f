import path from "node:path";
import { type Catalog, openCatalog, type Relation } from "@orcajs/iceberg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, callOrca, workFolder } from "./e2e/programs.ts";
import { FLIGHTS_FILE, rowsOfFlights } from "./flights-file.ts";
import { testDatabase, type TestDatabase } from "./postgres.ts";

/** The last month of the file, and the first of July, which has its last six flights. */
const DAYS = "2001-06-01..2001-07-01";
const DAYS_COUNT = 31;
const DAYS_IN_ORDER = Array.from({ length: DAYS_COUNT }, (_, i) =>
  new Date(Date.UTC(2001, 5, 1 + i)).toISOString().slice(0, 10),
);
const work = workFolder();
const warehouse = path.join(work.path, "lake");
let test: TestDatabase;

async function run(
  pipeline: "ingest" | "report",
  partitions: string,
): Promise<readonly { readonly output: unknown }[]> {
  const env = { ORCA_DATABASE_URL: test.url, ORCA_WAREHOUSE: warehouse };
  const words = ["run", "--partitions", partitions, "--json"];
  const { code, stdout, stderr } = await call(path.join(work.path, pipeline), words, { env });
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { readonly outputs: readonly { readonly output: unknown }[] }).outputs;
}

interface Held {
  readonly rows: number;
  readonly isCertain: boolean;
  readonly made?: {
    readonly by: { readonly run: number; readonly partition: string };
    readonly from: readonly { readonly dataset: string }[];
  };
}

/** Whose rows the newest snapshot of the clean table has. */
async function rowsOfClean(): Promise<readonly Held[]> {
  const env = { ORCA_DATABASE_URL: test.url };
  const { stdout, stderr } = await callOrca(["lineage", "flights.clean", "--rows", "--json"], { env });
  expect(stderr).toBe("");
  return (JSON.parse(stdout) as { readonly rowsOf: readonly Held[] }).rowsOf;
}

/** How many rows there are, and what tells them from others, in whatever order. */
async function fingerprint(rows: Relation): Promise<unknown> {
  return await rows.engine.sql`
    select count(*) as n, sum(hash(day, departed, delay::bigint, distance::bigint, origin, destination)::hugeint)::varchar as hashes
    from ${rows}`.toArray();
}

/** Of both tables, and of the flights of these days in the file, as they are there and each once. */
async function fingerprints(catalog: Catalog) {
  const { sql } = catalog.engine;
  const file = sql`
    select date::date as day, date as departed, delay, distance, origin, destination from read_parquet(${FLIGHTS_FILE})
    where date >= '2001-06-01'`;
  const [raw, clean] = [await catalog.loadTable("flights.raw"), await catalog.loadTable("flights.clean")];
  return {
    tables: [await fingerprint(raw.scan()), await fingerprint(clean.scan())],
    file: [await fingerprint(file), await fingerprint(sql`select distinct * from ${file}`)],
  };
}

beforeAll(async () => {
  test = await testDatabase();
  for (const name of ["ingest", "report"])
    await callOrca(["build", `examples/flights/${name}.ts`, "-o", path.join(work.path, name), "--no-check"]);
  await run("ingest", DAYS);
}, 300_000);
afterAll(async () => {
  work[Symbol.dispose]();
  await test[Symbol.asyncDispose]();
});

describe("flights that are taken in day by day", () => {
  it("are in the raw table as they are in the file, in the clean one each once, and have one snapshot a day in both", async () => {
    await using catalog = openCatalog(warehouse);
    const { tables, file } = await fingerprints(catalog);
    expect(tables).toEqual(file);
    for (const name of ["flights.raw", "flights.clean"]) {
      const snapshots = (await catalog.loadTable(name)).snapshots();
      expect(snapshots).toHaveLength(DAYS_COUNT);
      expect(new Set(snapshots.map(({ summary }) => summary?.["orca.partition"])).size).toBe(DAYS_COUNT);
    }
  });

  it("are reported on with the numbers that one query over the file gives", async () => {
    const [worst] = await run("report", "2001-06..2001-07");
    expect(worst!.output).toEqual(
      await rowsOfFlights(`
        SELECT origin, round(avg(delay), 2) AS mean FROM flights WHERE date >= '2001-06-01'
        GROUP BY origin HAVING count(*) >= 1000 ORDER BY avg(delay) DESC LIMIT 10`),
    );
    await using catalog = openCatalog(warehouse);
    const delays = await catalog.loadTable("flights.delays");
    const { sql } = catalog.engine;
    const reported = sql`select month, origin, flights, minutes from ${delays.scan()} order by month, origin`;
    expect(await reported.toArray()).toEqual(
      await rowsOfFlights(`
        SELECT strftime(date, '%Y-%m') AS month, origin, count(*) AS flights, sum(delay)::BIGINT AS minutes FROM flights
        WHERE date >= '2001-06-01'
        GROUP BY ALL ORDER BY ALL`),
    );
  });

  it("are walked back to, from the report to the code of the first step", async () => {
    const env = { ORCA_DATABASE_URL: test.url };
    const { stdout } = await callOrca(["lineage", "flights.delays", "--json"], { env });
    const { madeFrom } = JSON.parse(stdout) as {
      readonly madeFrom: readonly { readonly dataset: string; readonly by: Readonly<Record<string, unknown>> }[];
    };
    const hashOf = async (program: string) => {
      const described = await call(path.join(work.path, program), ["describe"]);
      const { steps } = JSON.parse(described.stdout) as { readonly steps: readonly { name: string; hash: string }[] };
      return (step: string) => steps.find(({ name }) => name === step)!.hash;
    };
    const [ingest, report] = [await hashOf("ingest"), await hashOf("report")];
    expect(madeFrom.map(({ dataset, by }) => [dataset, by["pipeline"], by["step"], by["code"]])).toEqual([
      ["flights.delays", "report", "added", report("added")],
      ["flights.clean", "ingest", "cleaned", ingest("cleaned")],
      ["flights.raw", "ingest", "delivered", ingest("delivered")],
    ]);
    expect(madeFrom[2]!.by["commit"]).toMatch(/^[0-9a-f]{40}$/);
  });

  it("are known by who made them, day by day", async () => {
    const rows = await rowsOfClean();
    expect(rows.map(({ made }) => made?.by.partition)).toEqual(DAYS_IN_ORDER);
    expect(rows.every(({ isCertain, made }) => isCertain && made!.from[0]!.dataset === "flights.raw")).toBe(true);
    await using catalog = openCatalog(warehouse);
    const { tables } = await fingerprints(catalog);
    expect(BigInt(rows.reduce((sum, one) => sum + one.rows, 0))).toBe((tables[1] as readonly { n: bigint }[])[0]!.n);
  });

  it("are replaced where a day is run again, whatever others have added to it", async () => {
    await using catalog = openCatalog(warehouse);
    const { sql } = catalog.engine;
    const before = await fingerprints(catalog);
    for (const name of ["flights.raw", "flights.clean"])
      await (
        await catalog.loadTable(name)
      ).append(sql`
        select '2001-06-04'::date as day, '2001-06-04'::timestamp as departed, 1 as delay, 1 as distance, 'X' as origin, 'Y' as destination`);
    expect((await fingerprints(catalog)).tables).not.toEqual(before.tables);
    await run("ingest", "2001-06-04");
    expect(await fingerprints(catalog)).toEqual(before);
    // none is of who made the day before, or of the others
    const rows = await rowsOfClean();
    expect(rows).toHaveLength(DAYS_COUNT);
    expect(new Set(rows.map(({ made }) => made?.by.partition))).toEqual(new Set(DAYS_IN_ORDER));
    expect(rows.filter(({ made }) => made!.by.run > 1).map(({ made }) => made!.by.partition)).toContain("2001-06-04");
  });
});
