/** Records what ended the process of a run's steps, which couldn't record it itself. */
import { OrcaError } from "../core/errors.ts";
import type { Database } from "./database.ts";
import type { OwnedRun } from "./runs.ts";

/** How the attempts that were going on ended. */
export interface Crash {
  readonly status: "crashed" | "timed-out" | "cancelled";
  readonly error: string;
  /** What each step's function may be tried again, by the step's name. */
  readonly retries: Readonly<Record<string, number>>;
}

/**
 * Ends a run's attempts that are going on. Their steps wait to be tried again, or have failed if they were tried often enough.
 *
 * @returns how many there were.
 * @throws OrcaError `run-lost` if another process has the run.
 */
export async function recordCrash(database: Database, { id, owner }: OwnedRun, crash: Crash): Promise<number> {
  const { status, error, retries } = crash;
  const values = [id, owner, status, error, Object.keys(retries), Object.values(retries)];
  const [recorded] = await database.query<{ owned: boolean; count: number }>(CRASH, values);
  if (recorded?.owned !== true) throw new OrcaError("run-lost", `another process took run ${id} over`);
  return recorded.count;
}

const CRASH = {
  name: "crash",
  text: `
    with mine as materialized (select from orca.runs where id = $1 and owner = $2 for key share),
    ended as (
      update orca.attempts a set status = $3, error = $4, ended_at = clock_timestamp() from mine
      where a.run = $1 and a.owner = $2 and a.status = 'running' returning a.step, a.partition
    ),
    given as (select * from unnest($5::text[], $6::int[]) as t (step, retries)),
    judged as (
      select e.step, e.partition, s.failures + ($3 <> 'cancelled')::int as failures,
        case when $3 = 'cancelled' then 'cancelled'
          when s.failures < coalesce(g.retries, 0) then 'waiting' else 'failed' end as status
      from ended e join orca.steps s on s.run = $1 and s.step = e.step and s.partition = e.partition
        left join given g on g.step collate "C" = e.step
    ),
    closed as (
      update orca.steps s set status = j.status, failures = j.failures,
        ended_at = case when j.status <> 'waiting' then clock_timestamp() end
      from judged j where s.run = $1 and s.step = j.step and s.partition = j.partition
    )
    select exists (select from mine) as owned, (select count(*)::int from ended) as count`,
};
