import path from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { call, callOrca, start, workFolder } from "./e2e/programs.ts";
import { testDatabase } from "./postgres.ts";

const file = fileURLToPath(new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")));

it("three million flights that are interrupted by Ctrl-C and resumed give what one query gives, each month once", async () => {
  using work = workFolder();
  await using test = await testDatabase();
  const env = { ORCA_DATABASE_URL: test.url };
  const program = path.join(work.path, "flights");
  await callOrca(["build", "examples/flights.ts", "-o", program, "--no-check"]);

  const started = start(program, ["run", "--partitions", "2001-01..2001-07", "--concurrency", "1"], { env });
  await started.printed("delays 2001-01 |");
  started.process.kill("SIGINT");
  const interrupted = await started.ended;
  expect(interrupted.code).toBe(3);
  expect(interrupted.stdout).toMatch(/cancelled in .*; resume 1 goes on with it\n$/);

  const resumed = await call(program, ["resume", "1", "--json"], { env });
  expect(resumed.code).toBe(0);
  const { outputs } = JSON.parse(resumed.stdout) as { outputs: [{ output: { origin: string; mean: number }[] }] };
  expect(outputs[0].output.map(({ origin, mean }) => [origin, mean])).toEqual(await worstOfAll());
  expect(
    await test.sql(
      "select partition, count(*)::int from orca.attempts where status = 'succeeded' group by 1 order by 1",
    ),
  ).toEqual(["", "01", "02", "03", "04", "05", "06", "07"].map((m) => ({ partition: m && `2001-${m}`, count: 1 })));
});

async function worstOfAll(): Promise<readonly unknown[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(`
    SELECT origin, round(avg(delay), 2) FROM '${file}' GROUP BY origin HAVING count(*) >= 1000 ORDER BY avg(delay) DESC LIMIT 10`);
  const rows = found.getRows();
  connection.closeSync();
  instance.closeSync();
  return rows;
}
