/** Pipelines that the scheduler starts runs of. */
import type pg from "pg";
import { checkDatasetGraph } from "../core/dataset-graph.ts";
import type { DescribedPipeline } from "../core/described.ts";
import { nextFire } from "../core/schedule/fires.ts";
import { recordAction } from "./actions.ts";
import type { Database } from "./database.ts";
import { lockRegistered } from "./registered.ts";
import { recordVersion } from "./versions.ts";

export interface Registration {
  readonly description: DescribedPipeline;
  /** Where the program is. */
  readonly program: string;
  /** Throws if it isn't there any more. It is asked when nothing is removed until the registration is on record. */
  readonly check?: (program: string) => Promise<void>;
  /** The snapshots that its datasets have now: a sensor takes those that come later, also of a dataset that it hasn't read before. */
  readonly seen: readonly { readonly dataset: string; readonly snapshot: string }[];
  /** What is told of failures; undefined leaves it as it is, and false tells nothing any more. */
  readonly notifyUrl: string | false | undefined;
  /** On the scheduler's clock. */
  readonly now: Date;
  readonly actor: string;
}

/** What registering did. */
export interface Registered {
  readonly isNew: boolean;
  /** How many runs that were queued are of the new code now. */
  readonly movedRuns: number;
}

interface Before {
  readonly description: DescribedPipeline | null;
  readonly fired_until: Date | null;
  readonly is_sensor: boolean;
  readonly notify_url: string | null;
}

/**
 * Records a pipeline with its program, in place of what was registered by its name. Its schedule counts from now if it is another than before.
 *
 * @throws OrcaError `dataset-cycle`, `partitions-mixed`.
 */
export async function registerPipeline(database: Database, registration: Registration): Promise<Registered> {
  const { description, program, check, seen, notifyUrl, now, actor } = registration;
  const name = description.pipeline;
  return await database.transaction(async (client) => {
    await client.query(ONE_AT_A_TIME);
    await check?.(program);
    const versionId = await recordVersion(client, name, versionOf(description));
    const { rows } = await client.query<Before>(BEFORE, [name]);
    const before = rows[0]!;
    const others = await client.query<{ description: DescribedPipeline }>(OTHERS, [name]);
    checkDatasetGraph(
      others.rows.map((other) => other.description),
      description,
    );
    const firedUntil = isSameSchedule(before.description, description) ? (before.fired_until ?? now) : now;
    await client.query(REGISTER, [
      name,
      program,
      JSON.stringify(description),
      versionId,
      description.maxRuns,
      description.runRetries,
      description.keysPerRun ?? 1,
      description.sensor,
      firedUntil,
      nextFireOf(description, firedUntil),
      notifyUrl === false ? null : (notifyUrl ?? before.notify_url),
    ]);
    const sensed = before.is_sensor ? await datasetsOf(client, name) : new Set<string>();
    await recordDatasets(client, description);
    const isThere = description.sensor ? seen.filter(({ dataset }) => !sensed.has(dataset)) : [];
    await client.query(SEEN, [name, isThere.map((s) => s.dataset), isThere.map((s) => s.snapshot)]);
    const moved = await client.query(MOVE_QUEUED, [name, versionId]);
    await recordAction(client, {
      actor,
      action: "register",
      pipeline: name,
      detail: { hash: description.hash, program },
    });
    await client.query("select pg_notify('orca', $1)", [`pipeline:${name}`]);
    return { isNew: before.description === null, movedRuns: moved.rowCount ?? 0 };
  });
}

/** Registrations wait for each other, so that two of them can't close a cycle that neither of them sees; and for what removes programs. */
export const ONE_AT_A_TIME = "select pg_advisory_xact_lock(hashtext('orca.register'))";
const BEFORE =
  "select description, fired_until, is_sensor, notify_url from orca.pipelines where name = $1 for no key update";
const OTHERS = "select description from orca.pipelines where program is not null and name <> $1";
const REGISTER = `
  update orca.pipelines set program = $2, description = $3, version = $4, registered_at = clock_timestamp(),
    max_runs = $5, run_retries = $6, keys_per_run = $7,
    sensing_since = case when not $8 then null else coalesce(sensing_since, clock_timestamp()) end, is_sensor = $8,
    fired_until = $9, next_fire_at = $10, notify_url = $11, sense_error = null, keys_error = null
  where name = $1`;
