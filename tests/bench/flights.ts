/** The flights example as a program, beside one DuckDB query over the same file in a program of its own. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { row, timeCommands } from "./measure.ts";

/** @param program flights, built. @param folder for the other program. */
export function benchFlights(program: string, folder: string, rounds: number): readonly string[] {
  const query = path.join(folder, "query.mjs");
  writeFileSync(
    query,
    `import { DuckDBInstance } from "@duckdb/node-api";
const file = new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")).pathname;
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const query = \`select origin, avg(delay) from '\${file}' group by origin having count(*) >= 1000 order by 2 desc limit 10\`;
console.log((await connection.runAndReadAll(query)).getRows());
`,
  );
  const [run, bare] = timeCommands(
    [
      [program, "run", "--partitions", "2001-01..2001-07"],
      [process.execPath, query],
    ],
    rounds,
  );
  return [
    "3,000,000 flights, whole processes",
    row("run of flights: 7 months, and the worst origins", run!),
    row("one DuckDB query over the whole file", bare!),
  ];
}
