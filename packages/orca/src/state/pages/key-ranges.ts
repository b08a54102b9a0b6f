/**
 * How many keys of a pipeline are in which state, by ranges of their names. Counting 120,000 keys takes a second; the ranges whose keys have changed
 * are counted anew, some at a time, and the page is told again when there are more.
 */
import type { Database } from "../database.ts";
import type { KeyGroup } from "./key-states.ts";

export interface KeyRange {
  /** Its first key, or "" for all that come before the second range's. */
  readonly first: string;
  readonly groups: readonly KeyGroup[];
  /** Whether nothing has changed since it was counted. */
  readonly isCounted: boolean;
}

/** A range is split when it has more keys than the first, into some of as many as the second. */
const [KEYS_MAX, KEYS_EACH] = [1_200, 600];
/** So many are read: of 3,000,000 keys. */
const RANGES_MAX = 5_000;
/** What is done in a transaction. */
export interface CountingEffort {
  /** Ranges that are counted. */
  readonly ranges: number;
  /** Changes that are looked at. */
  readonly changes: number;
  /** Keys that a range that is too large is split over. */
  readonly split: number;
}

/** What a page waits for, and what is done meanwhile. */
export const COUNT_BRIEFLY: CountingEffort = { ranges: 2, changes: 10, split: 3_000 };
const COUNT_ON: CountingEffort = { ranges: 12, changes: 500, split: 60_000 };

export async function readKeyRanges(database: Database, pipeline: string): Promise<readonly KeyRange[]> {
  return await database.query<KeyRange>(RANGES, [pipeline, RANGES_MAX]);
}

const RANGES = {
  name: "page-key-ranges",
  text: `
    select r.first, r.is_counted as "isCounted", coalesce((
      select jsonb_agg(jsonb_build_object('hashes', c.hashes, 'live', g->'live', 'failure', g->'failure',
        'failedStep', g->'failedStep', 'count', g->'count'))
      from jsonb_array_elements(r.counts) g
      left join orca.key_codes c on c.pipeline = r.pipeline and c.code = (g->>'code')::uuid), '[]') as groups
    from orca.key_ranges r where r.pipeline = $1 order by r.first limit $2`,
};

/** Counts some of the ranges that have changed, and notes what their keys are done with. @returns whether there are more. While another does so for the pipeline, nothing is done. */
export async function countKeyRanges(database: Database, pipeline: string, effort = COUNT_ON): Promise<boolean> {
  const [pending] = await database.query<{ pending: boolean }>(PENDING, [pipeline]);
  if (!pending!.pending) return false;
  return await database.transaction(async (client) => {
    const { rows: lock } = await client.query<{ taken: boolean }>(LOCK, [pipeline]);
    if (!lock[0]!.taken) return false;
    await client.query(FIRST, [pipeline]);
    await client.query(CHANGED, [pipeline, effort.changes]);
    const { rows: ranges } = await client.query<{ first: string; until: string | null; isLarge: boolean }>(TO_COUNT, [
      pipeline,
      effort.ranges,
      KEYS_MAX,
    ]);
    const large = ranges.find((range) => range.isLarge);
    if (large !== undefined) await client.query(SPLIT, [pipeline, large.first, large.until, KEYS_EACH, effort.split]);
    const ready = ranges.filter((range) => !range.isLarge);
    const bounds = [ready.map((range) => range.first), ready.map((range) => range.until)];
    await client.query(CODED, [pipeline, ...bounds]);
    await client.query(COUNT, [pipeline, ...bounds]);
    const { rows } = await client.query<{ pending: boolean }>(PENDING.text, [pipeline]);
    if (rows[0]!.pending) return true;
    await client.query("select pg_notify('orca', $1)", [`pipeline:${pipeline}`]);
    return false;
  });
}

