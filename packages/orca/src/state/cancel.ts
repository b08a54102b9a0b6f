/** Asking for a run's cancellation, from wherever. */
import { OrcaError } from "../core/errors.ts";
import { recordAction } from "./actions.ts";
import type { Database } from "./database.ts";
import { LOCK, LOSE, LOST, notify } from "./run-rows.ts";
import type { RunStatus } from "./runs.ts";

/**
 * Asks for a run's cancellation; one that no process has is cancelled with it.
 *
 * @param staleMs how old its heartbeat must be for a process to count as gone.
 * @param actor who asks, for the record.
 * @returns the run's status then.
 * @throws OrcaError `unknown-run`.
 */
export async function askToCancel(database: Database, id: number, staleMs: number, actor: string): Promise<RunStatus> {
  return await database.transaction(async (client) => {
    await client.query(LOCK, [id]);
    const { rows } = await client.query<{ pipeline: string; status: RunStatus; alive: boolean }>(STATE, [
      id,
      staleMs / 1000,
    ]);
    const run = rows[0];
    if (run === undefined) throw new OrcaError("unknown-run", `there is no run ${id}`);
    if (run.status !== "queued" && run.status !== "running") return run.status;
    await client.query(ASK, [id]);
    await recordAction(client, { actor, action: "cancel", pipeline: run.pipeline, run: id });
    await notify(client, id);
    if (run.alive) return run.status;
    await client.query(LOSE, [id, LOST]);
    await client.query(CANCEL_STEPS, [id]);
    await client.query(CANCEL, [id]);
    return "cancelled";
  });
}

const STATE = `
  select r.pipeline, r.status,
    r.owner is not null and coalesce(h.at >= clock_timestamp() - make_interval(secs => $2), false) as alive
  from orca.runs r left join orca.heartbeats h on h.run = r.id where r.id = $1`;
const ASK = `
  update orca.runs set cancel_asked_at = coalesce(cancel_asked_at, clock_timestamp()) where id = $1`;
const CANCEL_STEPS = `
  update orca.steps set status = 'cancelled', ended_at = clock_timestamp() where run = $1 and status = 'running'`;
const CANCEL = `
  update orca.runs set status = 'cancelled', owner = null, ended_at = clock_timestamp() where id = $1`;
