/** The registered pipelines, as the first page lists them. */
import type { DescribedPipeline } from "../../core/described.ts";
import type { Database } from "../database.ts";
import { bounded, type Bounded } from "./bounded.ts";
import { BY_PIPELINE } from "./by-pipeline.ts";

/** What is known of each pipeline without looking at its history. */
export interface PipelineSummary {
  readonly name: string;
  readonly partitions: DescribedPipeline["partitions"];
  readonly schedule: DescribedPipeline["schedule"];
  readonly fills: DescribedPipeline["fills"];
  readonly steps: readonly { readonly name: string; readonly kind: "mapped" | "gather"; readonly hash: string }[];
  readonly hash: string;
  /** Whether its steps hand out tasks. */
  readonly hasTasks: boolean;
  readonly isSensor: boolean;
  /** Of a sensor, whether its program couldn't say what its datasets hold, or its keys, when it was asked last. */
  readonly cantBeAsked: boolean;
  readonly registeredAt: Date;
  readonly nextFireAt: Date | null;
  readonly pausedAt: Date | null;
  /** How its newest run that succeeded or failed ended; null if there is none among its newest runs. */
  readonly lastEnd: "succeeded" | "failed" | null;
  /** Whether a run of it was ever asked for. */
  readonly hasRuns: boolean;
  readonly live: Bounded;
  readonly queued: Bounded;
  /** The keys that the last run that covered them failed to do. */
  readonly failedKeys: Bounded;
  /** The newest month or day that every mapped step has been done of, by whichever code; null if there is none, and of names. */
  readonly newestDone: string | null;
}

/** What a line of the list shows besides. */
export interface PipelineHistory {
  /** Its newest runs, the newest first: at most 20, of which two may be queued. */
  readonly runs: readonly RecentRun[];
  /** When a failed run is started again, and which of its starts that is; null if none waits. */
  readonly nextStart: { readonly at: Date; readonly start: number; readonly startsMax: number } | null;
  /** What it waits for, if it is a sensor. */
  readonly sensed: readonly string[];
  /** Who paused it, as far as the last actions say. */
  readonly pausedBy: string | null;
}

interface RecentRun {
  readonly id: number;
  readonly status: string;
  /** How long it took, or has taken, in milliseconds; null for one that hasn't started. */
  readonly tookMs: number | null;
  readonly startedAt: Date | null;
}

const RUNS_MAX = 20;
const QUEUED_SHOWN = 2;
/** Counts stop there. */
const COUNT_MAX = 1_000;
/** So many of a pipeline's last actions are looked through. */
const ACTIONS_MAX = 200;

