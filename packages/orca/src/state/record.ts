/** The statement that records what happens in a run: any number of starts, ends and skips, in one transaction. */
import type { Outcome } from "../core/journal.ts";
import type { Statement } from "./database.ts";

/** An attempt starts, and with it its step if it is the first. */
interface StartRecord {
  readonly kind: "start";
  readonly step: string;
  /** `""` for a gather step. */
  readonly partition: string;
  readonly attempt: number;
  readonly hash: string;
  /** In the codec's form; null if it isn't recorded. */
  readonly input: string | null;
  /** Where its log is. */
  readonly log: string | null;
}

/** An attempt ends, and with it its step unless it is to be tried again (`waiting`). */
interface EndRecord {
  readonly kind: "end";
  readonly step: string;
  readonly partition: string;
  readonly attempt: number;
  readonly status: Outcome["status"];
  readonly stepStatus: "waiting" | "succeeded" | "failed" | "cancelled";
  /** In the codec's form, of a success. */
  readonly output: string | null;
  readonly error: string | null;
}

/** A step isn't run, since one that it follows didn't succeed. */
interface SkipRecord {
  readonly kind: "skip";
  readonly step: string;
  readonly partition: string;
  readonly hash: string;
}

export type Change = StartRecord | EndRecord | SkipRecord;

/** What became of a change. */
export interface Recorded {
  readonly kind: Change["kind"];
  /** Its place among the changes of its kind, from 1. */
  readonly n: number;
  /** Whether it is recorded, by this statement or by the same one before. */
  readonly ok: boolean;
  /** Of a start: the input that was recorded when the step was first reached, if that was in an earlier process. */
  readonly input: string | null;
}

/**
 * Only the run's owner changes anything: its row is locked against being claimed until the changes are committed. A statement that is sent
 * again, since its reply was lost, finds what it did. Texts are given the collation of the columns, without which no index is used. No two changes of a statement may be of the same step of a partition.
 *
 * The lists are read in subqueries, where the planner doesn't see how long they are: where it does, it plans each time, which takes as long
 * as all the rest. Rows are changed by `on conflict`, which finds them by their whole key: a join may read the whole run for each of them
 * where the statistics don't know the run. None is inserted so.
 */
