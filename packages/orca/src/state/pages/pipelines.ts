/** The registered pipelines, as the first page lists them. */
import type { DescribedPipeline } from "../../core/described.ts";
import type { Database } from "../database.ts";
import { bounded, type Bounded } from "./bounded.ts";

export interface PipelineRow {
  readonly name: string;
  readonly partitions: DescribedPipeline["partitions"];
  readonly stepCount: number;
  readonly isSensor: boolean;
  readonly pausedAt: Date | null;
  readonly registeredAt: Date;
  readonly nextFireAt: Date | null;
  /** Its newest runs, the newest first: at most 20. */
  readonly runs: readonly RecentRun[];
  readonly queued: Bounded;
  readonly running: Bounded;
}

interface RecentRun {
  readonly id: number;
  readonly status: string;
  /** How long it took, or has taken, in milliseconds; null for one that hasn't started. */
  readonly tookMs: number | null;
  readonly startedAt: string | null;
}

const RUNS_MAX = 20;
const COUNT_MAX = 1_000;

/** In the order of their names. @param after only those whose names come later: the next page. */
export async function listPipelines(
  database: Database,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<readonly PipelineRow[]> {
  type Row = Omit<PipelineRow, "queued" | "running"> & { readonly queued: number; readonly running: number };
  const rows = await database.query<Row>(LIST, [after ?? "", limit, RUNS_MAX, COUNT_MAX + 1]);
  return rows.map((row) => ({
    ...row,
    queued: bounded(row.queued, COUNT_MAX),
    running: bounded(row.running, COUNT_MAX),
  }));
}

const LIST = {
  name: "page-pipelines",
  text: `
    select p.name, p.description->'partitions' as partitions, jsonb_array_length(p.description->'steps') as "stepCount",
      p.is_sensor as "isSensor", p.paused_at as "pausedAt", p.registered_at as "registeredAt",
      p.next_fire_at as "nextFireAt",
      coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'status', r.status, 'startedAt', r.started_at,
          'tookMs', extract(epoch from coalesce(r.ended_at, clock_timestamp()) - r.started_at) * 1000) order by r.id desc)
        from (select * from orca.runs where pipeline = p.name order by id desc limit $3) r), '[]') as runs,
      (select count(*)::int from (select from orca.runs where pipeline = p.name and status = 'queued' limit $4) q) as queued,
      (select count(*)::int from (select from orca.runs where pipeline = p.name and status = 'running' limit $4) q) as running
    from orca.pipelines p where p.program is not null and p.name > $1 order by p.name limit $2`,
};