const SEEN = `
  insert into orca.seen_snapshots (pipeline, dataset, snapshot)
  select $1, dataset, snapshot from unnest($2::text[], $3::bigint[]) as t (dataset, snapshot) on conflict do nothing`;
const MOVE_QUEUED = `
  update orca.runs set version = $2, held_back = null where pipeline = $1 and status = 'queued' and version <> $2`;

/** The datasets whose snapshots a sensor takes already. */
async function datasetsOf(client: pg.ClientBase, pipeline: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ dataset: string }>(
    "select dataset from orca.pipeline_datasets where pipeline = $1 and role <> 'writes'",
    [pipeline],
  );
  return new Set(rows.map((row) => row.dataset));
}

async function recordDatasets(
  client: pg.ClientBase,
  { pipeline, steps, partitions }: DescribedPipeline,
): Promise<void> {
  const of = { reads: steps.flatMap((s) => s.reads), writes: steps.flatMap((s) => s.writes), keys: [] as string[] };
  if (partitions.kind === "keyed") of.keys.push(partitions.dataset);
  const rows = Object.entries(of).flatMap(([role, datasets]) => datasets.map((dataset) => [role, dataset] as const));
  await client.query("delete from orca.pipeline_datasets where pipeline = $1", [pipeline]);
  await client.query(DATASETS, [pipeline, rows.map(([role]) => role), rows.map(([, dataset]) => dataset)]);
}

const DATASETS = `
  insert into orca.pipeline_datasets (pipeline, role, dataset)
  select $1, role, dataset from unnest($2::text[], $3::text[]) as t (role, dataset) on conflict do nothing`;

/** When a pipeline is due next, after an instant; null if it has no schedule, or never is again. */
export function nextFireOf({ schedule }: DescribedPipeline, after: Date): Date | null {
  return schedule === null ? null : (nextFire(schedule, after) ?? null);
}

/** Whether two schedules are due at the same times: then the fires of the second go on where the first's ended. */
function isSameSchedule(before: DescribedPipeline | null, { schedule }: DescribedPipeline): boolean {
  const was = before?.schedule ?? null;
  return was !== null && schedule !== null && was.cron === schedule.cron && was.timeZone === schedule.timeZone;
}

function versionOf({ hash, steps, source }: DescribedPipeline) {
  const stepHashes = Object.fromEntries(steps.map((s) => [s.name, s.hash]));
  const { repository = null, commit = null, dirty = null, locations } = source ?? {};
  return { registryHash: hash, stepHashes, repository, commit, dirty, locations };
}

/** Takes a pipeline off the schedule. Its runs, and those that are queued, stay on record; the latter are cancelled. @throws OrcaError `unknown-pipeline` */
export async function unregisterPipeline(database: Database, name: string, actor: string): Promise<void> {
  await database.transaction(async (client) => {
    await lockRegistered(client, name);
    await client.query(UNREGISTER, [name]);
    await client.query("delete from orca.pipeline_datasets where pipeline = $1", [name]);
    await client.query(CANCEL_QUEUED, [name]);
    await recordAction(client, { actor, action: "unregister", pipeline: name });
  });
}

const UNREGISTER = `
  update orca.pipelines set program = null, description = null, version = null, registered_at = null, paused_at = null,
    is_sensor = false, sensing_since = null, next_fire_at = null
  where name = $1`;
const CANCEL_QUEUED = `
  update orca.runs set status = 'cancelled', ended_at = clock_timestamp() where pipeline = $1 and status = 'queued'`;

/** Has no run of a pipeline started, or lets them start again. @throws OrcaError `unknown-pipeline` */
export async function pausePipeline(database: Database, name: string, isPaused: boolean, actor: string): Promise<void> {
  await database.transaction(async (client) => {
    await lockRegistered(client, name);
    await client.query(PAUSE, [name, isPaused]);
    await recordAction(client, { actor, action: isPaused ? "pause" : "unpause", pipeline: name });
    await client.query("select pg_notify('orca', $1)", [`pipeline:${name}`]);
  });
}

const PAUSE = `
  update orca.pipelines set paused_at = case when $2 then coalesce(paused_at, clock_timestamp()) end where name = $1`;
