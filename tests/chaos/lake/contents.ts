/** Whether rows were made from the snapshots that are on record: each says how many rows its source had. */
import type { Catalog } from "@orcajs/iceberg";
import type { Recorded } from "./records.ts";

const MADE_FROM = [
  { step: "load", table: "lake.raw", source: "lake.source" },
  { step: "tidy", table: "lake.clean", source: "lake.raw" },
];

/** Of one run. */
export async function brokenContents(catalog: Catalog, database: Recorded): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const { step, table, source } of MADE_FROM) {
    const reads = await database.sql<{ day: string; snapshot: string }>(
      `select distinct partition as day, snapshot::text from orca.reads where step = '${step}'`,
    );
    const counts = new Map(
      (await catalog.loadTable(source))
        .snapshots()
        .map((s) => [String(s["snapshot-id"]), s.summary?.["total-records"]]),
    );
    const rows = catalog.engine.sql<{ day: string; seen: bigint }>`
      select day, max(seen) as seen from ${(await catalog.loadTable(table)).scan()}
      where day >= date '2024-01-01' group by day`;
    for (const { day, seen } of await rows.toArray()) {
      const had = counts.get(reads.find((read) => read.day === day)?.snapshot ?? "");
      if (had !== String(seen))
        broken.push(
          `${table} of ${day} was made from ${seen} rows of ${source}, and the snapshot on record has ${had}`,
        );
    }
  }
  return broken;
}
