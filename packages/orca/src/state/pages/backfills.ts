/** Backfills, and how far they are: by their runs, of which so many are counted. */
import { OrcaError } from "../../core/errors.ts";
import type { Database } from "../database.ts";

export interface BackfillRow {
  readonly id: number;
  readonly pipeline: string;
  readonly kind: "monthly" | "daily" | "keyed" | null;
  readonly asked: string;
  readonly isRerun: boolean;
  readonly isReversed: boolean;
  readonly maxRuns: number | null;
  readonly keysAsked: number;
  readonly keysQueued: number;
  readonly askedBy: string;
  readonly createdAt: Date;
  /** The keys of its runs by their state; of the first so many runs. */
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly running: number;
  readonly queued: number;
  readonly runs: number;
  /** Whether it has more runs than were counted. */
  readonly isMore: boolean;
}

/** So many runs are counted of each in a list, and of one alone. */
const [COUNTED_IN_LIST, COUNTED] = [1_000, 10_000];

/** The newest first. */
export async function listBackfills(
  database: Database,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly BackfillRow[]> {
  return await database.query<BackfillRow>(LIST, [before ?? Number.MAX_SAFE_INTEGER, limit, COUNTED_IN_LIST]);
}

/** @throws OrcaError `unknown-backfill` */
export async function readBackfill(database: Database, id: number): Promise<BackfillRow> {
  const [row] = await database.query<BackfillRow>(ONE, [id, 1, COUNTED]);
  if (row === undefined)
    throw new OrcaError("unknown-backfill", `there is no backfill ${id}: see all of them at /backfills`);
  return row;
}

const rowsWhere = (where: string) => `
  select b.id::float8 as id, b.pipeline, p.description->'partitions'->>'kind' as kind, left(b.asked, 2000) as asked,
    b.is_rerun as "isRerun", b.is_reversed as "isReversed", b.max_runs as "maxRuns", b.keys_asked as "keysAsked",
    b.keys_queued as "keysQueued", b.asked_by as "askedBy", b.created_at as "createdAt", c.done, c.failed, c.cancelled, c.running,
    c.queued, least(c.runs, $3)::int as runs, c.runs > $3 as "isMore"
  from orca.backfills b join orca.pipelines p on p.name = b.pipeline
  cross join lateral (
    select coalesce(sum(keys) filter (where status = 'succeeded'), 0)::int as done,
      coalesce(sum(keys) filter (where status = 'failed'), 0)::int as failed,
      coalesce(sum(keys) filter (where status = 'cancelled'), 0)::int as cancelled,
      coalesce(sum(keys) filter (where status = 'running'), 0)::int as running,
      coalesce(sum(keys) filter (where status = 'queued'), 0)::int as queued, count(*)::int as runs
    from (select status, cardinality(keys) as keys from orca.runs where backfill >= b.id and backfill <= b.id order by backfill, id limit $3 + 1) r
  ) c
  where ${where} order by b.id desc limit $2`;
const LIST = { name: "page-backfills", text: rowsWhere("b.id < $1") };
const ONE = { name: "page-backfill", text: rowsWhere("b.id = $1") };

/** How many keys were done by when. */
export interface ProgressPoint {
  readonly at: Date;
  readonly done: number;
}

/** So many instants from when it was asked for to when the last of its runs ended, or now; of the runs that were counted. */
export async function backfillProgress(
  database: Database,
  id: number,
  points: number,
): Promise<readonly ProgressPoint[]> {
  return await database.query<ProgressPoint & object>(PROGRESS, [id, COUNTED, points]);
}

const PROGRESS = {
  name: "page-backfill-progress",
  text: `
    with ends as materialized (
      select status, ended_at, cardinality(keys) as keys from orca.runs where backfill = $1 order by id limit $2
    ), span as (
      select b.created_at as first,
        case when exists (select from ends where ended_at is null) then clock_timestamp()
          else coalesce((select max(ended_at) from ends), b.created_at) end as last
      from orca.backfills b where b.id = $1
    )
    select s.first + (s.last - s.first) * n / $3 as at,
      (select coalesce(sum(keys), 0)::int from ends
        where status = 'succeeded' and ended_at <= s.first + (s.last - s.first) * n / $3) as done
    from span s, generate_series(1, $3::int) n order by n`,
};

/** A key of a backfill, and how its run stands. */
export interface BackfillKey {
  readonly key: string;
  readonly status: string;
  readonly run: number;
}

/** In their order. */
export async function backfillKeys(database: Database, id: number, limit: number): Promise<readonly BackfillKey[]> {
  return await database.query<BackfillKey & object>(KEYS, [id, limit]);
}

const KEYS = {
  name: "page-backfill-keys",
  text: `
    select key, max(status) as status, max(run)::float8 as run from (
      select key collate "C" as key, r.status, r.id as run
      from (select id, status, keys from orca.runs where backfill = $1 order by id limit $2) r, unnest(r.keys) as key
      limit $2) k group by key order by key`,
};
