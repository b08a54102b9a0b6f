/** Fires: the times that schedules were due at, each made once, with its run in the same transaction. */
import type { DescribedPipeline } from "../core/described.ts";
import { partitionOfFire } from "../core/schedule/fire-partition.ts";
import { firesBetween } from "../core/schedule/fires.ts";
import type { Database } from "./database.ts";
import { nextFireOf } from "./registration.ts";

/** So many pipelines are looked at in a transaction, and so many fires made of each; others wait for the next. */
const PIPELINES_MAX = 500;
const FIRES_MAX = 1_000;

interface DuePipeline {
  readonly name: string;
  readonly description: DescribedPipeline;
  readonly fired_until: Date;
}

/** @param partition undefined where it is before the pipeline's first: then there is no run. */
interface DueFire {
  readonly pipeline: string;
  readonly at: Date;
  readonly partition: string | undefined;
}

/** Makes the fires that are due, of pipelines that no other scheduler is at. @returns how many there were. */
export async function makeDueFires(database: Database, now: Date): Promise<number> {
  return await database.transaction(async (client) => {
    const { rows } = await client.query<DuePipeline>(DUE, [now, PIPELINES_MAX]);
    if (rows.length === 0) return 0;
    const due = rows.map((pipeline) => ({ ...pipeline, fires: dueFires(pipeline, now) }));
    const fires = due.flatMap((d) => d.fires);
    await client.query(FIRE, columnsOf(fires));
    const until = due.map((d) => (d.fires.length === FIRES_MAX ? d.fires.at(-1)!.at : now));
    const next = due.map((d, i) => nextFireOf(d.description, until[i]!));
    await client.query(UNTIL, [due.map((d) => d.name), until, next]);
    if (fires.length > 0) await client.query("select pg_notify('orca', 'queue:')");
    return fires.length;
  });
}

function dueFires({ name, description, fired_until }: DuePipeline, now: Date): readonly DueFire[] {
  const { schedule, partitions, fills, catchup } = description;
  if (schedule === null || partitions.kind === "keyed") return [];
  return firesBetween(schedule, fired_until, now, { catchup: catchup ?? true, limit: FIRES_MAX }).map((at) => {
    const partition = partitionOfFire(partitions.kind, fills ?? "current", schedule, at);
    const isThere = partition !== undefined && partition >= partitions.start;
    return { pipeline: name, at, partition: isThere ? partition : undefined };
  });
}

function columnsOf(fires: readonly DueFire[]): unknown[][] {
  return [fires.map((f) => f.pipeline), fires.map((f) => f.at), fires.map((f) => f.partition ?? null)];
}

const DUE = `
  select name, description, fired_until from orca.pipelines where next_fire_at <= $1
  order by next_fire_at limit $2 for no key update skip locked`;
/** A fire that is on record, made by hand or when the clock was set back, isn't made again. */
const FIRE = `
  with given as materialized (
    select pipeline collate "C" as pipeline, at, partition, orca.run_token() as token
    from unnest($1::text[], $2::timestamptz[], $3::text[]) as t (pipeline, at, partition)
  ),
  new as materialized (
    select * from given g where not exists (select from orca.fires f where f.pipeline = g.pipeline and f.at = g.at)
  ),
  queued as (
    insert into orca.runs (token, pipeline, version, status, trigger, keys)
    select n.token, n.pipeline, p.version, 'queued', 'schedule', array[n.partition]
    from new n join orca.pipelines p on p.name = n.pipeline where n.partition is not null order by n.at, n.pipeline
    returning id, token
  )
  insert into orca.fires (pipeline, at, partition, run)
  select n.pipeline, n.at, n.partition, q.id from new n left join queued q on q.token = n.token on conflict do nothing`;
const UNTIL = `
  update orca.pipelines p set fired_until = greatest(fired_until, t.until), next_fire_at = t.next
  from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as t (name, until, next) where p.name = t.name`;
