/** Starting queued runs: as many of each pipeline as may be live, fairly across pipelines, oldest first within one. */
import { randomUUID } from "node:crypto";
import type { Database } from "./database.ts";
import { notify } from "./run-rows.ts";

/** A run that was taken from the queue, to be started by a process of its own. */
export interface Launch {
  readonly run: number;
  readonly pipeline: string;
  readonly program: string;
  /** By which the process claims the run. */
  readonly token: string;
  readonly allowsNewCode: boolean;
  /** Which of the processes that were started for the run, from 1. */
  readonly launch: number;
}

/**
 * Takes the runs from the queue that may start now. What is counted is counted under a lock on the pipeline's row, so that schedulers
 * together start no more than one would; pipelines that another is at are left to it.
 *
 * @param limit how many at most: the first of each pipeline before the second of any.
 * @param logOf where what a process prints can be read, if anywhere.
 */
export async function takeQueuedRuns(
  database: Database,
  { now, staleMs, limit, logOf }: Taking,
): Promise<readonly Launch[]> {
  return await database.transaction(async (client) => {
    const locked = await client.query<{ name: string }>(LOCK, [now, staleMs / 1000, limit]);
    const names = locked.rows.map((r) => r.name);
    if (names.length === 0) return [];
    const { rows } = await client.query<Omit<Launch, "token">>(STARTABLE, [now, staleMs / 1000, names, limit]);
    const startable = rows.map((row) => ({ ...row, token: randomUUID() }));
    const taken = await client.query<{ run: number }>(TAKE, [
      startable.map((l) => l.run),
      startable.map((l) => l.token),
      startable.map((l) => l.program),
      startable.map((l) => logOf?.(l) ?? null),
    ]);
    const isTaken = new Set(taken.rows.map((row) => row.run));
    const launches = startable.filter((l) => isTaken.has(l.run));
    await client.query(BEATS, [launches.map((l) => l.run)]);
    for (const { run } of launches) await notify(client, run);
    return launches;
  });
}

interface Taking {
  readonly now: Date;
  readonly staleMs: number;
  readonly limit: number;
  readonly logOf?: ((launch: Launch) => string) | undefined;
}

const READY = "r.status = 'queued' and (r.not_before is null or r.not_before <= $1)";
/**
 * The runs that count against how many may be live: those that a process has. One that a scheduler started counts until it is reaped: its process may only have stalled, and beat
 * again.
 */
const LIVE_RUNS = `
  orca.runs l where l.status = 'running' and l.owner is not null and (l.trigger <> 'manual' or l.launch is not null
    or (select at from orca.heartbeats where run = l.id) > clock_timestamp() - make_interval(secs => $2))`;

/**
 * The queues: a pipeline has one for each backfill, and one, 0, for its other runs. They take a step over the index each, however many runs
 * they have.
 *
 * @param pipeline whose they are; by default all pipelines'.
 */
const queues = (pipeline?: string) => {
  const isIts = pipeline === undefined ? "" : `and r.pipeline = ${pipeline}`;
  return `
    with recursive queues as (
      (select r.pipeline, coalesce(r.backfill, 0) as backfill from orca.runs r where r.status = 'queued' ${isIts}
        order by r.pipeline, coalesce(r.backfill, 0) limit 1)
      union all
      select next.* from queues q cross join lateral (
        select r.pipeline, coalesce(r.backfill, 0) from orca.runs r
        where r.status = 'queued' ${isIts} and (r.pipeline, coalesce(r.backfill, 0)) > (q.pipeline, q.backfill)
        order by r.pipeline, coalesce(r.backfill, 0) limit 1) next
    )`;
};
/** How many runs of the queue q may start, as its backfill says. */
const ROOM = `
  coalesce((select b.max_runs - (select count(*) from orca.runs o where o.backfill = b.id and o.status = 'running')
    from orca.backfills b where b.id = q.backfill limit 1), 2147483647)`;