const PENDING = {
  name: "page-key-ranges-pending",
  text: `
    select exists (select from orca.key_changes where pipeline = $1)
      or exists (select from orca.key_ranges where pipeline = $1 and not is_counted)
      or not exists (select from orca.key_ranges where pipeline = $1) as pending`,
};
/** What was counted last would win, though it was read first. */
const LOCK = "select pg_try_advisory_xact_lock(hashtext('orca.keys ' || $1)) as taken";
const FIRST = `insert into orca.key_ranges (pipeline, first) values ($1, '') on conflict do nothing`;
const CHANGED = `
  with noted as materialized (select id, run from orca.key_changes where pipeline = $1 order by id limit $2
    for update skip locked),
  taken as (delete from orca.key_changes where id in (select id from noted)),
  changed as materialized (
    select distinct (select r.first from orca.key_ranges r where r.pipeline = $1 and r.first <= k.key collate "C"
      order by r.first desc limit 1) as first
    from (select distinct run from noted where run is not null) s
    cross join lateral (select keys from orca.runs where id = s.run limit 1) of, unnest(of.keys) as k (key)
  )
  update orca.key_ranges set is_counted = false where pipeline = $1 and is_counted
    and (first in (select first from changed) or (select bool_or(run is null) from noted))`;
const TO_COUNT = `
  select r.first, r.until,
    (select count(*) from (select from orca.keys k
      where k.pipeline = $1 and k.key >= r.first and (r.until is null or k.key < r.until) limit $3 + 1) k) > $3 as "isLarge"
  from (
    select first, (select n.first from orca.key_ranges n where n.pipeline = $1 and n.first > r.first order by n.first limit 1) as until
    from orca.key_ranges r where pipeline = $1 and not is_counted order by first limit $2) r`;
const SPLIT = `
  insert into orca.key_ranges (pipeline, first)
  select $1, key from (
    select key, row_number() over (order by key) as n from (
      select key from orca.keys where pipeline = $1 and key >= $2 collate "C" and ($3::text is null or key < $3 collate "C")
      order by key limit $5) k) k
  where n > 1 and n % $4 = 1 on conflict do nothing`;
/** Each key is looked up for itself; what many of them have in common is made once. */
const CODED = `
  with steps as materialized (
    select array(
      select step->>'name' from orca.pipelines p cross join lateral jsonb_array_elements(p.description->'steps') as s (step)
      where p.name = $1 union all select '') as names
  ), found as materialized (
    select k.key, k.code, (
      select jsonb_object_agg(d.step, d.hash) from orca.partition_state d
      where d.pipeline = $1 and d.step = any ((select names from steps)::text[] collate "C") and d.key = k.key) as hashes
    from unnest($2::text[], $3::text[]) as g (first, until) cross join lateral (
      select key, code from orca.keys
      where pipeline = $1 and key >= g.first collate "C" and (g.until is null or key < g.until collate "C")) k
  ), codes as materialized (
    select hashes, md5(hashes::text)::uuid as code from (select distinct hashes from found where hashes is not null) f
  ), named as (
    insert into orca.key_codes (pipeline, code, hashes) select $1, code, hashes from codes on conflict do nothing
  )
  insert into orca.keys (pipeline, key, code)
  select $1, f.key, c.code from found f left join codes c using (hashes) where f.code is distinct from c.code order by f.key
  on conflict (pipeline, key) do update set code = excluded.code`;
const COUNT = `
  with counted as materialized (
    select g.first, coalesce(jsonb_agg(jsonb_build_object('code', c.code, 'live', c.live, 'failure', c.failure,
      'failedStep', c.step, 'count', c.count)) filter (where c.count is not null), '[]') as counts
    from unnest($2::text[], $3::text[]) as g (first, until)
    left join lateral (
      select k.code, l.live, f.status as failure, f.step, count(*)
      from orca.keys k
      left join lateral (
        select max(r.status) as live from orca.run_keys q cross join lateral (
          select status from orca.runs where id = q.run limit 1) r
        where q.pipeline = $1 and q.key = k.key and q.is_live) l on true
      left join lateral (
        select status, step from orca.key_failures where pipeline = $1 and key = k.key limit 1) f on true
      where k.pipeline = $1 and k.key >= g.first collate "C" and (g.until is null or k.key < g.until collate "C")
      group by 1, 2, 3, 4
    ) c on true
    group by g.first
  )
  update orca.key_ranges r set counts = counted.counts, is_counted = true
  from counted where r.pipeline = $1 and r.first = counted.first collate "C"`;
