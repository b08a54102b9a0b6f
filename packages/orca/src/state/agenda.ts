/** What there is to do for a scheduler: one round trip, which reads no more when the history is longer. */
import type { Database } from "./database.ts";
import { GONE_RUNS } from "./reap-runs.ts";
import { QUEUED_PIPELINES, STARTABLE_PIPELINES } from "./start-runs.ts";

/** Which passes have something to do. */
export interface Agenda {
  readonly reap: boolean;
  readonly settle: boolean;
  readonly fire: boolean;
  readonly start: boolean;
}

/** @param now on the scheduler's clock. */
export async function readAgenda(database: Database, now: Date, staleMs: number): Promise<Agenda> {
  const [agenda] = await database.query<Agenda>(AGENDA, [now, staleMs / 1000]);
  return agenda!;
}

export const AGENDA = {
  name: "agenda",
  text: `
    with ${QUEUED_PIPELINES}
    select
      exists (select from ${GONE_RUNS.replaceAll("$1", "$2")}) as reap,
      exists (select from orca.runs where ended_at is not null and settled_at is null) as settle,
      exists (select from orca.pipelines where next_fire_at <= $1) as fire,
      exists (select from ${STARTABLE_PIPELINES} and p.name in (select pipeline from queued)) as start`,
};
