/** Rebuilds, and how far each of their levels is. */
import { OrcaError } from "../../core/errors.ts";
import type { Database } from "../database.ts";

export interface RebuildRow {
  readonly id: number;
  readonly dataset: string;
  readonly first: string;
  readonly last: string;
  readonly partitions: number;
  readonly status: "running" | "stopped" | "succeeded" | "cancelled";
  readonly askedBy: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly levels: number;
  readonly levelsQueued: number;
}

/** The newest first. */
export async function listRebuilds(
  database: Database,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly RebuildRow[]> {
  return await database.query<RebuildRow>(LIST, [before ?? Number.MAX_SAFE_INTEGER, limit]);
}

/** @throws OrcaError `unknown-rebuild` */
export async function readRebuild(database: Database, id: number): Promise<RebuildRow> {
  const [row] = await database.query<RebuildRow>(ONE, [id, 1]);
  if (row === undefined)
    throw new OrcaError("unknown-rebuild", `there is no rebuild ${id}: see all of them at /rebuilds`);
  return row;
}

const rowsWhere = (where: string) => `
  select r.id::float8 as id, r.dataset, r.keys[1] as first, r.keys[cardinality(r.keys)] as last, cardinality(r.keys) as partitions,
    r.status, r.asked_by as "askedBy", r.created_at as "createdAt", r.ended_at as "endedAt", l.levels, l.queued as "levelsQueued"
  from orca.rebuilds r cross join lateral (
    select count(*)::int as levels, count(queued_at)::int as queued
    from (select queued_at from orca.rebuild_levels where rebuild = r.id limit 1000) l) l
  where ${where} order by r.id desc limit $2`;
const LIST = { name: "page-rebuilds", text: rowsWhere("r.id < $1") };
const ONE = { name: "page-rebuild", text: rowsWhere("r.id = $1") };

export interface LevelRow {
  readonly level: number;
  readonly pipeline: string;
  readonly first: string;
  readonly last: string;
  readonly partitions: number;
  readonly queuedAt: Date | null;
  /** Its runs by their state, of the first so many. */
  readonly runs: number;
  readonly succeeded: number;
  readonly running: number;
  readonly queued: number;
  readonly failed: number;
  readonly cancelled: number;
  /** The first run that stops it: the rebuild goes on when that has succeeded. */
  readonly stoppedBy: number | null;
}

const RUNS_MAX = 10_000;

/** In the order in which they are run. */
export async function rebuildLevels(database: Database, id: number, limit: number): Promise<readonly LevelRow[]> {
  return await database.query<LevelRow>(LEVELS, [id, limit, RUNS_MAX]);
}

const LEVELS = {
  name: "page-rebuild-levels",
  text: `
    with made as materialized (
      select pipeline, status, count(*)::int as runs, min(id) filter (where settled_at is not null) as settled
      from (select pipeline, status, id, settled_at from orca.runs where rebuild = $1 limit $3) r group by 1, 2
    )
    select l.level, l.pipeline, l.keys[1] as first, l.keys[cardinality(l.keys)] as last, cardinality(l.keys) as partitions,
      l.queued_at as "queuedAt", c.runs, c.succeeded, c.running, c.queued, c.failed, c.cancelled, c.stopped::float8 as "stoppedBy"
    from orca.rebuild_levels l cross join lateral (
      select coalesce(sum(runs), 0)::int as runs, coalesce(sum(runs) filter (where status = 'succeeded'), 0)::int as succeeded,
        coalesce(sum(runs) filter (where status = 'running'), 0)::int as running,
        coalesce(sum(runs) filter (where status = 'queued'), 0)::int as queued,
        coalesce(sum(runs) filter (where status = 'failed'), 0)::int as failed,
        coalesce(sum(runs) filter (where status = 'cancelled'), 0)::int as cancelled,
        min(settled) filter (where status in ('failed', 'cancelled')) as stopped
      from made where pipeline = l.pipeline) c
    where l.rebuild = $1 order by l.level, l.pipeline limit $2`,
};
