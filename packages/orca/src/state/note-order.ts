/** Which queued runs wait for which others: noted, so that however many there are they are looked at once. */
import type { Database } from "./database.ts";
import { QUEUED_RUNS, STARTABLE_PIPELINES } from "./queues.ts";
import { BUSY, EARLIER, IS_HELD, isByHand } from "./run-order.ts";

/** So many of a queue are noted in a transaction. */
const NOTED_MAX = 500;

/**
 * Notes of runs at the head of queues which run they wait for, so that those behind them come to the head, and nobody looks at them again before that
 * has ended. What waits for a run that is noted waits for no other until then: of a thousand runs of a key each waits for the one before it.
 *
 * @returns how many there were.
 */
export async function noteOrder(database: Database, now: Date, staleMs: number): Promise<number> {
  return await database.transaction(async (client) => {
    const { rows } = await client.query<{ run: number; earlier: number }>({ ...HELD, values: [now, staleMs / 1000] });
    await client.query(NOTE, [rows.map((row) => row.run), rows.map((row) => row.earlier)]);
    return rows.length;
  });
}

/**
 * Of queues whose first run is held. The earlier run is locked against its being settled, which would have released those that wait for it; whatever is
 * locked by another is left to the next pass.
 */
const HELD = {
  name: "runs-held-by-earlier-ones",
  text: `
  with held as materialized (
    select s.name, s.backfill from (${STARTABLE_PIPELINES({ isHeldSkipped: false })}) s
    ${BUSY("s.name")}
    cross join lateral (select * from orca.runs where id = s.id limit 1) r where ${IS_HELD}
  ), behind as materialized (
    select r.id, r.earlier from held q cross join lateral (
      select r.id, ${EARLIER} as earlier from (
        select r.* from ${QUEUED_RUNS} and r.pipeline = q.name order by r.id limit ${NOTED_MAX}) r
    ) r where r.earlier is not null
  )
  select b.id::float8 as run, b.earlier::float8 as earlier from behind b
  cross join lateral (
    select from orca.runs o where o.id = b.earlier and o.settled_at is null and (o.status <> 'running' or not ${isByHand("o")})
    limit 1 for key share skip locked) o
  cross join lateral (
    select from orca.runs r where r.id = b.id and r.status = 'queued' and r.waits_for is null
    limit 1 for no key update skip locked) r`,
};
const NOTE = `
  update orca.runs r set waits_for = t.earlier
  from unnest($1::bigint[], $2::bigint[]) as t (run, earlier) where r.id = t.run`;
