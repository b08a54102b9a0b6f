/** What the tables must have once one run has succeeded, whatever happened to it. */
import type { Catalog } from "@orcajs/iceberg";

interface Wanted {
  /** Of each day, in its order: what is made of the source's rows 0 to 3, with a mark in `clean`. */
  readonly rows: readonly string[];
  /** How many snapshots the run makes of each day. */
  readonly commits: number;
}
const WANTED: Readonly<Record<string, Wanted>> = {
  "lake.raw": { rows: ["0 1", "1 2", "2 1", "3 2"], commits: 3 },
  "lake.clean": { rows: ["-1 0", "0 1", "10 2", "20 1", "30 2"], commits: 2 },
};

/** @param days that the run was over, from the first of 2024. */
export async function brokenRows(catalog: Catalog, days: number): Promise<readonly string[]> {
  const keys = Array.from({ length: days }, (_, i) => `2024-01-${String(i + 1).padStart(2, "0")}`);
  const broken: string[] = [];
  for (const [name, { rows, commits }] of Object.entries(WANTED)) {
    const found = await rowsOf(catalog, name);
    const wanted = keys.flatMap((day) => rows.map((row) => `${day} ${row}`));
    if (found.join() !== wanted.join())
      broken.push(`${name} should have ${wanted.length} rows, and has ${found.length}: ${found.join(", ")}`);
    const made = await orcasCommits(catalog, name);
    if (made !== commits * days)
      broken.push(`${name} should have ${commits * days} snapshots of Orca's, and has ${made}`);
  }
  return broken;
}

/** The rows of a table, but for those of others: `<day> <n> <part>`. */
export async function rowsOf(catalog: Catalog, name: string): Promise<readonly string[]> {
  const table = await catalog.loadTable(name);
  const rows = catalog.engine.sql<{ day: string; n: bigint; part: number }>`
    select day, n, part from ${table.scan()} where day >= date '2024-01-01' order by day, n, part`;
  return (await rows.toArray()).map(({ day, n, part }) => `${day} ${n} ${part}`);
}

async function orcasCommits(catalog: Catalog, name: string): Promise<number> {
  const all = (await catalog.loadTable(name)).snapshots();
  return all.filter(({ summary }) => summary?.["orca.run"] !== undefined).length;
}
