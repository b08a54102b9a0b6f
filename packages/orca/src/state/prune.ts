/** Removes what old runs did, save what lineage needs. */
import type { Database } from "./database.ts";

/** So many runs are pruned in a transaction: others wait for it no longer than that takes. */
const RUNS_MAX = 200;

export interface PrunedRun {
  readonly id: number;
  readonly pipeline: string;
}

/** How many runs there are that ended so long ago, and haven't been pruned. */
export async function countPrunable(database: Database, olderThanMs: number): Promise<number> {
  const [row] = await database.query<{ runs: number }>(COUNT, [olderThanMs / 1000]);
  return row!.runs;
}

/**
 * Prunes some of the runs that ended so long ago. A run stays on record, without what can't be asked for any more, if one of its attempts read or made snapshots;
 * whether a key is done stays known of all. Runs of a rebuild that hasn't ended, and those whose end no scheduler has seen yet, are left.
 *
 * @returns the runs, whose logs are of no use any more; none if there are no more.
 */
export async function pruneRuns(database: Database, olderThanMs: number): Promise<readonly PrunedRun[]> {
  return await database.transaction(async (client) => {
    const { rows } = await client.query<PrunedRun>(FIND, [olderThanMs / 1000, RUNS_MAX]);
    const ids = rows.map((run) => run.id);
    if (ids.length === 0) return [];
    for (const statement of PRUNE) await client.query(statement, [ids]);
    return rows;
  });
}

const OLD = `
  ended_at < now() - make_interval(secs => $1) and pruned_at is null
    and (rebuild is null or (select b.ended_at from orca.rebuilds b where b.id = rebuild limit 1) is not null)`;
const COUNT = { name: "count-prunable", text: `select count(*)::float8 as runs from orca.runs where ${OLD}` };
const FIND = `
  select id::float8 as id, pipeline from orca.runs where ${OLD} order by ended_at limit $2 for update skip locked`;

/** Whether lineage asks for an attempt, whose key is in the alias that is given. */
const usedIn = (of: string) => `
  exists (select from orca.commits c
    where c.run = ${of}.run and c.step = ${of}.step and c.partition = ${of}.partition and c.attempt = ${of}.attempt)
  or exists (select from orca.reads d
    where d.run = ${of}.run and d.step = ${of}.step and d.partition = ${of}.partition and d.attempt = ${of}.attempt)`;

const PRUNE = [
  `delete from orca.attempts a where a.run = any ($1) and not (${usedIn("a")})`,
  `delete from orca.steps s where s.run = any ($1) and not exists (
    select from orca.attempts a where a.run = s.run and a.step = s.step and a.partition = s.partition)`,
  "update orca.steps set input = null, output = case when output is not null then '' end where run = any ($1)",
  "update orca.attempts set log = null where run = any ($1)",
  "delete from orca.run_keys where run = any ($1)",
  "delete from orca.run_causes where run = any ($1)",
  "delete from orca.notifications where run = any ($1)",
  "update orca.runs set pruned_at = clock_timestamp(), program = null, log = null where id = any ($1)",
  "delete from orca.runs r where r.id = any ($1) and not exists (select from orca.steps s where s.run = r.id)",
];
