/** The queues that runs wait in, and what of them may be live. */
import { BUSY, IS_HELD } from "./run-order.ts";

/** Those that wait for no other run, as far as is known, and may start now. The queue is `q`. */
export const QUEUED_RUNS = `
  orca.runs r where r.status = 'queued' and r.waits_for is null and (r.not_before is null or r.not_before <= $1)
    and coalesce(r.backfill, 0) = q.backfill`;
/**
 * The runs that count against how many may be live: those that a process has. One that a scheduler started counts until it is reaped: its process may only have stalled, and beat
 * again.
 */
export const LIVE_RUNS = `
  orca.runs l where l.status = 'running' and l.owner is not null and (l.trigger <> 'manual' or l.launch is not null
    or (select at from orca.heartbeats where run = l.id) > clock_timestamp() - make_interval(secs => $2))`;

const IS_WAITING = "r.status = 'queued' and r.waits_for is null";

/**
 * The queues: a pipeline has one for each backfill, and one, 0, for its other runs. They take a step over the index each, however many runs
 * they have.
 *
 * @param pipeline whose they are; by default all pipelines'.
 */
export const queues = (pipeline?: string) => {
  const isIts = pipeline === undefined ? "" : `and r.pipeline = ${pipeline}`;
  return `
    with recursive queues as (
      (select r.pipeline, coalesce(r.backfill, 0) as backfill from orca.runs r where ${IS_WAITING} ${isIts}
        order by r.pipeline, coalesce(r.backfill, 0) limit 1)
      union all
      select next.* from queues q cross join lateral (
        select r.pipeline, coalesce(r.backfill, 0) from orca.runs r
        where ${IS_WAITING} ${isIts} and (r.pipeline, coalesce(r.backfill, 0)) > (q.pipeline, q.backfill)
        order by r.pipeline, coalesce(r.backfill, 0) limit 1) next
    )`;
};
/** How many runs of the queue q may start, as its backfill says. */
export const ROOM = `
  coalesce((select b.max_runs - (select count(*) from orca.runs o where o.backfill = b.id and o.status = 'running')
    from orca.backfills b where b.id = q.backfill limit 1), 2147483647)`;

/** So many runs are looked at for one that may start, behind others that a person's run holds up. */
export const LOOKED_AT_MAX = 200;

/**
 * Pipelines that have a run to start, and room for it, with the queues that they have it in and the run that has waited longest in each. A scheduler looks for
 * these in each of its passes. The first value is the scheduler's time, the second the stale limit.
 *
 * All is looked up for each queue: a `limit` keeps Postgres from joining them in other ways, which are quadratic where its statistics are old.
 *
 * @param isHeldSkipped whether runs that are held by others are passed over, which takes a look at each.
 */
export const STARTABLE_PIPELINES = ({ isHeldSkipped }: { readonly isHeldSkipped: boolean }) => `
  ${queues()}
  select p.name, q.backfill, oldest.id from queues q
  cross join lateral (
    select name, max_runs from orca.pipelines where name = q.pipeline and program is not null and paused_at is null limit 1) p
  cross join lateral (select count(*) as runs from ${LIVE_RUNS} and l.pipeline = p.name) live
  ${isHeldSkipped ? BUSY("p.name") : ""}
  cross join lateral (
    select r.id from (select * from ${QUEUED_RUNS} and r.pipeline = p.name order by r.id limit ${LOOKED_AT_MAX}) r
    where ${isHeldSkipped ? `not ${IS_HELD}` : "true"} order by r.id limit 1) oldest
  where live.runs < p.max_runs and ${ROOM} > 0`;
