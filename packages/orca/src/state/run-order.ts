/**
 * The order in which runs of a pipeline that share a key are done: that of their numbers. What a step has read stays the same through a run's retries, so
 * that a run which overtook one that waits for its retry would have its rows replaced with older ones.
 *
 * A queued run waits for each earlier run that is queued, going on, or failed and about to be queued again, and for each that is going on,
 * whichever it is. As those that go on wait for none, and those that are queued for earlier ones only, there is no circle.
 */
import type pg from "pg";

/** A process that a person started has the run `of`: if it dies, nobody but the person goes on with it. */
export const isByHand = (of: string) => `(${of}.trigger = 'manual' and ${of}.launch is null)`;

/**
 * The keys of a pipeline's runs that go on, or have failed and are about to be queued again, as `busy.keys`. The second value is the stale limit in
 * seconds.
 */
export const BUSY = (pipeline: string) => `
  cross join lateral (select array(
    select unnest(o.keys) from orca.runs o where o.status = 'running' and o.pipeline = ${pipeline}
      and (not ${isByHand("o")} or (o.owner is not null
        and (select at from orca.heartbeats where run = o.id) > clock_timestamp() - make_interval(secs => $2)))
    union all
    -- not by the index of all of the pipeline's runs
    select unnest(o.keys) from orca.runs o where o.ended_at is not null and o.settled_at is null and o.pipeline || '' = ${pipeline}
      and o.status = 'failed' and o.trigger <> 'manual'
      and o.retries < (select run_retries from orca.pipelines where name = ${pipeline})
  ) as keys offset 0) busy`;

/**
 * The last of the earlier runs that the run `r` waits for, or null. Each of them is a scheduler's to end, so that it does end. They are looked up key by
 * key: each is the last entry before the run in the index of the key's live runs.
 */
export const EARLIER = `
  (select max(e.run) from unnest(r.keys) as k (key) cross join lateral (
    select q.run from orca.run_keys q cross join lateral (
      select from orca.runs o where o.id = q.run and (o.status = 'queued' or not ${isByHand("o")}) limit 1) o
    where q.pipeline = r.pipeline and q.key = k.key and q.is_live and q.run < r.id
    order by q.run desc limit 1) e)`;

/** Whether the run `r` isn't to be started yet, where the pipeline's `BUSY` is beside it. */
export const IS_HELD = `(r.keys && busy.keys or ${EARLIER} is not null)`;

/** Has those looked at again that wait for any of some runs: these have ended for good, or are a person's now. */
export async function releaseWaiting(client: pg.ClientBase, runs: readonly number[]): Promise<void> {
  await client.query("update orca.runs set waits_for = null where waits_for = any ($1)", [runs]);
}
