/** What there is to do for a scheduler: one round trip, which reads no more when the history is longer. */
import type { Database } from "./database.ts";
import { GONE_RUNS } from "./reap-runs.ts";
import { SENSORS_TO_ASK } from "./sensing.ts";
import { STARTABLE_PIPELINES } from "./start-runs.ts";

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

export const AGENDA = {
  name: "agenda",
  text: `
    select
      exists (select from ${GONE_RUNS.replaceAll("$1", "$2")}) as reap,
      exists (select from orca.runs where ended_at is not null and settled_at is null) as settle,
      exists (select from orca.pipelines where next_fire_at <= $1) as fire,
      exists (${STARTABLE_PIPELINES}) as start,
      exists (select from ${SENSORS_TO_ASK("$3")}) or exists (
        select from orca.pipelines where keys_changed_at is not null and program is not null and paused_at is null) as ask,
      exists (select from orca.notifications where next_try_at <= clock_timestamp()) as tell`,
};
