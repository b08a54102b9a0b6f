import path from "node:path";
import { openCatalog } from "@orcajs/iceberg";
import { expect, it } from "vitest";
import { call, callOrca, start, workFolder } from "./e2e/programs.ts";
import { rowsOfFlights } from "./flights-file.ts";
import { testDatabase } from "./postgres.ts";

it("flights whose run is interrupted by Ctrl-C and resumed are in the tables once, each day of them by one commit", async () => {
  using work = workFolder();
  await using test = await testDatabase();
  const warehouse = path.join(work.path, "lake");
  const env = { ORCA_DATABASE_URL: test.url, ORCA_WAREHOUSE: warehouse };
  const program = path.join(work.path, "ingest");
  await callOrca(["build", "examples/flights/ingest.ts", "-o", program, "--no-check"]);

  const started = start(program, ["run", "--partitions", "2001-01-01..2001-01-10"], { env });
  await started.printed("cleaned 2001-01-02: ");
  started.process.kill("SIGINT");
  const interrupted = await started.ended;
  expect(interrupted.code).toBe(3);
  expect(interrupted.stdout).toMatch(/cancelled in .*; resume 1 goes on with it\n$/);

  expect((await call(program, ["resume", "1"], { env })).code).toBe(0);
  await using catalog = openCatalog(warehouse);
  const clean = await catalog.loadTable("flights.clean");
  const days = clean.snapshots().map(({ summary }) => summary?.["orca.partition"]);
  expect([days.length, new Set(days).size]).toEqual([10, 10]);
  const { sql } = catalog.engine;
  expect(
    await sql`select day::varchar as day, count(*) as n from ${clean.scan()} group by 1 order by 1`.toArray(),
  ).toEqual(
    await rowsOfFlights(
      `SELECT date::date::varchar AS day, count(*) AS n FROM flights WHERE date < '2001-01-11' GROUP BY 1 ORDER BY 1`,
    ),
  );
});
