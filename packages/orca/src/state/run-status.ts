/** How a run stands, and which runs there are: what `status` and `orca runs` show. Whatever a run's size, the rows read are bounded. */
import { OrcaError } from "../core/errors.ts";
import type { StepStatus } from "../core/ready.ts";
import type { Database } from "./database.ts";
import type { RunStatus } from "./runs.ts";

/** Of runs that haven't ended and that no process has: `stopped` was left in order, `stale` has had no heartbeat for too long. */
type ShownStatus = RunStatus | "stopped" | "stale";

export interface RunRow {
  readonly id: number;
  readonly pipeline: string;
  readonly status: ShownStatus;
  readonly trigger: string;
  readonly partitions: number;
  readonly first: string;
  readonly last: string;
  readonly starts: number;
  readonly isCancelling: boolean;
  /** When its process last wrote its heartbeat. */
  readonly heardAt: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** What went wrong outside of any step. */
  readonly error: string | null;
  /** Why a queued run isn't started although it might be. */
  readonly heldBack: string | null;
  /** Where what the newest process prints is that a scheduler started for it. */
  readonly log: string | null;
}

export interface RunDetail extends RunRow {
  readonly code: {
    readonly hash: string;
    readonly repository: string | null;
    readonly commit: string | null;
    readonly dirty: boolean | null;
  };
  /** How many partitions of each step have each status; those that were never reached are `waiting`. By the step's name. */
  readonly steps: Readonly<Record<string, Readonly<Partial<Record<StepStatus, number>>>>>;
  /** The last attempts of steps that failed, or are running: the first of them by step and partition. */
  readonly attempts: readonly AttemptRow[];
  /** Whether there are more such. */
  readonly hasMore: boolean;
}

export interface AttemptRow {
  readonly step: string;
  /** Null for a gather step. */
  readonly partition: string | null;
  readonly attempt: number;
  readonly status: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly error: string | null;
  readonly log: string | null;
}

const HELD_BACK = `
  coalesce('run ' || r.waits_for || ' was queued before it, over a partition of its own', r.held_back)`;
const RUN = `
  r.id::float8 as id, r.pipeline, r.trigger, cardinality(r.keys) as partitions, r.keys[1] as first,
  r.keys[cardinality(r.keys)] as last, r.starts, r.cancel_asked_at is not null and r.ended_at is null as "isCancelling",
  r.created_at as "createdAt", r.started_at as "startedAt", r.ended_at as "endedAt", r.error, ${HELD_BACK} as "heldBack", r.log,
  case when r.status = 'running' and r.owner is null then 'stopped'
    when r.status = 'running' and h.at < clock_timestamp() - make_interval(secs => $1) then 'stale'
    else r.status end as status, h.at as "heardAt"`;

/** The newest runs first. @param pipeline of that one only. @param before only runs with smaller numbers: the next page. */
export async function listRuns(
  database: Database,
  given: { readonly pipeline?: string; readonly before?: number; readonly limit: number; readonly staleMs: number },
): Promise<readonly RunRow[]> {
  const { pipeline, before, limit, staleMs } = given;
  if (pipeline !== undefined)
    return await database.query(LIST_OF_PIPELINE, [staleMs / 1000, before ?? null, limit, pipeline]);
  return await database.query(LIST, [staleMs / 1000, before ?? null, limit]);
}

/** Begun at the page's place in the index, and read no further than its end, whatever the statistics say: by `or`, or in another order, runs before it would be read. */
const LIST_TEXT = (where: string, order: string) => `
  select ${RUN} from orca.runs r left join lateral (select at from orca.heartbeats where run = r.id limit 1) h on true
  where r.id < coalesce($2, 9223372036854775807) ${where} order by ${order} desc limit $3`;
const LIST = { name: "list-runs", text: LIST_TEXT("", "r.id") };
const LIST_OF_PIPELINE = {
  name: "list-runs-of-pipeline",
  text: LIST_TEXT("and r.pipeline = $4", "r.pipeline desc, r.id"),
};

/** The most attempts that are shown of a run. */
const ATTEMPTS_MAX = 50;

/** @throws OrcaError `unknown-run`. */
export async function readRun(database: Database, id: number, staleMs: number): Promise<RunDetail> {
  const [[run], counts, attempts] = await Promise.all([
    database.query<RunRow & RunDetail["code"]>(DETAIL, [staleMs / 1000, id]),
    database.query<{ step: string; status: StepStatus; count: number }>(COUNTS, [id]),
    database.query<AttemptRow>(ATTEMPTS, [id, ATTEMPTS_MAX + 1]),
  ]);
  if (run === undefined) throw new OrcaError("unknown-run", `there is no run ${id}`);
  const { hash, repository, commit, dirty, ...row } = run;
  const steps: Record<string, Partial<Record<StepStatus, number>>> = {};
  for (const { step, status, count } of counts) (steps[step] ??= {})[status] = count;
  return {
    ...row,
    code: { hash, repository, commit, dirty },
    steps,
    attempts: attempts.slice(0, ATTEMPTS_MAX),
    hasMore: attempts.length > ATTEMPTS_MAX,
  };
}

const DETAIL = {
  name: "read-run",
  text: `
    select ${RUN}, v.registry_hash as hash, v.repository, v.commit, v.dirty
    from orca.runs r join orca.versions v on v.id = r.version left join orca.heartbeats h on h.run = r.id
    where r.id = $2`,
};
const COUNTS = {
  name: "count-steps",
  text: "select step, status, count(*)::int as count from orca.steps where run = $1 group by step, status",
};
const ATTEMPTS = {
  name: "attempts-to-show",
  text: `
    select a.step, nullif(a.partition, '') as partition, a.attempt, a.status, a.started_at as "startedAt",
      a.ended_at as "endedAt", a.error, a.log
    from (
      select run, step, partition, attempts from orca.steps
      where run = $1 and status in ('failed', 'running', 'waiting') and attempts > 0
      order by step, partition limit $2
    ) s join lateral (
      select * from orca.attempts a
      where a.run = s.run and a.step = s.step and a.partition = s.partition and a.attempt = s.attempts
      limit 1 -- keeps Postgres from joining them otherwise than by their key
    ) a on true
    order by a.step, a.partition`,
};