const IN_QUEUE = "coalesce(r.backfill, 0) = q.backfill";

/**
 * What a scheduler looks for in each of its passes: pipelines that have a run to start, and room for it, with the run that has waited longest. The
 * first value is the scheduler's time, the second the stale limit.
 *
 * All is looked up for each queue: a `limit` keeps Postgres from joining them in other ways, which are quadratic where its statistics are old.
 */
export const STARTABLE_PIPELINES = `
  ${queues()}
  select p.name, oldest.id from queues q
  cross join lateral (
    select name, max_runs from orca.pipelines where name = q.pipeline and program is not null and paused_at is null limit 1) p
  cross join lateral (select count(*) as runs from ${LIVE_RUNS} and l.pipeline = p.name) live
  cross join lateral (
    select r.id from orca.runs r where r.pipeline = p.name and ${IN_QUEUE} and ${READY} order by r.id limit 1) oldest
  where live.runs < p.max_runs and ${ROOM} > 0`;

/**
 * Those whose next run has waited longest. Whatever is recorded of a pipeline, such as the end of a step, locks its row against removal: a lock that
 * excluded that too would have pipelines passed over that are busy.
 */
const LOCK = `
  select name from orca.pipelines where name in (
    select name from (${STARTABLE_PIPELINES}) startable group by name order by min(id) limit $3
  ) for no key update skip locked`;
/** Counted anew, after the lock. A backfill may allow itself fewer than its pipeline. */
const STARTABLE = `
  select run::float8 as run, pipeline, program, allows as "allowsNewCode", launches + 1 as launch from (
    select r.id as run, p.name as pipeline, p.program, r.allows_new_code as allows, r.launches, r.place
    from unnest($3::text[]) as given (name)
    cross join lateral (select name, program, max_runs from orca.pipelines where name = given.name collate "C" limit 1) p
    cross join lateral (
      ${queues("p.name")}
      select r.id, r.allows_new_code, r.launches, row_number() over (order by r.id) as place from queues q
      cross join lateral (
        select r.id, r.allows_new_code, r.launches from orca.runs r where r.pipeline = p.name and ${IN_QUEUE} and ${READY}
        order by r.id limit greatest(0, least($4, ${ROOM}))
      ) r
      order by r.id limit least($4, greatest(0, p.max_runs - (select count(*) from ${LIVE_RUNS} and l.pipeline = p.name)))
    ) r
  ) startable order by place, run limit $4`;
/** Those that nobody has cancelled meanwhile. */
const TAKE = `
  update orca.runs r set status = 'running', owner = t.token, launch = t.token, held_back = null,
    started_at = coalesce(started_at, clock_timestamp()), launches = launches + 1, program = t.program, log = t.log
  from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[]) as t (run, token, program, log)
  where r.id = t.run and r.status = 'queued'
  returning r.id::float8 as run`;
const BEATS = `
  insert into orca.heartbeats (run, at) select run, clock_timestamp() from unnest($1::bigint[]) as t (run)
  on conflict (run) do update set at = excluded.at`;

/** Whether a process has claimed the run that it was started for. */
export async function isClaimed(database: Database, { run, token }: Pick<Launch, "run" | "token">): Promise<boolean> {
  const [row] = await database.query<{ claimed: boolean }>(CLAIMED, [run, token]);
  return row!.claimed;
}

const CLAIMED = {
  name: "is-claimed",
  text: "select exists (select from orca.runs where id = $1 and launch = $2 and owner is distinct from launch) as claimed",
};

/** The processes of some runs that have them by now, or are to have them. */
export async function processesOf(
  database: Database,
  runs: readonly number[],
): Promise<readonly { readonly run: number; readonly launch: number }[]> {
  return await database.query(PROCESSES, [runs]);
}

const PROCESSES = {
  name: "processes-of-runs",
  text: `
    select id::float8 as run, launches as launch from orca.runs
    where id = any ($1) and status = 'running' and owner is not null`,
};
