import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { Month } from "orcajs";
import { runInMemory } from "orcajs/testing";
import { expect, it } from "vitest";
import flights, { delays, worst } from "../examples/flights.ts";

const file = fileURLToPath(new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")));
const months = Month.range(Month("2001-01"), Month("2001-07"));

it("by months, three million flights have the worst origins that one query over the whole file finds", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const worstOfAll = await connection.runAndReadAll(`
    SELECT origin, round(avg(delay), 2) FROM '${file}' GROUP BY origin HAVING count(*) >= 1000 ORDER BY avg(delay) DESC LIMIT 10`);
  const byMonth = await connection.runAndReadAll(`
    SELECT strftime(date, '%Y-%m'), count(*) FROM '${file}' GROUP BY ALL ORDER BY ALL`);
  connection.closeSync();
  instance.closeSync();

  const run = await runInMemory(flights, { partitions: months });
  expect(run.output(worst).map(({ origin, mean }) => [origin, mean])).toEqual(worstOfAll.getRows());
  expect(months.map((month) => [month, run.output(delays, month).flights])).toEqual(byMonth.getRows());
});
