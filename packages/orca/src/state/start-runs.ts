/** Starting queued runs: as many of each pipeline as may be live, fairly across pipelines, oldest first within one. */
import { randomUUID } from "node:crypto";
import type { Database } from "./database.ts";
import { LIVE_RUNS, LOOKED_AT_MAX, QUEUED_RUNS, queues, ROOM, STARTABLE_PIPELINES } from "./queues.ts";
import { BUSY, IS_HELD } from "./run-order.ts";
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
    const locked = await client.query<{ name: string }>({ ...LOCK, values: [now, staleMs / 1000, limit] });
    const names = locked.rows.map((r) => r.name);
    if (names.length === 0) return [];
    const { rows } = await client.query<Omit<Launch, "token">>({
      ...STARTABLE,
      values: [now, staleMs / 1000, names, limit],
    });
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

/**
 * Those whose next run has waited longest. Whatever is recorded of a pipeline, such as the end of a step, locks its row against removal: a lock that
 * excluded that too would have pipelines passed over that are busy.
 */
const LOCK = {
  name: "pipelines-to-start",
  text: `
  select name from orca.pipelines where name in (
    select name from (${STARTABLE_PIPELINES({ isHeldSkipped: true })}) startable group by name order by min(id) limit $3
  ) for no key update skip locked`,
};
/** Counted anew, after the lock. A backfill may allow itself fewer than its pipeline. */
const STARTABLE = {
  name: "runs-to-start",
  text: `
  select run::float8 as run, pipeline, program, allows as "allowsNewCode", launches + 1 as launch from (
    select r.id as run, p.name as pipeline, p.program, r.allows_new_code as allows, r.launches, r.place
    from unnest($3::text[]) as given (name)
    cross join lateral (select name, program, max_runs from orca.pipelines where name = given.name collate "C" limit 1) p
    ${BUSY("p.name")}
    cross join lateral (
      ${queues("p.name")}
      select r.id, r.allows_new_code, r.launches, row_number() over (order by r.id) as place from queues q
      cross join lateral (
        select r.id, r.allows_new_code, r.launches from (
          select * from ${QUEUED_RUNS} and r.pipeline = p.name order by r.id limit ${LOOKED_AT_MAX} + $4) r
        where not ${IS_HELD} order by r.id limit greatest(0, least($4, ${ROOM}))
      ) r
      order by r.id limit least($4, greatest(0, p.max_runs - (select count(*) from ${LIVE_RUNS} and l.pipeline = p.name)))
    ) r
  ) startable order by place, run limit $4`,
};
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
