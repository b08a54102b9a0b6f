/** The statements that walk lineage: $1 the datasets of what is walked from, $2 their snapshots, $3 how many steps away these are, $4 how many steps there are. */
import type { Statement } from "./database.ts";

const FROM = `unnest($1::text[], $2::bigint[], $3::int[]) as f (dataset, snapshot, distance)`;

/** Snapshots that are reached by ways of several lengths are walked from once for each length, as long as the walk is. */
const BACK_FROM = `
    walk (dataset, snapshot, distance) as (
      select f.dataset collate "C", f.snapshot, f.distance from ${FROM}
      union
      select d.dataset, d.snapshot, w.distance + 1
      from walk w
        cross join lateral (
          select c.run, c.step, c.partition, c.attempt
          from orca.commits c join orca.attempts a using (run, step, partition, attempt)
          where c.dataset = w.dataset and c.snapshot = w.snapshot
          order by a.status = 'succeeded' desc, c.attempt limit 1) m
        join orca.reads d on d.run = m.run and d.step = m.step and d.partition = m.partition and d.attempt = m.attempt
      where w.distance < $4::int - 1 and d.snapshot is not null
    ),
    made as (
      select c.dataset, c.snapshot, w.distance, c.run, c.step, c.partition, c.attempt, c.code
      from walk w join orca.commits c on c.dataset = w.dataset and c.snapshot = w.snapshot
    )`;

/** What is walked from has no maker here, and is a step before what was made of it. */
const FORWARD_FROM = `
    walk (dataset, snapshot, distance, run, step, partition, attempt, code) as (
      select f.dataset collate "C", f.snapshot, f.distance - 1,
        null::bigint, null::text collate "C", null::text collate "C", null::int, null::text collate "C" from ${FROM}
      union
      select c.dataset, c.snapshot, w.distance + 1, c.run, c.step, c.partition, c.attempt, c.code
      from walk w
        join orca.reads d on d.dataset = w.dataset and d.snapshot = w.snapshot
        join orca.commits c
          on c.run = d.run and c.step = d.step and c.partition = d.partition and c.attempt = d.attempt
      where w.distance < $4::int - 1
    ),
    made as (select * from walk where run is not null)`;

/**
 * Of attempts that found the same commit, the one that succeeded counts; few commits have several. The code is that which made it, and where that is is known
 * if the run's version has it. All is looked up by whole keys, and a row for each read takes less time than a list in one.
 */
const detailsOf = (walked: string) => `
    with recursive ${walked},
    attempts_of as (select *, count(*) over (partition by dataset, snapshot) as attempts from made),
    makers as (
      select distinct on (m.dataset, m.snapshot) m.dataset, m.snapshot, m.distance, m.run, m.step, m.partition, m.attempt,
        coalesce(m.code, (
          select s.hash from orca.steps s
          where s.run = m.run and s.step = m.step and s.partition = m.partition)) as code
      from attempts_of m
      order by m.dataset, m.snapshot, m.distance,
        case when m.attempts > 1 then coalesce((
          select a.status = 'succeeded' from orca.attempts a
          where a.run = m.run and a.step = m.step and a.partition = m.partition and a.attempt = m.attempt), false)
        end desc, m.attempt
    )
    select m.dataset, m.snapshot::text, m.distance, r.pipeline, m.run::float8 as run, m.step, m.partition, m.attempt, m.code,
      v.repository, v.commit, d.dataset as source, d.snapshot::text as read
    from makers m
      join orca.runs r on r.id = m.run
      left join orca.versions v on v.id = r.version and v.step_hashes ->> m.step = m.code
      left join orca.reads d
        on d.run = m.run and d.step = m.step and d.partition = m.partition and d.attempt = m.attempt
    order by m.distance, m.dataset, m.snapshot, d.dataset`;

export const BACK: Statement = { name: "lineage-back", text: detailsOf(BACK_FROM) };
export const FORWARD: Statement = { name: "lineage-forward", text: detailsOf(FORWARD_FROM) };
