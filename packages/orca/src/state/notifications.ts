/** What is told to the URLs of pipelines: that a run failed, that what failed has succeeded after all, and that a run is late. */
import type pg from "pg";
import type { Database } from "./database.ts";

/** So many tries in all, the last some hours after the first. */
const TRIES_MAX = 12;
/** Longest wait between two tries. */
const WAIT_MAX_SECONDS = 3_600;
/** How long whoever tells has to do so, before another may try. */
const LEASE_SECONDS = 60;
/** So many runs of a pipeline may be found late at once. */
const LATE_MAX = 100;
/** So many failures that were told are made good by one key's success. */
const MADE_GOOD_MAX = 1_000;

export interface Notification {
  readonly id: number;
  readonly kind: "failed" | "recovered" | "late";
  readonly url: string;
  readonly pipeline: string;
  readonly run: number;
  readonly keys: readonly string[];
  readonly status: string;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** Notes what is to be told of runs that have ended for good. */
export async function noteEnds(client: pg.ClientBase, runs: readonly number[]): Promise<void> {
  if (runs.length > 0) await client.query(NOTE, [runs]);
}

/** A run that succeeded has made good those that failed before and whose keys are all among its own. */
const NOTE = `
  with ended as materialized (
    select r.id, r.pipeline, r.status, r.keys, p.notify_url
    from unnest($1::bigint[]) as given (id)
    cross join lateral (select id, pipeline, status, keys from orca.runs where id = given.id limit 1) r
    join orca.pipelines p on p.name = r.pipeline where p.notify_url is not null
  ),
  made_good as materialized (
    select distinct n.id, n.run from ended r cross join lateral unnest(r.keys) as has (key)
    cross join lateral (
      select id, run from orca.notifications n
      where n.pipeline = r.pipeline and n.first_key = has.key and n.kind = 'failed' and n.recovered_at is null limit ${MADE_GOOD_MAX}
    ) n
    where r.status = 'succeeded' and (select keys from orca.runs where id = n.run) <@ r.keys
  ),
  recovered as (
    update orca.notifications set recovered_at = clock_timestamp() where id = any (array(select id from made_good))
    returning pipeline, run
  )
  insert into orca.notifications (pipeline, run, kind, url, first_key)
  select pipeline, id, 'failed', notify_url, keys[1] from ended where status = 'failed'
  union all
  select r.pipeline, r.run, 'recovered', p.notify_url, null
  from (select distinct pipeline, run from recovered) r join orca.pipelines p on p.name = r.pipeline`;

/**
 * Notes the runs that have taken longer, from when they were queued, than all of their pipeline's last ten did, by half as much again and at least a minute.
 * Pipelines with fewer than five have no usual time yet. Runs of a backfill wait for each other in the queue, so that they aren't late there; of all others a
 * hundred are looked at.
 */
export async function noteLateRuns(database: Database): Promise<void> {
  await database.query(NOTE_LATE, []);
}

const NOTE_LATE = {
  name: "note-late-runs",
  text: `
    insert into orca.notifications (pipeline, run, kind, url)
    select p.name, r.id, 'late', p.notify_url
    from orca.pipelines p
    cross join lateral (
      select max(took) as longest, count(*) as known from (
        select ended_at - created_at as took from orca.runs
        where pipeline = p.name and status = 'succeeded' order by ended_at desc limit 10) last
    ) usual
    cross join lateral (
      (select id, created_at from orca.runs
        where pipeline = p.name and coalesce(backfill, 0) = 0 and status = 'queued' limit ${LATE_MAX})
      union all
      (select id, created_at from orca.runs where pipeline = p.name and status = 'running' limit ${LATE_MAX})
    ) r
    where p.notify_url is not null and p.paused_at is null and usual.known >= 5
      and clock_timestamp() - r.created_at > greatest(usual.longest * 1.5, usual.longest + interval '1 minute')
    on conflict do nothing`,
};

/** The notifications that it is time to tell, which are this scheduler's to tell for a minute. */
export async function notificationsToTell(database: Database, limit: number): Promise<readonly Notification[]> {
  return await database.query<Notification>(TO_TELL, [limit, LEASE_SECONDS]);
}

/** Of a step, where the run itself has none. */
const FAILURE = `
  (select concat_ws(' ', a.step, nullif(a.partition, '')) || ': ' || a.error from orca.attempts a
    where a.run = r.id and r.status = 'failed' and a.status in ('failed', 'crashed', 'timed-out')
    order by a.run, a.step, a.partition, a.attempt limit 1)`;
const TO_TELL = {
  name: "notifications-to-tell",
  text: `
    with mine as (
      update orca.notifications set tries = tries + 1, next_try_at = clock_timestamp() + make_interval(secs => $2)
      where id in (select id from orca.notifications where next_try_at <= now()
        order by next_try_at limit $1 for update skip locked)
      returning id, kind, url, run
    )
    select m.id::float8 as id, m.kind, m.url, r.pipeline, r.id::float8 as run, r.keys, r.status, coalesce(r.error, ${FAILURE}) as error,
      r.created_at as "createdAt", r.started_at as "startedAt", r.ended_at as "endedAt"
    from mine m cross join lateral (select * from orca.runs where id = m.run limit 1) r order by m.id`,
};

/** @param error why it couldn't be told; undefined if it was. */
export async function notificationTold(database: Database, id: number, error: string | undefined): Promise<void> {
  await database.query(TOLD, [id, error?.slice(0, 1_000) ?? null, TRIES_MAX, WAIT_MAX_SECONDS]);
}

const TOLD = {
  name: "notification-told",
  text: `
    update orca.notifications set error = $2,
      told_at = case when $2::text is null then clock_timestamp() end,
      next_try_at = case when $2::text is not null and tries < $3
        then clock_timestamp() + make_interval(secs => least(15 * 2 ^ tries, $4)) end
    where id = $1`,
};
