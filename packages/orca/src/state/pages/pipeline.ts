/** A registered pipeline: how it stands, its versions, and what started its runs. */
import type { DescribedPipeline } from "../../core/described.ts";
import type { Database } from "../database.ts";
import { BY_PIPELINE } from "./by-pipeline.ts";
import { registeredPipeline } from "../registered.ts";

export interface PipelineHead {
  readonly description: DescribedPipeline;
  readonly pausedAt: Date | null;
  readonly registeredAt: Date;
  readonly nextFireAt: Date | null;
  /** When a program of a sensor was last asked what it reads. */
  readonly sensedAt: Date | null;
  /** Why it couldn't say what its datasets hold. */
  readonly senseError: string | null;
  /** When it was last asked for its keys. */
  readonly keysAskedAt: Date | null;
  /** Why it couldn't say them. */
  readonly keysError: string | null;
  readonly commit: string | null;
  readonly repository: string | null;
  readonly dirty: boolean | null;
  readonly running: number;
  /** Up to 1,001. */
  readonly queued: number;
  /** Keys that failed, whether or not they are queued again: up to 1,001. */
  readonly failed: number;
}

const COUNT_MAX = 1_001;

/** @throws OrcaError `unknown-pipeline` */
export async function readPipelineHead(database: Database, name: string): Promise<PipelineHead> {
  const [head] = await database.query<PipelineHead>(HEAD, [name, COUNT_MAX]);
  if (head !== undefined) return head;
  await registeredPipeline(database, name); // says what was meant
  return await readPipelineHead(database, name);
}

const HEAD = {
  name: "page-pipeline-head",
  text: `
    select p.description, p.paused_at as "pausedAt", p.registered_at as "registeredAt", p.next_fire_at as "nextFireAt",
      p.sensed_at as "sensedAt", p.sense_error as "senseError", p.keys_asked_at as "keysAskedAt", p.keys_error as "keysError", v.commit, v.repository, v.dirty,
      (select count(*)::int from (select from orca.runs where pipeline = $1 and status = 'running' limit $2) r) as running,
      (select count(*)::int from (select from orca.runs where pipeline = $1 and status = 'queued' limit $2) r) as queued,
      (select count(*)::int from (
        select from orca.key_failures where pipeline = $1 and status = 'failed' limit $2) f) as failed
    from orca.pipelines p join orca.versions v on v.id = p.version where p.name = $1 and p.program is not null`,
};

export interface VersionRow {
  readonly id: number;
  readonly commit: string | null;
  readonly repository: string | null;
  readonly dirty: boolean | null;
  readonly hash: string;
  readonly firstSeenAt: Date;
  readonly isCurrent: boolean;
  /** The steps that differ from the version before; null of the first one. */
  readonly changed: readonly string[] | null;
  /** How many of the newest runs are of it. */
  readonly runs: number;
}

/** So many of a pipeline's newest runs are counted. */
export const VERSION_RUNS_MAX = 1_000;

/** The newest versions first. */
export async function readVersions(database: Database, name: string, limit: number): Promise<readonly VersionRow[]> {
  type Row = VersionRow & { readonly steps: Readonly<Record<string, string>> };
  const rows = await database.query<Row>(VERSIONS, [name, limit + 1, VERSION_RUNS_MAX]);
  return rows.slice(0, limit).map(({ steps, ...row }, place) => {
    const before = rows[place + 1];
    return { ...row, changed: before === undefined ? null : differences(before.steps, steps) };
  });
}

function differences(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return names.filter((name) => before[name] !== after[name]);
}

const VERSIONS = {
  name: "page-versions",
  text: `
    with newest as materialized (
      select version from orca.runs where ${BY_PIPELINE("$1")} order by pipeline desc, id desc limit $3
    )
    select v.id::float8 as id, v.commit, v.repository, v.dirty, v.registry_hash as hash, v.first_seen_at as "firstSeenAt",
      v.step_hashes as steps, v.id = (select version from orca.pipelines where name = $1) as "isCurrent",
      (select count(*)::int from newest where version = v.id) as runs
    from orca.versions v where v.pipeline = $1 order by v.id desc limit $2`,
};

export interface SeenRow {
  readonly dataset: string;
  readonly snapshot: string;
  readonly seenAt: Date;
  /** The run that made it; null if none of Orca's did. */
  readonly madeBy: number | null;
  readonly madeByPipeline: string | null;
  readonly madeByPartition: string | null;
  /** The runs that it started: at most 3. */
  readonly started: readonly { readonly run: number; readonly first: string; readonly keys: number }[];
}

/** The snapshots that a sensor saw last, the newest first. */
export async function readSeen(database: Database, name: string, limit: number): Promise<readonly SeenRow[]> {
  return await database.query<SeenRow>(SEEN, [name, limit]);
}

const SEEN = {
  name: "page-seen",
  text: `
    select s.dataset, s.snapshot::text, s.at as "seenAt", m.run::float8 as "madeBy", m.pipeline as "madeByPipeline",
      nullif(m.partition, '') as "madeByPartition", st.runs as started
    from (select dataset, snapshot, at from orca.seen_snapshots where pipeline = $1 order by at desc limit $2) s
    left join lateral (
      select c.run, c.partition, r.pipeline from orca.commits c cross join lateral (
        select pipeline from orca.runs where id = c.run limit 1) r
      where c.dataset = s.dataset and c.snapshot = s.snapshot limit 1) m on true
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('run', c.run, 'first', r.keys[1], 'keys', cardinality(r.keys)) order by c.run), '[]') as runs
      from (select c.run from orca.run_causes c where c.dataset = s.dataset and c.snapshot = s.snapshot order by c.run limit 20) c
      cross join lateral (select pipeline, keys from orca.runs where id = c.run limit 1) r where r.pipeline = $1) st
    order by s.at desc, s.dataset, s.snapshot`,
};

/** The last run that each gather step succeeded in, among the newest runs. */
export async function lastGathers(database: Database, name: string): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query<{ step: string; run: number }>(GATHERS, [name]);
  return new Map(rows.map(({ step, run }) => [step, run]));
}

const GATHERS = {
  name: "page-last-gathers",
  text: `
    select s.step, max(s.run)::float8 as run
    from (select id from orca.runs where ${BY_PIPELINE("$1")} order by pipeline desc, id desc limit 50) r
    cross join lateral (
      select g.step, r.id as run from orca.pipelines p, jsonb_array_elements(p.description->'steps') d
      cross join lateral (
        select step from orca.steps where run = r.id and step = (d->>'name') collate "C" and partition = '' and status = 'succeeded'
        limit 1) g
      where p.name = $1 and d->>'kind' = 'gather') s
    group by s.step`,
};
