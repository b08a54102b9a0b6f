/** Asking for the cancellation of a backfill and of a rebuild: of all their runs. */
import { OrcaError } from "../core/errors.ts";
import { recordAction } from "./actions.ts";
import { CANCEL_STEPS, stopRun } from "./cancel.ts";
import type { Database, Statement } from "./database.ts";

export interface RunsCancelled {
  /** So many were queued, and are cancelled. */
  readonly queued: number;
  /** So many are asked to stop: their processes are told. */
  readonly running: number;
}

export interface CancelAsked {
  readonly id: number;
  /** How old a run's heartbeat must be for its process to count as gone. */
  readonly staleMs: number;
  readonly actor: string;
}

/**
 * Cancels the queued runs of a backfill, and asks those that go on to stop; a run that failed isn't tried again. So many at a time: if this ends early, asking
 * again does the rest. It is on record once, unless there was nothing to cancel.
 *
 * @throws OrcaError `unknown-backfill`
 */
export async function cancelBackfill(database: Database, { id, staleMs, actor }: CancelAsked): Promise<RunsCancelled> {
  await database.transaction(async (client) => {
    const { rows } = await client.query<{ pipeline: string; live: boolean }>(BACKFILL, [id]);
    const [backfill] = rows;
    if (backfill === undefined) throw new OrcaError("unknown-backfill", `there is no backfill ${id}`);
    const { pipeline, live } = backfill;
    if (live) await recordAction(client, { actor, action: "cancel", pipeline, detail: { backfill: id } });
  });
  return await cancelRuns(database, OF_BACKFILL, id, staleMs);
}

/**
 * Cancels a rebuild as `cancelBackfill` does a backfill: no further level of it is queued. It goes on when somebody resumes a run of it.
 *
 * @returns undefined if it had succeeded already.
 * @throws OrcaError `unknown-rebuild`
 */
export async function cancelRebuild(
  database: Database,
  { id, staleMs, actor }: CancelAsked,
): Promise<RunsCancelled | undefined> {
  // before its runs, so that no level is queued behind those; and by itself, as whoever queues a level has locked runs
  const status = await database.transaction(async (client) => {
    const { rows } = await client.query<{ status: string }>(REBUILD, [id]);
    const [rebuild] = rows;
    if (rebuild === undefined) throw new OrcaError("unknown-rebuild", `there is no rebuild ${id}`);
    const isGoingOn = rebuild.status === "running" || rebuild.status === "stopped";
    if (!isGoingOn) return rebuild.status;
    await client.query(CANCEL_REBUILD, [id]);
    await recordAction(client, { actor, action: "cancel", detail: { rebuild: id } });
    await client.query("select pg_notify('orca', 'queue:')");
    return "cancelled";
  });
  return status === "cancelled" ? await cancelRuns(database, OF_REBUILD, id, staleMs) : undefined;
}

/** So many in a transaction. */
const RUNS_MAX = 1_000;

async function cancelRuns(database: Database, of: RunsOf, id: number, staleMs: number): Promise<RunsCancelled> {
  let [queued, running] = [0, 0];
  for (let runs: readonly number[], after = 0; after !== Infinity; after = lastOf(runs)) {
    runs = await cancelQueued(database, of, id, after);
    queued += runs.length;
  }
  // those that others had locked are waited for one by one, while no other is held
  for (let runs: readonly number[], after = 0; after !== Infinity; after = lastOf(runs)) {
    const rows = await database.query<{ id: number }>(of.live, [id, after, RUNS_MAX]);
    runs = rows.map((row) => row.id);
    for (const run of runs) {
      const status = await stopRun(database, run, staleMs);
      if (status === "running") running++;
      else if (status === "cancelled") queued++;
    }
  }
  return { queued, running };
}

/** Behind which the next are, if there can be more. */
function lastOf(runs: readonly number[]): number {
  return runs.length < RUNS_MAX ? Infinity : runs.at(-1)!;
}

/** @returns those that nobody else had locked, the first so many. */
async function cancelQueued(database: Database, of: RunsOf, id: number, after: number): Promise<readonly number[]> {
  return await database.transaction(async (client) => {
    const { rows } = await client.query<{ id: number }>(of.queued, [id, after, RUNS_MAX]);
    const runs = rows.map((row) => row.id);
    if (runs.length === 0) return runs;
    await client.query(CANCEL_STEPS, [runs]);
    await client.query(CANCEL_QUEUED, [runs]);
    await client.query(NOTIFY, [runs]);
    return runs;
  });
}

const IS_LIVE = "(r.status in ('queued', 'running') or r.status = 'failed' and r.settled_at is null)";

/** How runs of something are found: those whose numbers are greater than the second value. */
interface RunsOf {
  readonly queued: string;
  readonly live: Statement;
}

function runsOf(name: string, where: string): RunsOf {
  const first = "r.id > $2 order by r.id limit $3";
  return {
    queued: `
      select r.id::float8 as id from orca.runs r where ${where} and r.status = 'queued' and ${first} for update skip locked`,
    live: { name, text: `select r.id::float8 as id from orca.runs r where ${where} and ${IS_LIVE} and ${first}` },
  };
}

/** The pipeline is named for the index of what is queued. */
const IS_OF_BACKFILL = `
  r.pipeline = (select pipeline from orca.backfills where id = $1) and r.backfill = $1 and coalesce(r.backfill, 0) = $1`;
const OF_BACKFILL = runsOf("live-of-backfill", IS_OF_BACKFILL);
const OF_REBUILD = runsOf("live-of-rebuild", "r.rebuild = $1");
const BACKFILL = `
  select b.pipeline, exists (select from orca.runs r where ${IS_OF_BACKFILL} and ${IS_LIVE}) as live
  from orca.backfills b where b.id = $1`;
const REBUILD = "select status from orca.rebuilds where id = $1 for update";
const CANCEL_REBUILD = "update orca.rebuilds set status = 'cancelled', ended_at = clock_timestamp() where id = $1";
const CANCEL_QUEUED = `
  update orca.runs set status = 'cancelled', ended_at = clock_timestamp(),
    cancel_asked_at = coalesce(cancel_asked_at, clock_timestamp())
  where id = any ($1)`;
const NOTIFY = "select count(pg_notify('orca', 'run:' || id)) from unnest($1::bigint[]) as t (id)";
