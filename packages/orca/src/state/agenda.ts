/** What there is to do for a scheduler: one round trip, which reads no more when the history is longer. */
import type { Database } from "./database.ts";
import { STARTABLE_PIPELINES } from "./queues.ts";
import { GONE_RUNS } from "./reap-runs.ts";
import { KEYS_TO_ASK, SENSORS_TO_ASK } from "./sensing.ts";

/** Which passes have something to do. */
export interface Agenda {
  readonly reap: boolean;
  readonly settle: boolean;
  readonly fire: boolean;
  readonly start: boolean;
  /** Programs are to be asked what their datasets and keys are. */
  readonly ask: boolean;
  /** URLs are to be told of runs. */
  readonly tell: boolean;
}

export interface AgendaAsked {
  /** On the scheduler's clock. */
  readonly now: Date;
  readonly staleMs: number;
  /** How often sensors' programs are asked. */
  readonly senseMs: number;
}

export async function readAgenda(database: Database, { now, staleMs, senseMs }: AgendaAsked): Promise<Agenda> {
  const [agenda] = await database.query<Agenda>(AGENDA, [now, staleMs / 1000, senseMs / 1000]);
  return agenda!;
}

/** Whether nothing is due, and no run of a registered pipeline that isn't paused is going on, or could be. */
export async function isIdle(database: Database, now: Date, staleMs: number): Promise<boolean> {
  const [row] = await database.query<{ idle: boolean }>(IDLE, [now, staleMs / 1000]);
  return row!.idle;
}

const IDLE = {
  name: "is-idle",
  text: `
    select not exists (select from ${GONE_RUNS.replaceAll("$1", "$2")})
      and not exists (select from orca.runs where ended_at is not null and settled_at is null)
      and not exists (select from orca.pipelines where next_fire_at <= $1)
      and not exists (
      select from orca.pipelines p where p.program is not null and p.paused_at is null and (
        exists (select from orca.runs r where r.pipeline = p.name and r.status = 'running' and r.owner is not null
          and (select at from orca.heartbeats where run = r.id) > clock_timestamp() - make_interval(secs => $2))
        or exists (select from orca.runs r where r.pipeline = p.name and r.status = 'queued' and r.held_back is null and r.waits_for is null
          and (r.not_before is null or r.not_before <= $1)))) as idle`,
};

const AGENDA = {
  name: "agenda",
  text: `
    select
      exists (select from ${GONE_RUNS.replaceAll("$1", "$2")}) as reap,
      exists (select from orca.runs where ended_at is not null and settled_at is null) as settle,
      exists (select from orca.pipelines where next_fire_at <= $1) as fire,
      exists (${STARTABLE_PIPELINES({ isHeldSkipped: false })}) as start,
      exists (select from ${SENSORS_TO_ASK("$3")}) or exists (select from ${KEYS_TO_ASK("$3")}) as ask,
      coalesce((select min(next_try_at) from orca.notifications) <= clock_timestamp(), false) as tell`,
};