/** In the order of their names. @param after only those whose names come later. */
export async function pipelineSummaries(
  database: Database,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly PipelineSummary[]> {
  type Counts = "live" | "queued" | "failedKeys";
  type Row = Omit<PipelineSummary, Counts> & Readonly<Record<Counts, number>>;
  const rows = await database.query<Row>(SUMMARIES, [after, limit, RUNS_MAX, COUNT_MAX + 1]);
  return rows.map((row) => ({
    ...row,
    live: bounded(row.live, COUNT_MAX),
    queued: bounded(row.queued, COUNT_MAX),
    failedKeys: bounded(row.failedKeys, COUNT_MAX),
  }));
}

/** By the names of pipelines. */
export async function pipelineHistories(
  database: Database,
  names: readonly string[],
): Promise<ReadonlyMap<string, PipelineHistory>> {
  type Run = Omit<RecentRun, "startedAt"> & { readonly startedAt: string | null };
  type Row = Omit<PipelineHistory, "runs"> & { readonly name: string; readonly runs: readonly Run[] } & {
    readonly startAt: Date | null;
    readonly start: number | null;
    readonly startsMax: number | null;
  };
  const rows = await database.query<Row>(HISTORIES, [names, RUNS_MAX, QUEUED_SHOWN, ACTIONS_MAX]);
  return new Map(
    rows.map(({ name, runs, startAt, start, startsMax, sensed, pausedBy }) => [
      name,
      {
        runs: runs.map((run) => ({ ...run, startedAt: run.startedAt === null ? null : new Date(run.startedAt) })),
        nextStart: startAt === null ? null : { at: startAt, start: start!, startsMax: startsMax! },
        sensed,
        pausedBy,
      },
    ]),
  );
}

const SUMMARIES = {
  name: "page-pipelines",
  text: `
    select p.name, p.description->'partitions' as partitions, p.description->'schedule' as schedule,
      p.description->>'fills' as fills, p.description->>'hash' as hash,
      (select jsonb_agg(jsonb_build_object('name', s.step->'name', 'kind', s.step->'kind', 'hash', s.step->'hash') order by s.n)
        from jsonb_array_elements(p.description->'steps') with ordinality as s (step, n)) as steps,
      coalesce(p.description->'tasks', '[]') <> '[]' as "hasTasks", p.is_sensor as "isSensor", coalesce(p.sense_error, p.keys_error) is not null as "cantBeAsked", p.registered_at as "registeredAt", p.next_fire_at as "nextFireAt", p.paused_at as "pausedAt",
      (select status from (
          select id, status from orca.runs where ${BY_PIPELINE("p.name")} and lower(status) <> 'queued' order by pipeline desc, id desc limit $3) r
        where status in ('succeeded', 'failed') order by id desc limit 1) as "lastEnd",
      exists (select from orca.runs where pipeline = p.name) as "hasRuns",
      (select count(*)::int from (
        select from orca.runs where pipeline = p.name and status = 'running' limit $4) r) as live,
      (select count(*)::int from (
        select from orca.runs where pipeline = p.name and status = 'queued' limit $4) q) as queued,
      (select count(*)::int from (
        select from orca.key_failures where pipeline = p.name and status = 'failed' limit $4) f) as "failedKeys",
      case when p.description->'partitions'->>'kind' <> 'keyed' then (
        select nullif(min(coalesce(d.newest, '') collate "C"), '')
        from (
          select step->>'name' as step from jsonb_array_elements(p.description->'steps') as t (step) where step->>'kind' = 'mapped'
          union all select '' where not p.description->'steps' @> '[{"kind": "mapped"}]'
        ) m cross join lateral (
          select max(key) as newest from orca.partition_state where pipeline = p.name and step = m.step collate "C") d
      ) end as "newestDone"
    from orca.pipelines p where p.program is not null and p.name > $1 order by p.name limit $2`,
};

const HISTORIES = {
  name: "page-pipelines-histories",
  text: `
    select p.name,
      coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'status', r.status, 'startedAt', r.started_at,
          'tookMs', round(extract(epoch from coalesce(r.ended_at, clock_timestamp()) - r.started_at) * 1000)) order by r.place)
        from (select *, row_number() over () as place from (
          (select id, status, started_at, ended_at from orca.runs
            where pipeline = p.name and status = 'queued' order by coalesce(backfill, 0), id limit $3)
          union all
          (select id, status, started_at, ended_at from orca.runs
            where ${BY_PIPELINE("p.name")} and lower(status) <> 'queued' order by pipeline desc, id desc limit $2)) r limit $2) r), '[]') as runs,
      w.not_before as "startAt", w.retries + 1 as start, p.run_retries + 1 as "startsMax",
      case when p.is_sensor then array(
        select distinct dataset from orca.pipeline_datasets where pipeline = p.name and role <> 'writes' order by dataset limit 10)
        else '{}' end as sensed,
      case when p.paused_at is not null then (
        select actor from (select id, actor, action from orca.actions where pipeline = p.name order by id desc limit $4) a
        where action = 'pause' order by id desc limit 1) end as "pausedBy"
    from unnest($1::text[]) as given (name) join orca.pipelines p on p.name = given.name collate "C"
      left join lateral (
        select not_before, retries from orca.runs
        where pipeline = p.name and status = 'queued' and not_before is not null order by coalesce(backfill, 0), id limit 1
      ) w on true`,
};
