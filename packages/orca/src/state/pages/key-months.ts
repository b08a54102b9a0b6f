/** How many partitions of each month, or of each year, are in which state: of days and months that are too many to be shown one by one. */
import type { Database } from "../database.ts";
import type { KeyGroup } from "./key-states.ts";

/** Partitions that are alike, of a month such as `2024-01`, or of a year such as `2024`. */
export interface DatedGroup extends KeyGroup {
  readonly of: string;
}

export interface DatedAsked {
  readonly pipeline: string;
  /** The first partition, and the first that doesn't count any more. */
  readonly first: string;
  readonly until: string;
  /** Whether they are counted by month, or by year. */
  readonly by: "month" | "year";
}

/** So many partitions are counted: a century of days. */
const KEYS_MAX = 40_000;
/** So many of those that are in runs, or failed, are told from the others. */
const SPECIAL_MAX = 5_000;
const LENGTHS = { month: "2024-01".length, year: "2024".length };

/** Those that are known; a count may be below 0, where partitions that are in runs are taken from those that are like them otherwise. */
export async function datedGroups(
  database: Database,
  { pipeline, first, until, by }: DatedAsked,
): Promise<readonly DatedGroup[]> {
  return await database.query<DatedGroup>(GROUPS, [pipeline, first, until, LENGTHS[by], KEYS_MAX, SPECIAL_MAX]);
}

const GROUPS = {
  name: "page-dated-groups",
  text: `
    with special as materialized (
      (select key from orca.run_keys where pipeline = $1 and is_live and key >= $2 collate "C" and key < $3 collate "C"
        order by key limit $6)
      union
      (select key from orca.key_failures where pipeline = $1 and key >= $2 collate "C" and key < $3 collate "C"
        order by key limit $6)
    ), facts as materialized (
      select s.key, k.code, l.live, f.status as failure, f.step from special s
      cross join lateral (select code from orca.keys where pipeline = $1 and key = s.key limit 1) k
      left join lateral (
        select max(r.status) as live from orca.run_keys q cross join lateral (
          select status from orca.runs where id = q.run limit 1) r
        where q.pipeline = $1 and q.key = s.key and q.is_live) l on true
      left join lateral (select status, step from orca.key_failures where pipeline = $1 and key = s.key limit 1) f on true
    ), counted as (
      select left(key, $4) as of, code, null as live, null as failure, null as step, count(*)::int as count
      from (select key, code from orca.keys where pipeline = $1 and key >= $2 collate "C" and key < $3 collate "C"
        order by key limit $5) k group by 1, 2
      union all select left(key, $4), code, live, failure, step, count(*)::int from facts group by 1, 2, 3, 4, 5
      union all select left(key, $4), code, null, null, null, -count(*)::int from facts group by 1, 2
    )
    select of, live, failure, step as "failedStep", count,
      (select hashes from orca.key_codes c where c.pipeline = $1 and c.code = counted.code limit 1) as hashes
    from counted order by of collate "C", live, failure, step, count`,
};
