/** The rows that the tables must have once a run has succeeded, whatever happened to it. */
import type { Catalog } from "@orcajs/iceberg";

/** Of a day, in both tables: what is made of the source's rows 0 to 3, and a mark in `clean`. */
const RAW = ["0 1", "1 2", "2 1", "3 2"];
const CLEAN = ["-1 0", "0 1", "10 2", "20 1", "30 2"];

/** @param days that the run was over, from the first of 2024. */
export async function brokenRows(catalog: Catalog, days: number): Promise<readonly string[]> {
  const keys = Array.from({ length: days }, (_, i) => `2024-01-${String(i + 1).padStart(2, "0")}`);
  const wanted = (rows: readonly string[]) => keys.flatMap((day) => rows.map((row) => `${day} ${row}`));
  return [
    ...differences("lake.raw", await rowsOf(catalog, "lake.raw"), wanted(RAW)),
    ...differences("lake.clean", await rowsOf(catalog, "lake.clean"), wanted(CLEAN)),
  ];
}

async function rowsOf(catalog: Catalog, name: string): Promise<readonly string[]> {
  const table = await catalog.loadTable(name);
  const rows = catalog.engine.sql<{ day: string; n: bigint; part: number }>`
    select day, n, part from ${table.scan()} where day >= date '2024-01-01' order by day, n, part`;
  return (await rows.toArray()).map(({ day, n, part }) => `${day} ${n} ${part}`);
}

function differences(table: string, found: readonly string[], wanted: readonly string[]): readonly string[] {
  if (JSON.stringify(found) === JSON.stringify(wanted)) return [];
  return [`${table} should have ${wanted.length} rows, and has ${found.length}: ${found.join(", ")}`];
}
