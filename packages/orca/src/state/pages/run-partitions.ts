/** The partitions of a run, by the state of their steps. */
import type { Database } from "../database.ts";
import type { RunBins } from "./run-bins.ts";
import { LAST, rangesOf } from "./bin-ranges.ts";

/** What partitions are listed: those that have a step of a state, or all. */
export interface PartitionsAsked {
  readonly run: number;
  readonly steps: readonly string[];
  readonly status: "failed" | "running" | "all";
  /** How their names begin. */
  readonly prefix: string;
  /** Only those that come later: the next page. */
  readonly after: string;
  readonly limit: number;
}

/** In the order of their names: one more than the limit, if there are more. */
export async function listPartitions(
  database: Database,
  { bins, counts }: RunBins,
  { run, steps, status, prefix, after, limit }: PartitionsAsked,
): Promise<readonly string[]> {
  const low = after > prefix ? after : prefix;
  const values = [run, low, after, `${prefix}${LAST}`, limit + 1];
  if (status === "all") {
    const all = await database.query<{ partition: string }>(ALL, values);
    return all.map((row) => row.partition);
  }
  const found = await database.query<{ partition: string }>(OF_STATUS, [
    ...values,
    status,
    ...rangesOf(bins, counts, { steps, status, low, high: `${prefix}${LAST}`, limit }),
  ]);
  return found.map((row) => row.partition);
}

const WITHIN = (key: string) => `${key} >= $2 collate "C" and ${key} > $3 collate "C" and ${key} < $4 collate "C"`;

const OF_STATUS = {
  name: "page-run-partitions-of-status",
  text: `
    select distinct f.partition from unnest($7::text[], $8::text[], $9::text[]) as among (step, low, high)
    cross join lateral (
      select partition from orca.steps
      where run = $1 and step = among.step collate "C" and partition >= among.low collate "C" and partition < among.high collate "C"
        and status = $6 and ${WITHIN("partition")} order by partition limit $5
    ) f order by f.partition limit $5`,
};

const ALL = {
  name: "page-run-partitions",
  text: `
    select key as partition from (select unnest(keys) collate "C" as key from orca.runs where id = $1) k
    where ${WITHIN("key")} order by key limit $5`,
};
