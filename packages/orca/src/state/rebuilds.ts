/** Rebuilds: every pipeline downstream of a dataset is run anew, level by level. */
import type pg from "pg";
import type { DescribedPipeline } from "../core/described.ts";
import { pipelinesDownstream, type PipelineLevel } from "../core/downstream.ts";
import { OrcaError } from "../core/errors.ts";
import { recordAction } from "./actions.ts";
import { queueKeys } from "./backfills.ts";
import type { Database } from "./database.ts";

export interface RebuildAsked {
  readonly dataset: string;
  /** The partitions of the dataset whose rows have changed. */
  readonly keys: readonly string[];
  readonly actor: string;
}

export interface Rebuild {
  readonly id: number;
  readonly levels: readonly PipelineLevel[];
}

/** So many pipelines can be downstream of what is rebuilt. */
const DOWNSTREAM_MAX = 1_000;

/** @param downstream the pipelines that are registered and downstream of the dataset. */
function levelsOf(
  downstream: readonly { readonly description: DescribedPipeline }[],
  { dataset, keys }: Pick<RebuildAsked, "dataset" | "keys">,
): readonly PipelineLevel[] {
  if (downstream.length > DOWNSTREAM_MAX)
    throw new OrcaError(
      "usage",
      `more than ${DOWNSTREAM_MAX} pipelines are made from ${dataset}: rebuild from datasets that are nearer to them`,
    );
  const levels = pipelinesDownstream(
    downstream.map((row) => row.description),
    dataset,
    keys,
  );
  if (levels.length === 0)
    throw new OrcaError("usage", `no registered pipeline makes anything from ${spanOf(keys)} of ${dataset}`);
  return levels;
}

/** What a rebuild would run anew, of which nothing is queued. @throws OrcaError `usage` if nothing is made from those partitions. */
export async function planRebuild(
  database: Database,
  asked: Pick<RebuildAsked, "dataset" | "keys">,
): Promise<readonly PipelineLevel[]> {
  return levelsOf(await database.query<{ description: DescribedPipeline }>(PLANNED, [asked.dataset]), asked);
}

/** Begins a rebuild, and queues its first level. @throws OrcaError `usage` if nothing is made from those partitions. */
export async function beginRebuild(database: Database, { dataset, keys, actor }: RebuildAsked): Promise<Rebuild> {
  return await database.transaction(async (client) => {
    const { rows: downstream } = await client.query<{ description: DescribedPipeline }>(REGISTERED, [dataset]);
    const levels = levelsOf(downstream, { dataset, keys });
    const { rows } = await client.query<{ id: number }>(REBUILD, [dataset, keys, actor]);
    const { id } = rows[0]!;
    for (const { pipeline, level, keys: about } of levels) await client.query(LEVEL, [id, level, pipeline, about]);
    await recordAction(client, { actor, action: "rebuild", detail: { id, dataset, keys } });
    await advanceRebuilds(client, [id]);
    return { id, levels };
  });
}

function spanOf(keys: readonly string[]): string {
  return keys.length <= 3 ? keys.join(", ") : `${keys[0]} to ${keys.at(-1)} (${keys.length} partitions)`;
}

/** Of the pipelines downstream of a dataset, found from reader to reader; one more than there can be, if there are more. */
const DESCRIPTIONS = `
  with recursive downstream as (
    select pipeline from orca.pipeline_datasets where dataset = $1 and role = 'reads'
    union
    select r.pipeline from downstream d
    join orca.pipeline_datasets w on w.pipeline = d.pipeline and w.role = 'writes'
    join orca.pipeline_datasets r on r.dataset = w.dataset and r.role = 'reads'
  )
  select description from orca.pipelines
  where program is not null and name in (select pipeline from downstream limit ${DOWNSTREAM_MAX + 1}) order by name`;
const PLANNED = { name: "rebuild-planned", text: DESCRIPTIONS };
const REGISTERED = `${DESCRIPTIONS} for share`;
const REBUILD = `
  insert into orca.rebuilds (dataset, keys, status, asked_by) values ($1, $2, 'running', $3) returning id::float8 as id`;
const LEVEL = "insert into orca.rebuild_levels (rebuild, level, pipeline, keys) values ($1, $2, $3, $4)";

/**
 * Queues the next level of rebuilds whose runs have all succeeded, and ends those that have no more. A run that failed for good, or was cancelled, stops its rebuild;
 * when it has been resumed and has succeeded, the rebuild goes on.
 */
export async function advanceRebuilds(client: pg.ClientBase, rebuilds: readonly number[]): Promise<void> {
  for (const id of [...new Set(rebuilds)].toSorted((a, b) => a - b)) {
    const { rows } = await client.query(GOING_ON, [id]);
    if (rows.length > 0) await advance(client, id);
  }
  if (rebuilds.length > 0) await client.query("select pg_notify('orca', 'queue:')"); // also that one is stopped, or may be resumed
}

/** A rebuild that was cancelled goes on with a run of it that is resumed. */
export async function reopenRebuild(client: pg.ClientBase, id: number): Promise<void> {
  await client.query(REOPEN, [id]);
}

async function advance(client: pg.ClientBase, id: number): Promise<void> {
  const { rows } = await client.query<{ unfinished: boolean; failed: boolean }>(RUNS, [id]);
  const { unfinished, failed } = rows[0]!;
  if (failed || unfinished) {
    await client.query(STATUS, [id, failed ? "stopped" : "running"]);
    return;
  }
  const next = await client.query<{ pipeline: string; keys: readonly string[]; per_run: number }>(NEXT, [id]);
  for (const { pipeline, keys, per_run } of next.rows)
    await queueKeys(client, { pipeline, keys, perRun: per_run, trigger: "rebuild", rebuild: id });
  await client.query(STATUS, [id, next.rows.length === 0 ? "succeeded" : "running"]);
}

const REOPEN = "update orca.rebuilds set status = 'running', ended_at = null where id = $1 and status = 'cancelled'";
const GOING_ON = "select from orca.rebuilds where id = $1 and status in ('running', 'stopped') for update";
/** A run that failed is unsettled until it is decided whether it is started again. */
const RUNS = `
  select exists (select from orca.runs where rebuild = $1 and status in ('queued', 'running', 'failed', 'cancelled')) as unfinished,
    exists (
      select from orca.runs where rebuild = $1 and status in ('failed', 'cancelled') and settled_at is not null) as failed`;
const NEXT = `
  update orca.rebuild_levels l set queued_at = clock_timestamp() from orca.pipelines p
  where l.rebuild = $1 and p.name = l.pipeline
    and l.level = (select min(level) from orca.rebuild_levels where rebuild = $1 and queued_at is null)
  returning l.pipeline, l.keys, p.keys_per_run as per_run`;
const STATUS = `
  update orca.rebuilds set status = $2, ended_at = case when $2 = 'succeeded' then clock_timestamp() end where id = $1`;
