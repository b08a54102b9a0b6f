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

/** Tells whoever listens that a run has changed. */
export async function notify(client: pg.ClientBase, id: number): Promise<void> {
  await client.query("select pg_notify('orca', $1)", [`run:${id}`]);
}
