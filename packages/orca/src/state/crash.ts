/** Records what ended the process of a run's steps, which couldn't record it itself. */
import { OrcaError } from "../core/errors.ts";
import type { Database } from "./database.ts";
import type { OwnedRun } from "./runs.ts";

/** What ended the process. */
export interface Crash {
  /** `timed-out` for an attempt that blocked the process; `cancelled` if the run was to stop. */
  readonly status: "crashed" | "timed-out" | "cancelled";
  readonly error: string;
  /** The attempt that did it, where that is known. */
  readonly culprit: { readonly step: string; readonly partition: string | undefined } | undefined;
  /** How often each step may be tried again, by its name. */
  readonly retries: Readonly<Record<string, number>>;
}

/** An attempt that was going on. */
interface CrashedAttempt {
  readonly step: string;
  readonly partition: string;
  readonly attempt: number;
  /** Where its log is, if it is kept. */
  readonly log: string | null;
}

/**
 * Ends a run's attempts that are going on. The step that did it waits to be tried again, or has failed if it was tried often enough.
 *
 * Which one did it isn't known where several partitions were worked on: then the steps of all wait to be tried again, one partition at a
 * time, and none has failed by it, save those that had been suspected before.
 *
 * The run passes to `next`: what the crashed process had sent is waited for, and what still arrives of it is refused.
 *
 * @param next the owner, a UUID, that the process which goes on with the run has.
 * @returns the attempts.
 * @throws OrcaError `run-lost` if another process has the run.
 */
export async function recordCrash(
  database: Database,
  { id, owner }: OwnedRun,
  next: string,
  crash: Crash,
): Promise<readonly CrashedAttempt[]> {
  const { status, error, culprit, retries } = crash;
  const values = [
    id,
    owner,
    status,
    error,
    Object.keys(retries),
    Object.values(retries),
    culprit?.step ?? null,
    culprit && (culprit.partition ?? ""),
  ];
  return await database.transaction(async (client) => {
    const { rows: found } = await client.query<{ owner: string | null }>(LOCK, [id]);
    if (found[0]?.owner === owner) {
      await client.query({ ...CRASH, values }); // a statement of its own: what it reads is of after the lock
      await client.query(PASS, [id, next]);
    } else if (found[0]?.owner !== next) throw new OrcaError("run-lost", `another process took run ${id} over`);
    // else the reply was lost
    const { rows } = await client.query<CrashedAttempt>(CRASHED, [id, owner, error]);
    return rows;
  });
}

const LOCK = "select owner from orca.runs where id = $1 for update";
const CRASHED = `
  select step, partition, attempt, log from orca.attempts where run = $1 and owner = $2 and error = $3
  order by step, partition`;
const PASS = "update orca.runs set owner = $2 where id = $1";
const CRASH = {
  name: "crash",
  text: `
    with found as (
      select step, partition, attempt, $7::text is null or (step = $7 and partition = $8) as suspected
      from orca.attempts where run = $1 and owner = $2 and status = 'running'
    ),
    judged as (
      select f.*, $3 <> 'cancelled' and suspected and (
          (select count(distinct partition) from found where suspected) = 1
          or coalesce((
            select a.status = 'crashed' from orca.attempts a
            where a.run = $1 and a.step = f.step and a.partition = f.partition and a.attempt = f.attempt - 1), false)
        ) as guilty
      from found f
    ),
    ended as (
      update orca.attempts a set error = $4, ended_at = clock_timestamp(),
        status = case when suspected then $3 else 'crashed' end
      from judged j
      where a.run = $1 and a.status = 'running' and a.step = j.step and a.partition = j.partition and a.attempt = j.attempt
    ),
    given as (select step collate "C" as step, retries from unnest($5::text[], $6::int[]) as t (step, retries)),
    closed as (
      select j.*, s.failures + guilty::int as failures,
        case when $3 = 'cancelled' then 'cancelled'
          when guilty and s.failures >= coalesce(g.retries, 0) then 'failed' else 'waiting' end as status
      from judged j join lateral (
          select failures from orca.steps s where s.run = $1 and s.step = j.step and s.partition = j.partition limit 1
        ) s on true
        left join given g on g.step = j.step
    )
    insert into orca.steps (run, step, partition, status, hash, attempts, failures, started_at, ended_at)
    select $1, step, partition, status, '', attempt, failures, now(), case when status <> 'waiting' then clock_timestamp() end
    from closed
    on conflict (run, step, partition) do update set
      status = excluded.status, failures = excluded.failures, ended_at = excluded.ended_at`,
};
