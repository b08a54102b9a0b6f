/** What statements about a run's rows share. */
import type pg from "pg";

/** Waits for what others change of a run, and has them wait. */
export const LOCK = "select from orca.runs where id = $1 for update";
/** Why an attempt was lost. */
export const LOST = "its process was gone: the run's heartbeat had stopped";
/** Ends the attempts of a process that is gone. */
export const LOSE = `
  update orca.attempts set status = 'lost', error = $2, ended_at = clock_timestamp()
  where run = $1 and status = 'running'`;
/** A run's process is alive. */
export const BEAT = `
  insert into orca.heartbeats (run, at) values ($1, clock_timestamp())
  on conflict (run) do update set at = excluded.at`;

/**
 * Queues runs again, at the cost of a retry, of their pipelines' code as that is by now. The first list is of runs, and the second of when each may start, on the
 * scheduler's clock; null is at once.
 */
export const AGAIN = `
  update orca.runs r set status = 'queued', owner = null, launch = null, ended_at = null, retries = retries + 1,
    version = p.version, not_before = t.at
  from unnest($1::bigint[], $2::timestamptz[]) as t (id, at), orca.pipelines p
  where r.id = t.id and p.name = r.pipeline`;

/** Tells whoever listens that a run has changed. */
export async function notify(client: pg.ClientBase, id: number): Promise<void> {
  await client.query("select pg_notify('orca', $1)", [`run:${id}`]);
}
