/** A run as lists show it: how it stands, where it came from, and why it failed or what it waits for. */

/** What a queued run waits for: until it may start again, an earlier run, a place among those that run, the pipeline, or a scheduler. */
type WaitsFor = "time" | "run" | "place" | "place-in-backfill" | "unpause" | "registration" | "scheduler";

export interface RunLine {
  readonly id: number;
  readonly pipeline: string;
  /** Of one that hasn't ended and that no process has: `stopped` was left in order, `stale` has had no heartbeat for too long. */
  readonly status: "queued" | "running" | "stopped" | "stale" | "succeeded" | "failed" | "cancelled";
  readonly trigger: "manual" | "schedule" | "backfill" | "sensor" | "rebuild";
  readonly backfill: number | null;
  readonly rebuild: number | null;
  /** Who asked for it, of one that a person asked for. */
  readonly askedBy: string | null;
  readonly isCancelling: boolean;
  readonly cancelledBy: string | null;
  readonly partitions: number;
  readonly first: string;
  readonly last: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** How long it took, or has taken so far. */
  readonly tookMs: number | null;
  /** When its process last wrote its heartbeat. */
  readonly heardAt: Date | null;
  readonly retries: number;
  readonly hash: string;
  readonly commit: string | null;
  /** What went wrong outside of any step. */
  readonly error: string | null;
  /** The first of what failed, and its error, cut. */
  readonly failedStep: string | null;
  readonly failedPartition: string | null;
  readonly failedError: string | null;
  readonly waitsFor: WaitsFor | null;
  /** The run that it waits for. */
  readonly waitsForRun: number | null;
  readonly notBefore: Date | null;
  readonly heldBack: string | null;
  /** How many may run at once of what it waits for a place in. */
  readonly maxRuns: number | null;
}

/** So much of an error is shown in a line. */
const ERROR_MAX = 300;
/** So many steps of a run are looked through for one that failed, where the keys that need someone don't tell. */
const STEPS_MAX = 500;

/**
 * The columns of a `RunLine`, and what they are from, up to the order of the rows, whose alias is `r`.
 *
 * @param given.run a table of runs, of few: each is looked up for itself.
 */
export function RUN_LINE(given: { readonly run: string; readonly staleSeconds: string; readonly now: string }): string {
  const { run, staleSeconds, now } = given;
  return `
    r.id::float8 as id, r.pipeline, r.trigger, r.backfill::float8 as backfill, r.rebuild::float8 as rebuild,
    case when r.status = 'running' and r.owner is null then 'stopped'
      when r.status = 'running' and h.at < clock_timestamp() - make_interval(secs => ${staleSeconds}) then 'stale'
      else r.status end as status,
    coalesce(b.asked_by, ${actorOf("action in ('run', 'start', 'rerun')")}) as "askedBy",
    r.cancel_asked_at is not null and r.ended_at is null as "isCancelling",
    case when r.status = 'cancelled' then ${actorOf("action = 'cancel'")} end as "cancelledBy",
    cardinality(k.keys) as partitions, k.keys[1] as first, k.keys[cardinality(k.keys)] as last,
    r.created_at as "createdAt", r.started_at as "startedAt", r.ended_at as "endedAt",
    extract(epoch from coalesce(r.ended_at, clock_timestamp()) - r.started_at)::float8 * 1000 as "tookMs",
    h.at as "heardAt", r.retries, v.registry_hash as hash, v.commit, left(r.error, ${ERROR_MAX}) as error,
    f.step as "failedStep", nullif(f.partition, '') as "failedPartition", left(f.error, ${ERROR_MAX}) as "failedError",
    w.for as "waitsFor", case when w.for = 'run' then r.waits_for end::float8 as "waitsForRun", r.not_before as "notBefore", r.held_back as "heldBack",
    case w.for when 'place' then p.max_runs when 'place-in-backfill' then b.max_runs end as "maxRuns"
  from ${run} r
  -- a long list is taken out of where it is kept once, not for each of its members
  cross join lateral (select r.keys || '{}'::text[] as keys offset 0) k
  cross join lateral (select * from orca.pipelines where name = r.pipeline limit 1) p
  cross join lateral (select * from orca.versions where id = r.version limit 1) v
  left join lateral (select at from orca.heartbeats where run = r.id limit 1) h on true
  left join lateral (select * from orca.backfills where id = r.backfill limit 1) b on true
  left join lateral (${FAILED}) f on r.status = 'failed' or (r.status = 'queued' and r.retries > 0)
  cross join lateral (select case
    when r.status <> 'queued' then null
    when p.program is null then 'registration'
    when p.paused_at is not null then 'unpause'
    when r.not_before > ${now} then 'time'
    when r.waits_for is not null then 'run'
    when ${isFull("b.max_runs", "l.backfill = r.backfill")} then 'place-in-backfill'
    when ${isFull("p.max_runs", "l.pipeline = r.pipeline and l.owner is not null")} then 'place'
    else 'scheduler' end as for) w`;
}

const actorOf = (action: string) =>
  `(select a.actor from orca.actions a where a.run = r.id and ${action} order by a.id desc limit 1)`;
const isFull = (max: string, running: string) => `coalesce(${max} <= (
  select count(*) from (select from orca.runs l where l.status = 'running' and ${running} limit ${max}) l), false)`;
const FAILED = `
  select s.step, s.partition, a.error from (
    (select k.step, k.key as partition from orca.key_failures k
      where k.run = r.id and k.status = 'failed' and k.step is not null limit 1)
    union all
    (select s.step, s.partition from (
      select step, partition, status from orca.steps where run = r.id order by step, partition limit ${STEPS_MAX}
    ) s where s.status = 'failed' limit 1)
    limit 1
  ) s left join lateral (
    select error from orca.attempts a where a.run = r.id and a.step = s.step and a.partition = s.partition
    order by attempt desc limit 1
  ) a on true limit 1`;
