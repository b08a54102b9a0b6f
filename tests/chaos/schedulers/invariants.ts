/** What holds when schedulers have been disturbed and have come to rest: each a query whose rows are what is broken. */
import { fires } from "../../../packages/orca/dist/core/schedule/fires.js";
import type { ChaosDatabase } from "../database.ts";
import type { Subject } from "./subject.ts";

/** Pipelines that have more live runs than they may. The first value is the stale limit, in seconds. */
export const OVER = `
  select p.name, p.max_runs, count(*)::int as live from orca.runs r join orca.pipelines p on p.name = r.pipeline
  join orca.heartbeats h on h.run = r.id
  where r.status = 'running' and r.owner is not null and h.at > clock_timestamp() - make_interval(secs => $1)
  group by 1, 2 having count(*) > p.max_runs`;

const BROKEN: Readonly<Record<string, string>> = {
  "a fire has no run": "select pipeline, at from orca.fires where run is null and partition is not null",
  "two fires have one run": "select run from orca.fires where run is not null group by run having count(*) > 1",
  "a scheduled run has no fire": `
    select id from orca.runs r where trigger = 'schedule' and not exists (select from orca.fires f where f.run = r.id)`,
  "a run is queued or going on": `
    select r.id, r.pipeline, r.status, r.trigger, r.not_before, r.held_back from orca.runs r where status in ('queued', 'running')`,
  "a run's end isn't settled": "select id from orca.runs where ended_at is not null and settled_at is null",
  "a run was retried more often than its pipeline says": `
    select r.id, r.retries from orca.runs r join orca.pipelines p on p.name = r.pipeline where r.retries > p.run_retries`,
  "a failed run has retries left": `
    select r.id, r.retries from orca.runs r join orca.pipelines p on p.name = r.pipeline
    where r.status = 'failed' and r.trigger <> 'manual' and r.retries < p.run_retries`,
  "a run waits for one that has ended": "select id, waits_for from orca.runs where waits_for is not null",
  "a run began before an earlier one of its key had ended": `
    select a.pipeline, k.key, a.id as earlier, a.ended_at, b.id, b.started_at
    from orca.run_keys k join orca.runs a on a.id = k.run
    join orca.run_keys l on l.pipeline = k.pipeline and l.key = k.key and l.run > k.run join orca.runs b on b.id = l.run
    where b.started_at < a.ended_at`,
  "a key is live that is in no live run":
    "select * from orca.run_keys k join orca.runs r on r.id = k.run where k.is_live",
  "a snapshot of a succeeded run wasn't taken by its sensor": `
    with made as (
      select distinct c.dataset, c.snapshot, r.rebuild from orca.commits c join orca.runs r on r.id = c.run
      join orca.attempts a on a.run = c.run and a.step = c.step and a.partition = c.partition and a.attempt = c.attempt
      where r.status = 'succeeded' and a.status = 'succeeded'
    )
    select p.name, m.* from made m join orca.pipeline_datasets d on d.dataset = m.dataset and d.role = 'reads'
    join orca.pipelines p on p.name = d.pipeline and p.is_sensor
    where not exists (
      select from orca.seen_snapshots s where s.pipeline = p.name and s.dataset = m.dataset and s.snapshot = m.snapshot)`,
  "a snapshot that was taken started no run, or several": `
    select s.pipeline, s.dataset, s.snapshot, (
      select count(*) from orca.run_causes c join orca.runs r on r.id = c.run
      where r.pipeline = s.pipeline and c.dataset = s.dataset and c.snapshot = s.snapshot) as runs
    from orca.seen_snapshots s join orca.commits c on c.dataset = s.dataset and c.snapshot = s.snapshot
    join orca.runs made on made.id = c.run
    where (made.rebuild is null or not exists (
        select from orca.rebuild_levels l where l.rebuild = made.rebuild and l.pipeline = s.pipeline))
      and 1 <> (select count(*) from orca.run_causes c join orca.runs r on r.id = c.run
        where r.pipeline = s.pipeline and c.dataset = s.dataset and c.snapshot = s.snapshot)`,
  "a rebuild goes on although all its runs have succeeded": `
    select id from orca.rebuilds b where status = 'running'
      and not exists (select from orca.runs r where r.rebuild = b.id and r.status <> 'succeeded')`,
  "a rebuild's level was queued before the one below it was done": `
    select h.rebuild from orca.rebuild_levels h join orca.rebuild_levels l on l.rebuild = h.rebuild and l.level < h.level
    join orca.runs r on r.rebuild = l.rebuild and r.pipeline = l.pipeline where h.queued_at < r.ended_at and r.status = 'succeeded'`,
};

/** A key that has succeeded in several runs, of pipelines that only backfills and new keys start runs of. */
const RUN_TWICE = `
  select k.pipeline, k.key, array_agg(r.id || ' ' || r.status) from orca.run_keys k join orca.runs r on r.id = k.run
  where r.status = 'succeeded' and k.pipeline = any ($1) group by 1, 2 having count(*) > 1`;

interface Rested {
  readonly startedAt: Date;
  /** How far the clock ever came. */
  readonly until: Date;
  readonly subject: Subject;
}

/** @returns sentences. */
export async function brokenIn(database: ChaosDatabase, rested: Rested): Promise<readonly string[]> {
  const queries = Object.entries(BROKEN).map(([what, query]) => [what, query, []] as const);
  const found = await Promise.all(
    [...queries, ["a key was run twice", RUN_TWICE, [rested.subject.runOnce]] as const].map(
      async ([what, query, values]) => {
        const rows = await database.sql(query, values);
        return rows.length === 0 ? [] : [`${what}: ${rows.length}, such as ${JSON.stringify(rows.slice(0, 3))}`];
      },
    ),
  );
  return [...found.flat(), ...(await wrongFires(database, rested))];
}

/** Schedules that catch up have a fire for each time that they were due. */
async function wrongFires(database: ChaosDatabase, { startedAt, until, subject }: Rested): Promise<readonly string[]> {
  const rows = await database.sql<{ pipeline: string; at: Date }>("select pipeline, at from orca.fires order by at");
  return subject.programs(1).flatMap(({ description: { pipeline, schedule, catchup } }) => {
    if (schedule === null) return [];
    const due = fires(schedule, startedAt, 100_000)
      .filter((at) => at <= until)
      .map((at) => at.toISOString());
    const made = rows.filter((row) => row.pipeline === pipeline).map(({ at }) => at.toISOString());
    const missing = catchup === true ? due.filter((at) => !made.includes(at)) : [];
    const extra = made.filter((at) => !due.includes(at));
    return missing.length + extra.length === 0
      ? []
      : [
          `${pipeline} was due ${due.length} times: missing ${missing.slice(0, 3).join()}, not due ${extra.slice(0, 3).join()}`,
        ];
  });
}
