/** A long history beside what goes on, to show that what is read doesn't grow with it. */
import type { TestDatabase } from "../../../../tests/postgres.ts";
import { Database } from "./database.ts";

/** Tables that grow with what was done. */
const HISTORY = [
  "runs",
  "run_keys",
  "heartbeats",
  "steps",
  "attempts",
  "reads",
  "commits",
  "fires",
  "seen_snapshots",
  "run_causes",
  "notifications",
  "backfills",
  "rebuilds",
  "rebuild_levels",
  "actions",
];

/** Nothing is analyzed but by the tests. */
export async function keepStatistics({ sql }: TestDatabase): Promise<void> {
  for (const table of [...HISTORY, "partition_state", "pipelines"])
    await sql(`alter table orca.${table} set (autovacuum_enabled = off)`);
}

/** Runs that have ended, each with a step of a key, what it read and wrote, what started it, and what was told of it. */
export async function addHistory({ sql }: TestDatabase, pipeline: string, runs: number): Promise<void> {
  await sql(`
    create temporary table made as
    with backfill as (
      insert into orca.backfills (pipeline, asked, is_rerun, is_reversed, max_runs, keys_asked, keys_queued, asked_by)
      select '${pipeline}', 'x', false, false, 1, 1, 1, 'me' from generate_series(1, ${runs / 10}) returning id
    ), rebuild as (
      insert into orca.rebuilds (dataset, keys, status, asked_by, ended_at)
      select 'lake.raw', '{a}', 'succeeded', 'me', now() from generate_series(1, ${runs / 10}) returning id
    ), level as (
      insert into orca.rebuild_levels (rebuild, level, pipeline, keys, queued_at)
      select id, 0, '${pipeline}', '{a}', now() from rebuild
    ), run as (
      insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, started_at, ended_at, settled_at, backfill)
      select gen_random_uuid(), '${pipeline}', (select min(id) from orca.versions), case when n % 5 = 0 then 'failed' else 'succeeded' end,
        case when n % 2 = 0 then 'backfill' else 'schedule' end, array['k' || n % 1000], 1, now(), now(), now(),
        case when n % 2 = 0 then (select max(id) from backfill) end
      from generate_series(1, ${runs}) n returning id, keys[1] as key, status
    )
    select * from run`);
  const each = (insert: string) => sql(`insert into orca.${insert} from made`);
  await each("heartbeats (run, at) select id, now()");
  await each(`steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
    select id, 'load', key, 'succeeded', '0xa', '1', 1, now(), now()`);
  await each(`attempts (run, step, partition, attempt, status, owner, started_at, ended_at)
    select id, 'load', key, 1, 'succeeded', gen_random_uuid(), now(), now()`);
  await each(`commits (run, step, partition, attempt, number, dataset, location, snapshot, operation)
    select id, 'load', key, 1, 1, 'lake.raw', '/lake', id, 'append'`);
  await each(`reads (run, step, partition, attempt, dataset, location, snapshot)
    select id, 'load', key, 1, 'lake.sources', '/lake', id`);
  await each(
    `fires (pipeline, at, partition, run) select '${pipeline}', timestamptz '2000-01-01' + id * interval '1 hour', key, id`,
  );
  await each(`seen_snapshots (pipeline, dataset, snapshot) select '${pipeline}', 'lake.raw', id`);
  await each("run_causes (run, dataset, snapshot) select id, 'lake.sources', id");
  await each(`notifications (pipeline, run, kind, url, told_at, next_try_at)
    select '${pipeline}', id, case when status = 'failed' then 'failed' else 'recovered' end, 'http://127.0.0.1:1', now(), null`);
  await each(`actions (actor, action, pipeline, run) select 'scheduler', 'start', '${pipeline}', id`);
  await sql("drop table made");
}

interface Counts {
  readonly name: string;
  readonly scans: number;
  readonly rows: number;
}

/**
 * Which tables of history were read from end to end, and which indexes of them far.
 *
 * @param rowsMax entries of an index that may be read.
 * @param work has what it read counted when it ends.
 */
export async function readOfHistory(
  { sql }: TestDatabase,
  rowsMax: number,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const count = () => sql<Counts & object>(COUNT, [HISTORY]);
  await sql("select pg_stat_force_next_flush()"); // or else what tests did before is counted among what the work reads
  const before = await count();
  await work();
  const after = await count();
  return after
    .map(({ name, scans, rows }, i) => ({ name, scans: scans - before[i]!.scans, rows: rows - before[i]!.rows }))
    .filter(({ scans, rows }) => scans > 0 || rows > rowsMax)
    .map(({ name, rows }) => `${rows} rows by ${name}`);
}

const COUNT = `
  select relname as name, seq_scan::float8 as scans, seq_tup_read::float8 as rows
  from pg_stat_user_tables where schemaname = 'orca' and relname = any ($1)
  union all
  select indexrelname, 0, idx_tup_read::float8 from pg_stat_user_indexes where schemaname = 'orca' and relname = any ($1)
  order by 1`;

/** One connection, which plans prepared statements for their values or for any. @param mode of Postgres's `plan_cache_mode`. */
export function planning(test: TestDatabase, mode: "auto" | "force_generic_plan"): Database {
  const url = new URL(test.url);
  url.searchParams.set("options", `-c plan_cache_mode=${mode}`);
  return new Database(url.href, { patienceMs: 0, warn: () => {}, connections: 1, byIndex: true });
}

/** Has a connection's reads counted at once. */
export async function flushCounts(database: Database): Promise<void> {
  await database.query({ name: "flush", text: "select pg_stat_force_next_flush()::text" }, []);
}
