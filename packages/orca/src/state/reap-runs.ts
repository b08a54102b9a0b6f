/** Runs whose process is gone: started again if they may be, or ended. */
import type pg from "pg";
import type { Database } from "./database.ts";
import { AGAIN, LOSE, LOST, notify } from "./run-rows.ts";

/** So many are reaped in a transaction. */
const RUNS_MAX = 200;
/** How long a run waits whose process couldn't start. */
const HELD_BACK_MS = 10_000;
const WHY_MAX = 1_000;

interface GoneRun {
  readonly id: number;
  readonly isCancelled: boolean;
  /** Whether it was taken from the queue, and its process never had it. */
  readonly isUnclaimed: boolean;
  readonly mayRetry: boolean;
}

/**
 * Reaps the runs that have no process any more, as their heartbeats stopped or their process left them. Those of a person's `run` and `resume`
 * are left to the person, unless a scheduler started them. Runs that another scheduler is at are left to it.
 *
 * @returns how many there were.
 */
export async function reapRuns(database: Database, now: Date, staleMs: number): Promise<number> {
  return await database.transaction(async (client) => {
    const { rows } = await client.query<GoneRun>(
      `select ${COLUMNS} from ${GONE_RUNS} limit ${RUNS_MAX} for update skip locked`,
      [staleMs / 1000],
    );
    for (const run of rows) await reap(client, run, LOST, now);
    return rows.length;
  });
}

/**
 * Reaps the run whose process, to be started with a token, couldn't start or has ended; nothing happens if it ended in order, or the run is another's by
 * now. A run that it hadn't claimed is put back into the queue, and held back for a while.
 *
 * @param why in a sentence.
 */
export async function reapLaunched(database: Database, token: string, why: string, now: Date): Promise<boolean> {
  return await database.transaction(async (client) => {
    const { rows } = await client.query<GoneRun>(LAUNCHED, [token]);
    for (const run of rows) await reap(client, run, why, new Date(now.getTime() + HELD_BACK_MS));
    return rows.length > 0;
  });
}

const COLUMNS = `
  r.id::float8 as id, r.cancel_asked_at is not null as "isCancelled", coalesce(r.owner = r.launch, false) as "isUnclaimed",
  r.trigger <> 'manual' and (
    select program is not null and r.retries < run_retries from orca.pipelines where name = r.pipeline) as "mayRetry"`;
/** What a scheduler looks for in each of its passes. The stale limit is the first value. */
export const GONE_RUNS = `
  orca.runs r where r.status = 'running' and (r.trigger <> 'manual' or r.launch is not null)
    and (r.owner is null or coalesce(
      (select at from orca.heartbeats where run = r.id) < clock_timestamp() - make_interval(secs => $1), true))`;
const LAUNCHED = `
  select ${COLUMNS} from orca.runs r where r.launch = $1 and r.status = 'running' for update`;

async function reap(
  client: pg.ClientBase,
  { id, isCancelled, isUnclaimed, mayRetry }: GoneRun,
  why: string,
  notBefore: Date,
): Promise<void> {
  await client.query(LOSE, [id, why]);
  if (isUnclaimed && !isCancelled) await client.query(PUT_BACK, [id, why.slice(0, WHY_MAX), notBefore]);
  else if (mayRetry && !isCancelled) await client.query(AGAIN, [[id], [null]]);
  else {
    const status = isCancelled ? "cancelled" : "failed";
    await client.query(END_STEPS, [id, status]);
    await client.query(END, [id, status, isCancelled ? null : why]);
  }
  await notify(client, id);
}

/** Nothing of it was tried, so that it is no retry. Like all that is queued it is of its pipeline's code as that is by now. */
const PUT_BACK = `
  update orca.runs r set status = 'queued', owner = null, launch = null, held_back = $2, not_before = $3,
    started_at = case when starts = 0 then null else started_at end, version = coalesce((
      select p.version from orca.pipelines p where p.name = r.pipeline), version)
  where id = $1`;
const END_STEPS = `
  update orca.steps set status = $2, ended_at = clock_timestamp() where run = $1 and status = 'running'`;
const END = `
  update orca.runs set status = $2, owner = null, ended_at = clock_timestamp(), error = $3 where id = $1`;
