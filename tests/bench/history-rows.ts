/** Fills a database with runs that have ended, their steps, and all else that is on record of them. */

export interface HistorySize {
  /** Each covers five days, with two steps of each, and an attempt of each of those. */
  readonly runs: number;
  /** How many are written in a transaction. */
  readonly batch: number;
}

/** Half of the runs are of the first, the others of the rest. */
export const HISTORY_PIPELINES: readonly string[] = Array.from({ length: 100 }, (_, i) => `p${i}`);
const DAYS = 5_000;

/** Postgres checks no rules meanwhile, nor keeps what triggers keep: all that is written is in order. */
export async function fillHistory(
  sql: (text: string) => Promise<unknown>,
  { runs, batch }: HistorySize,
): Promise<void> {
  await sql("set synchronous_commit = off; set session_replication_role = replica");
  for (let from = 1; from <= runs; from += batch) {
    for (const insert of inserts(from, Math.min(from + batch - 1, runs))) await sql(`insert into orca.${insert}`);
  }
  await sql(`insert into orca.partition_state (pipeline, step, key, hash, run)
    select p.name, s.step, (date '2000-01-01' + n)::text, '0xa', 1
    from orca.pipelines p, generate_series(0, ${DAYS - 1}) n, unnest(array['load', 'clean']) as s (step) where p.name like 'p%'`);
  await sql(`select setval(pg_get_serial_sequence('orca.runs', 'id'), ${runs})`);
  await sql("reset session_replication_role; reset synchronous_commit");
}

/** A minute after the other, since 2022. */
const AT = "timestamptz '2022-01-01' + id * interval '1 minute'";

function inserts(from: number, to: number): readonly string[] {
  const made = `from orca.runs where id between ${from} and ${to}`;
  const steps = `from orca.steps where run between ${from} and ${to}`;
  return [
    `runs (id, token, pipeline, version, status, trigger, keys, starts, created_at, started_at, ended_at, settled_at)
      overriding system value
      select id, gen_random_uuid(), name, version, case when id % 10 = 0 then 'failed' else 'succeeded' end,
        case when id % 3 = 0 then 'manual' else 'schedule' end,
        array(select (date '2000-01-01' + (id * 5 + n)::int % ${DAYS})::text from generate_series(0, 4) n),
        1, ${AT}, ${AT}, ${AT}, ${AT}
      from generate_series(${from}, ${to}) id
      join orca.pipelines p on p.name = case when id % 2 = 0 then 'p0' else 'p' || (1 + id / 2 % 99) end`,
    `run_keys (pipeline, key, run, is_live) select pipeline, unnest(keys), id, false ${made}`,
    `heartbeats (run, at) select id, ended_at ${made}`,
    `steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
      select id, step, key, case when fails then 'failed' else 'succeeded' end, '0xa', case when fails then null else '1' end, 1, started_at, ended_at
      from (select id, step, key, started_at, ended_at, status = 'failed' and step = 'clean' and key = keys[1] as fails
        from orca.runs, unnest(keys) as k (key), unnest(array['load', 'clean']) as s (step) where id between ${from} and ${to}) each`,
    `attempts (run, step, partition, attempt, status, owner, started_at, ended_at, error)
      select run, step, partition, 1, status, '00000000-0000-0000-0000-000000000000', started_at, ended_at, case status when 'failed' then 'no rain' end ${steps}`,
    `commits (run, step, partition, attempt, number, dataset, location, snapshot, operation, at)
      select id, 'load', keys[1], 1, 1, 'bench.raw', '/lake', id, 'append', ended_at ${made}`,
    `reads (run, step, partition, attempt, dataset, location, snapshot, at)
      select id, 'load', keys[1], 1, 'bench.sources', '/lake', id, started_at ${made}`,
    `fires (pipeline, at, partition, run) select pipeline, created_at, keys[1], id ${made} and trigger = 'schedule'`,
    `seen_snapshots (pipeline, dataset, snapshot) select 'report', 'bench.raw', id ${made}`,
    `run_causes (run, dataset, snapshot) select id, 'bench.sources', id ${made}`,
    `actions (actor, action, pipeline, run) select 'scheduler', 'start', pipeline, id ${made}`,
    `notifications (pipeline, run, kind, url, first_key, next_try_at, told_at)
      select pipeline, id, 'failed', 'http://127.0.0.1:1', keys[1], null, ended_at ${made} and status = 'failed'`,
  ];
}
