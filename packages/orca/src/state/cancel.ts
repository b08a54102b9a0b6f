/** Asking for a run's cancellation, from wherever. */
import type pg from "pg";
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
    const run = await lockToStop(client, id, staleMs);
    if (run === undefined) throw new OrcaError("unknown-run", `there is no run ${id}`);
    if (run.status !== "queued" && run.status !== "running") return run.status;
    await recordAction(client, { actor, action: "cancel", pipeline: run.pipeline, run: id });
    return await stop(client, id, run);
  });
}

/** A run whose row is locked, as it stood when it was. */
interface RunToStop {
  readonly pipeline: string;
  readonly status: RunStatus;
  /** Whether a process has it. */
  readonly alive: boolean;
}

async function lockToStop(client: pg.ClientBase, id: number, staleMs: number): Promise<RunToStop | undefined> {
  await client.query(LOCK, [id]);
  const { rows } = await client.query<RunToStop>(STATE, [id, staleMs / 1000]);
  return rows[0];
}

async function stop(client: pg.ClientBase, id: number, { status, alive }: RunToStop): Promise<RunStatus> {
  await client.query(ASK, [id]);
  await notify(client, id);
  if (alive) return status;
  await client.query(LOSE, [id, LOST]);
  await client.query(CANCEL_STEPS, [[id]]);
  await client.query(CANCEL, [id]);
  return "cancelled";
}

/** Has a run stop, whatever it is at: one that failed isn't queued again. @returns its status then; undefined if there is no such run. */
export async function stopRun(database: Database, id: number, staleMs: number): Promise<RunStatus | undefined> {
  return await database.transaction(async (client) => {
    const run = await lockToStop(client, id, staleMs);
    if (run?.status === "failed") await client.query(ASK, [id]);
    if (run?.status !== "queued" && run?.status !== "running") return run?.status;
    return await stop(client, id, run);
  });
}

const STATE = `
  select r.pipeline, r.status,
    r.owner is not null and coalesce(h.at >= clock_timestamp() - make_interval(secs => $2), false) as alive
  from orca.runs r left join orca.heartbeats h on h.run = r.id where r.id = $1`;
const ASK = `
  update orca.runs set cancel_asked_at = coalesce(cancel_asked_at, clock_timestamp()) where id = $1`;
/** Steps of queued runs go on where the runs are to be tried again. */
export const CANCEL_STEPS = `
  update orca.steps set status = 'cancelled', ended_at = clock_timestamp() where run = any ($1) and status = 'running'`;
const CANCEL = `
  update orca.runs set status = 'cancelled', owner = null, ended_at = clock_timestamp() where id = $1`;
