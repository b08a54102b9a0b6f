/** The Parquet file that the flights of the examples come from, as DuckDB reads it. */
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";

export const FLIGHTS_FILE = fileURLToPath(new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")));

/** The rows of a query over `flights`, each of the file's once. */
export async function rowsOfFlights(query: string): Promise<readonly unknown[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(`WITH flights AS (SELECT DISTINCT * FROM '${FLIGHTS_FILE}') ${query}`);
  const rows = found.getRowObjects();
  connection.closeSync();
  instance.closeSync();
  return rows;
}
