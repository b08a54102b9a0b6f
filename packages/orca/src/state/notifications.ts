/** What is told to the URLs of pipelines: that a run failed, that what failed has succeeded after all, and that a run is late. */
import type pg from "pg";
import type { Database } from "./database.ts";

/** So many tries in all, the last some hours after the first. */
const TRIES_MAX = 12;
/** Longest wait between two tries. */
const WAIT_MAX_SECONDS = 3_600;
/** How long whoever tells has to do so, before another may try. */
const LEASE_SECONDS = 60;

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
  insert into orca.notifications (pipeline, run, kind, url)
  select r.pipeline, r.id, 'failed', p.notify_url from orca.runs r join orca.pipelines p on p.name = r.pipeline
  where r.id = any ($1) and r.status = 'failed' and p.notify_url is not null
  union all
  select r.pipeline, f.run, 'recovered', p.notify_url
  from orca.runs r join orca.pipelines p on p.name = r.pipeline
  join lateral (
    select distinct n.run from orca.notifications n join orca.runs was on was.id = n.run
    where n.pipeline = r.pipeline and n.kind = 'failed' and was.keys <@ r.keys and not exists (
      select from orca.notifications later where later.run = n.run and later.kind = 'recovered' and later.id > n.id)
  ) f on true
  where r.id = any ($1) and r.status = 'succeeded' and p.notify_url is not null`;

/**
 * Notes the runs that have taken longer, from when they were queued, than all of their pipeline's last ten did, by half as much again and at least a minute.
 * Pipelines with fewer than five have no usual time yet.
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
        where pipeline = p.name and status = 'succeeded' order by id desc limit 10) last
    ) usual
    join orca.runs r on r.pipeline = p.name and r.status in ('queued', 'running')
    where p.notify_url is not null and p.paused_at is null and usual.known >= 5
      and clock_timestamp() - r.created_at > greatest(usual.longest * 1.5, usual.longest + interval '1 minute')
    on conflict do nothing`,
};

/** The notifications that it is time to tell, which are this scheduler's to tell for a minute. */
export async function notificationsToTell(database: Database, limit: number): Promise<readonly Notification[]> {
  return await database.query<Notification>(TO_TELL, [limit, LEASE_SECONDS]);
}

const TO_TELL = {
  name: "notifications-to-tell",
  text: `
    with mine as (
      update orca.notifications set tries = tries + 1, next_try_at = clock_timestamp() + make_interval(secs => $2)
      where id in (select id from orca.notifications where next_try_at <= clock_timestamp()
        order by next_try_at limit $1 for update skip locked)
      returning id, kind, url, run
    )
    select m.id::float8 as id, m.kind, m.url, r.pipeline, r.id::float8 as run, r.keys, r.status, r.error,
      r.created_at as "createdAt", r.started_at as "startedAt", r.ended_at as "endedAt"
    from mine m join orca.runs r on r.id = m.run order by m.id`,
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
