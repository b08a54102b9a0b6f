/** Waits until nothing is due, queued or going on. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosDatabase } from "../database.ts";
import type { Clock } from "./clock.ts";
import type { Subject } from "./subject.ts";

/** How long nothing may change although something is to come: far more than a machine at work takes for any one thing. */
const IDLE_MS_MAX = 120_000;
/** How often the clock may be moved on for runs that wait for it: each waits as often as it may be retried. */
const MOVES_MAX = 500;
const LOOK_MS = 50;

interface Left {
  readonly runs: number;
  readonly due: number;
  /** Of the runs, those that wait for the clock, or for others. */
  readonly waiting: number;
  /** When the last of these is to start. */
  readonly next: Date | null;
  /** Another whenever anything has happened. */
  readonly state: string;
}

/** Moves the clock on to what waits for it. @returns what is broken if they don't come to rest. */
export async function comeToRest(database: ChaosDatabase, clock: Clock, subject: Subject): Promise<readonly string[]> {
  let [state, since, moves] = ["", performance.now(), 0];
  clock.moveTo(clock.latest); // what is due until then is made
  while (performance.now() - since < IDLE_MS_MAX && moves < MOVES_MAX) {
    const [row] = await database.sql<Left>(LEFT, [clock.now]);
    const { runs, due, waiting, next } = row!;
    const others = await subject.left(database);
    if (runs === 0 && due === 0 && others.length === 0) return [];
    const now = JSON.stringify([row!.state, others]);
    if (now !== state) [state, since] = [now, performance.now()];
    if (runs > 0 && runs === waiting && due === 0) {
      moves++;
      clock.moveTo(new Date(next!.getTime() + 1_000));
      await database.sql(WAKE);
    } else await sleep(LOOK_MS);
  }
  const left = await database.sql(
    "select pipeline, status, held_back, count(*)::int from orca.runs where ended_at is null group by 1, 2, 3",
  );
  return [`schedulers didn't come to rest after ${moves} moves: ${state}, with ${JSON.stringify(left)}`];
}

/** Schedulers look at the clock when something has changed. */
export const WAKE = "select pg_notify('orca', 'clock:')";
const LEFT = `
  select count(*)::int as runs, (select count(*)::int from orca.pipelines where next_fire_at <= $1) as due,
    (count(*) filter (where status = 'queued' and (not_before > $1 or waits_for is not null)))::int as waiting,
    max(not_before) filter (where status = 'queued') as next,
    (select concat_ws(' ', count(*), sum(starts), sum(retries), count(ended_at), count(settled_at)) from orca.runs) as state
  from orca.runs where status in ('queued', 'running') or (ended_at is not null and settled_at is null)`;