export const RECORD: Statement = {
  name: "record",
  text: `
with mine as materialized (
  select pipeline, cancel_asked_at from orca.runs where id = $1 and owner = $2 for key share
),
start as (
  select step collate "C" as step, partition collate "C" as partition, attempt, hash, input, log, n
  from unnest((select $3::text[]), (select $4::text[]), (select $5::int[]),
    (select $6::text[]), (select $7::text[]), (select $8::text[]))
    with ordinality as t (step, partition, attempt, hash, input, log, n)
),
reached as (
  insert into orca.steps as s (run, step, partition, status, hash, input, attempts, started_at)
  select $1, step, partition, 'running', hash, input, attempt, clock_timestamp()
  from start, mine where mine.cancel_asked_at is null
  on conflict (run, step, partition) do update set
    status = 'running', hash = excluded.hash, attempts = excluded.attempts, ended_at = null,
    started_at = coalesce(s.started_at, excluded.started_at),
    input = case when s.hash = excluded.hash then coalesce(s.input, excluded.input) else excluded.input end
  where s.status <> 'succeeded' and s.attempts < excluded.attempts
  returning step, partition, case when attempts > 1 then input end as input
),
begun as (
  insert into orca.attempts (run, step, partition, attempt, status, owner, log)
  select $1, step, partition, attempt, 'running', $2, log from start join reached using (step, partition)
),
finish as (
  select step collate "C" as step, partition collate "C" as partition, attempt, status, step_status, output, error, n
  from unnest((select $9::text[]), (select $10::text[]), (select $11::int[]),
    (select $12::text[]), (select $13::text[]), (select $14::text[]), (select $15::text[]))
    with ordinality as t (step, partition, attempt, status, step_status, output, error, n)
),
running as (
  select f.* from finish f, mine where (
    select true from orca.attempts a where a.run = $1 and a.step = f.step and a.partition = f.partition
      and a.attempt = f.attempt and a.owner = $2 and a.status = 'running')
),
ended as (
  insert into orca.attempts as a (run, step, partition, attempt, status, owner, error, started_at, ended_at)
  select $1, step, partition, attempt, status, $2, error, now(), clock_timestamp() from running
  on conflict (run, step, partition, attempt) do update set
    status = excluded.status, error = excluded.error, ended_at = excluded.ended_at
  where a.owner = $2 and a.status = 'running'
  returning step, partition
),
closed as (
  insert into orca.steps as s (run, step, partition, status, hash, output, attempts, failures, started_at, ended_at)
  select $1, step, partition, step_status, '', output, attempt,
    (status in ('failed', 'timed-out', 'crashed'))::int, clock_timestamp(),
    case when step_status <> 'waiting' then clock_timestamp() end
  from running join ended using (step, partition)
  on conflict (run, step, partition) do update set
    status = excluded.status, output = excluded.output, failures = s.failures + excluded.failures, ended_at = excluded.ended_at
  returning s.step, s.partition, s.status, s.hash
),
done as (
  insert into orca.partition_state as d (pipeline, step, key, hash, run, at)
  select m.pipeline, c.step, c.partition, c.hash, $1, clock_timestamp() from closed c cross join mine m
  where c.status = 'succeeded' and c.partition <> ''
  order by c.step, c.partition -- as other runs do that are done with the same at this moment
  on conflict (pipeline, step, key) do update set hash = excluded.hash, run = excluded.run, at = excluded.at
),
skip as (
  select step collate "C" as step, partition collate "C" as partition, hash, n
  from unnest((select $16::text[]), (select $17::text[]), (select $18::text[]))
    with ordinality as t (step, partition, hash, n)
),
skipped as (
  insert into orca.steps as s (run, step, partition, status, hash, ended_at)
  select $1, step, partition, 'skipped', hash, clock_timestamp() from skip, mine
  on conflict (run, step, partition) do update set status = 'skipped', ended_at = excluded.ended_at
  where s.status = 'waiting'
)
select 'start' as kind, start.n::int as n,
  case when r.step is not null then r.input else (
    select s.input from orca.steps s where s.run = $1 and s.step = start.step and s.partition = start.partition
      and s.attempts > 1) end as input,
  r.step is not null or coalesce((
    select true from orca.attempts a where a.run = $1 and a.step = start.step and a.partition = start.partition
      and a.attempt = start.attempt and a.owner = $2), false) as ok
from start left join reached r using (step, partition)
union all
select 'end', f.n::int, null,
  e.step is not null or coalesce((
    select true from orca.attempts a where a.run = $1 and a.step = f.step and a.partition = f.partition
      and a.attempt = f.attempt and a.owner = $2 and a.status = f.status), false)
from finish f left join ended e using (step, partition)
union all
select 'skip', n::int, null, exists (select from mine) from skip
union all
select 'told', 0, pg_notify('orca', 'steps:' || pipeline || ':' || $1)::text, true from mine where $19`,
};

/** The statement's values. @param isTold whether those who look are told that steps have changed. */
export function recordValues(
  run: number,
  owner: string,
  changes: readonly Change[],
  isTold = false,
): readonly unknown[] {
  const starts = changes.filter((c) => c.kind === "start");
  const ends = changes.filter((c) => c.kind === "end");
  const skips = changes.filter((c) => c.kind === "skip");
  return [
    run,
    owner,
    starts.map((c) => c.step),
    starts.map((c) => c.partition),
    starts.map((c) => c.attempt),
    starts.map((c) => c.hash),
    starts.map((c) => c.input),
    starts.map((c) => c.log),
    ends.map((c) => c.step),
    ends.map((c) => c.partition),
    ends.map((c) => c.attempt),
    ends.map((c) => c.status),
    ends.map((c) => c.stepStatus),
    ends.map((c) => c.output),
    ends.map((c) => c.error),
    skips.map((c) => c.step),
    skips.map((c) => c.partition),
    skips.map((c) => c.hash),
    isTold,
  ];
}
