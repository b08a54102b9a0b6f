/** Sensors: pipelines that new snapshots of the datasets they read start runs of. Each snapshot is taken once by each. */
import type pg from "pg";
import type { DescribedPipeline } from "../core/described.ts";
import { keysAcross } from "../core/keys-across.ts";
import { partitionOfNow } from "../core/schedule/partition-of-now.ts";

/** A snapshot that is there, of a dataset. */
export interface NewSnapshot {
  readonly dataset: string;
  readonly snapshot: string;
  /** The partitions that it holds, of whatever kind; undefined where its writer doesn't say. */
  readonly keys: readonly string[] | undefined;
  /** One that replaces files and no rows starts nothing. */
  readonly operation?: string | undefined;
  /** The rebuild whose run made it: that runs what is downstream itself. */
  readonly rebuild?: number | null;
  /** Since when a sensor must have been one to be started by it. */
  readonly at?: Date;
}

interface Sensor {
  readonly dataset: string;
  readonly role: "reads" | "keys";
  readonly name: string;
  readonly description: DescribedPipeline;
  readonly sensing_since: Date;
}

/**
 * Queues the runs that new snapshots start. Sensors are locked in the order of their names, so that transactions that do so at once don't wait for each other in a
 * circle.
 *
 * @param only the sensor that saw the snapshots; by default all that read them.
 * @param now on the scheduler's clock.
 */
export async function takeSnapshots(
  client: pg.ClientBase,
  snapshots: readonly NewSnapshot[],
  { now, only }: { readonly now: Date; readonly only?: string },
): Promise<void> {
  if (snapshots.length === 0) return;
  const datasets = [...new Set(snapshots.map((s) => s.dataset))];
  const { rows } = await client.query<Sensor>(SENSORS, [datasets, only ?? null]);
  const byName = Map.groupBy(rows, (sensor) => sensor.name);
  for (const inputs of byName.values()) await takeBy(client, inputs, snapshots, now);
}

async function takeBy(
  client: pg.ClientBase,
  inputs: readonly Sensor[],
  snapshots: readonly NewSnapshot[],
  now: Date,
): Promise<void> {
  const { name, description, sensing_since: since } = inputs[0]!;
  const roles = new Map(inputs.map((input) => [input.dataset, input.role])); // keys, where it is both
  const offered = snapshots.filter((s) => roles.has(s.dataset) && (s.at === undefined || s.at > since));
  const taken = await taking(client, name, offered);
  if (taken.some((s) => roles.get(s.dataset) === "keys")) await client.query(KEYS_CHANGED, [name]);
  const rebuilt = await rebuiltBy(client, name, taken);
  const starting = taken.filter(
    (s) => roles.get(s.dataset) === "reads" && s.operation !== "replace" && !rebuilt.has(s.rebuild ?? null),
  );
  const byKeys = Map.groupBy(starting, (s) => JSON.stringify(keysFor(description, s, now)));
  byKeys.delete("[]");
  await startFor(client, description, byKeys);
}

/** Those that the sensor hasn't taken before. */
async function taking(
  client: pg.ClientBase,
  name: string,
  offered: readonly NewSnapshot[],
): Promise<readonly NewSnapshot[]> {
  const values = [name, offered.map((s) => s.dataset), offered.map((s) => s.snapshot)];
  const { rows } = await client.query<{ dataset: string; snapshot: string }>(TAKE, values);
  const isNew = new Set(rows.map((row) => `${row.dataset}@${row.snapshot}`));
  return offered.filter(({ dataset, snapshot }) => isNew.delete(`${dataset}@${snapshot}`));
}

/** The rebuilds among those that made snapshots which run the pipeline themselves. */
async function rebuiltBy(
  client: pg.ClientBase,
  name: string,
  taken: readonly NewSnapshot[],
): Promise<ReadonlySet<number | null>> {
  const rebuilds = [...new Set(taken.flatMap((s) => s.rebuild ?? []))];
  if (rebuilds.length === 0) return new Set();
  const { rows } = await client.query<{ rebuild: number }>(REBUILDS, [name, rebuilds]);
  return new Set(rows.map((row) => row.rebuild));
}

/** The partitions that a snapshot is about; of one that doesn't say, what the pipeline would fill now. */
function keysFor(
  { partitions, schedule, fills }: DescribedPipeline,
  { keys }: NewSnapshot,
  now: Date,
): readonly string[] {
  if (keys !== undefined) return keysAcross(keys, partitions);
  if (partitions.kind === "keyed") return [];
  return keysAcross([partitionOfNow(partitions.kind, fills ?? "current", schedule, now)], partitions);
}

/**
 * Queues a run for each list of keys; one that is queued for the same keys already reads the snapshots too, when it starts.
 *
 * @param byKeys the snapshots that are about each list of keys, which is in JSON.
 */
async function startFor(
  client: pg.ClientBase,
  { pipeline, keysPerRun }: DescribedPipeline,
  byKeys: ReadonlyMap<string, readonly NewSnapshot[]>,
): Promise<void> {
  // all of a snapshot's days or months are run over at once; of names as many as the pipeline takes
  const lists = Array.from(byKeys, ([text, causes]) => ({ keys: JSON.parse(text) as string[], causes })).flatMap(
    ({ keys, causes }) =>
      chunksOf(keys, keysPerRun ?? keys.length).map((some) => ({ keys: JSON.stringify(some), causes })),
  );
  const { rows } = await client.query<{ n: number; run: number }>(QUEUE, [pipeline, lists.map((list) => list.keys)]);
  const causes = rows.flatMap(({ n, run }) => lists[n - 1]!.causes.map((cause) => ({ run, ...cause })));
  await client.query(CAUSES, [causes.map((c) => c.run), causes.map((c) => c.dataset), causes.map((c) => c.snapshot)]);
  if (rows.length > 0) await client.query("select pg_notify('orca', 'queue:')");
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

const SENSORS = `
  select d.dataset, case when bool_or(d.role = 'keys') then 'keys' else 'reads' end as role, p.name, p.description, p.sensing_since
  from (select name, description, sensing_since from orca.pipelines
    where is_sensor and program is not null and ($2::text is null or name = $2)
      and name in (select pipeline from orca.pipeline_datasets where dataset = any ($1) and role <> 'writes')
    order by name for no key update) p
  join orca.pipeline_datasets d on d.pipeline = p.name and d.dataset = any ($1) and d.role <> 'writes'
  where not exists (
    select from orca.pipeline_datasets w where w.pipeline = p.name and w.role = 'writes' and w.dataset = d.dataset)
  group by d.dataset, p.name, p.description, p.sensing_since order by p.name, d.dataset`;
const TAKE = `
  insert into orca.seen_snapshots (pipeline, dataset, snapshot)
  select $1, dataset, snapshot from unnest($2::text[], $3::bigint[]) as t (dataset, snapshot)
  on conflict do nothing returning dataset, snapshot::text`;
const KEYS_CHANGED = "update orca.pipelines set keys_changed_at = clock_timestamp() where name = $1";
const REBUILDS = `
  select distinct rebuild::float8 as rebuild from orca.rebuild_levels where pipeline = $1 and rebuild = any ($2)`;
/** The run of each list: the one that is waiting for it, or a new one. */
const QUEUE = `
  with given as materialized (
    select n, array(select jsonb_array_elements_text(list::jsonb)) as keys, orca.run_token() as token
    from unnest($2::text[]) with ordinality as t (list, n)
  ),
  waiting as materialized (
    select g.n, w.id from given g cross join lateral (
      select r.id from orca.run_keys k join orca.runs r on r.id = k.run
      where k.pipeline = $1 and k.key = g.keys[1] collate "C" and k.is_live
        and r.status = 'queued' and r.trigger = 'sensor' and r.starts = 0 and r.keys = g.keys
      order by r.id limit 1
    ) w
  ),
  queued as (
    insert into orca.runs (token, pipeline, version, status, trigger, keys)
    select g.token, p.name, p.version, 'queued', 'sensor', g.keys from given g, orca.pipelines p
    where p.name = $1 and g.n not in (select n from waiting) order by g.n
    returning id, token
  )
  select n::int, id::float8 as run from waiting
  union all select g.n::int, q.id::float8 from queued q join given g on g.token = q.token`;
const CAUSES = `
  insert into orca.run_causes (run, dataset, snapshot)
  select run, dataset, snapshot from unnest($1::bigint[], $2::text[], $3::bigint[]) as t (run, dataset, snapshot)
  on conflict do nothing`;
