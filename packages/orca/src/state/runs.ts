/** Runs as rows: made, taken, left and ended, each in one transaction. */
import type pg from "pg";
import { OrcaError } from "../core/errors.ts";
import type { Database, Statement } from "./database.ts";
import { recordVersion, type Version } from "./versions.ts";

export type RunStatus = "queued" | "running" | "succeeded" | "failed" | "cancelled";

/** A run that this process has. */
export interface OwnedRun {
  readonly id: number;
  /** What the run's rows know the process by. */
  readonly owner: string;
  readonly keys: readonly string[];
}

export interface NewRun {
  readonly pipeline: string;
  readonly version: Version;
  readonly keys: readonly string[];
  /** A UUID of the caller's. */
  readonly owner: string;
}

/** Makes a run and takes it. Made again with the same owner, it is the same run. */
export async function beginRun(database: Database, { pipeline, version, keys, owner }: NewRun): Promise<OwnedRun> {
  return await database.transaction(async (client) => {
    const versionId = await recordVersion(client, pipeline, version);
    await client.query(INSERT, [owner, pipeline, versionId, keys]);
    const { rows } = await client.query<{ id: number }>("select id::float8 as id from orca.runs where token = $1", [
      owner,
    ]);
    const { id } = rows[0]!;
    await client.query(BEAT, [id]);
    await notify(client, id);
    return { id, owner, keys };
  });
}

const INSERT = `
  insert into orca.runs (token, pipeline, version, status, trigger, keys, owner, starts, started_at)
  values ($1, $2, $3, 'running', 'manual', $4, $1, 1, clock_timestamp()) on conflict (token) do nothing`;
const BEAT = `
  insert into orca.heartbeats (run, at) values ($1, clock_timestamp())
  on conflict (run) do update set at = excluded.at`;

/** How a run is taken over. */
export interface Claim {
  readonly pipeline: string;
  readonly version: Version;
  readonly owner: string;
  /** How old its heartbeat must be for a process to count as gone. */
  readonly staleMs: number;
  /** Whether it may be taken by other code than it was begun by. */
  readonly allowsNewCode: boolean;
  /** Throws if the run's partitions aren't the pipeline's any more. */
  readonly check: (keys: readonly string[]) => void;
}

interface Found {
  readonly pipeline: string;
  readonly status: RunStatus;
  readonly owner: string | null;
  readonly keys: readonly string[];
  readonly hash: string;
  /** Since its last heartbeat. */
  readonly age_ms: number;
}

/**
 * Takes a run that no process has, to run again all of it that hasn't succeeded.
 *
 * @throws OrcaError `unknown-run`; `run-owned` while its process is alive; `other-code` if it is of other code than `claim.version`;
 * `usage` if all of it has succeeded.
 */
export async function claimRun(database: Database, id: number, claim: Claim): Promise<OwnedRun> {
  return await database.transaction(async (client) => {
    await client.query(LOCK, [id]);
    const { rows } = await client.query<Found>(FIND, [id]); // what is read in another statement is of after the lock
    const found = rows[0];
    const { owner } = claim;
    if (found?.owner === owner) return { id, owner, keys: found.keys }; // the reply was lost
    checkClaim(id, found, claim);
    claim.check(found.keys);
    const versionId = await recordVersion(client, claim.pipeline, claim.version);
    await client.query(LOSE, [id, LOST]);
    await client.query(RESET, [id]);
    await client.query(TAKE, [id, owner, versionId]);
    await client.query(BEAT, [id]);
    await notify(client, id);
    return { id, owner, keys: found.keys };
  });
}

/** Waits for what others change of a run, and has them wait. */
const LOCK = "select from orca.runs where id = $1 for update";
const LOST = "its process was gone: the run's heartbeat had stopped";
const FIND = `
  select r.pipeline, r.status, r.owner, r.keys, v.registry_hash as hash,
    extract(epoch from clock_timestamp() - h.at)::float8 * 1000 as age_ms
  from orca.runs r join orca.versions v on v.id = r.version join orca.heartbeats h on h.run = r.id
  where r.id = $1`;
const LOSE = `
  update orca.attempts set status = 'lost', error = $2, ended_at = clock_timestamp()
  where run = $1 and status = 'running'`;
const RESET = `
  update orca.steps set status = 'waiting', failures = 0, ended_at = null
  where run = $1 and status <> 'succeeded'`;
const TAKE = `
  update orca.runs set status = 'running', owner = $2, version = $3, starts = starts + 1, cancel_asked_at = null,
    started_at = coalesce(started_at, clock_timestamp()), ended_at = null, error = null
  where id = $1`;

function checkClaim(id: number, found: Found | undefined, claim: Claim): asserts found is Found {
  const { pipeline, version, staleMs, allowsNewCode } = claim;
  if (found === undefined || found.pipeline !== pipeline)
    throw new OrcaError(
      "unknown-run",
      found === undefined ? `there is no run ${id}` : `run ${id} is one of ${found.pipeline}, not of ${pipeline}`,
    );
  if (found.status === "succeeded") throw new OrcaError("usage", `run ${id} has succeeded: there is nothing to resume`);
  if (found.status === "running" && found.owner !== null && found.age_ms < staleMs) {
    const ago = `${(found.age_ms / 1000).toFixed(1)} s ago`;
    const until = `${staleMs / 1000} s`;
    throw new OrcaError(
      "run-owned",
      `run ${id} is going on in another process, which was alive ${ago}: cancel it, or wait until it has been silent for ${until}`,
    );
  }
  if (found.hash !== version.registryHash && !allowsNewCode)
    throw new OrcaError(
      "other-code",
      `run ${id} was begun by other code (${found.hash}; this is ${version.registryHash}): resume it with that build, or with --allow-new-code`,
    );
}

/** Ends a run. Nothing is changed if another process has it. @returns whether this one had it. */
export async function endRun(
  database: Database,
  { id, owner }: OwnedRun,
  status: "succeeded" | "failed" | "cancelled",
  error: string | null,
): Promise<boolean> {
  return await doubted(database, END, [id, owner, status, error]);
}

/** A no is asked for again: the statement may have waited for itself, sent before over a connection that was lost, and not seen what that did. */
async function doubted(database: Database, statement: Statement, values: readonly unknown[]): Promise<boolean> {
  const ask = async () => (await database.query<{ is: boolean }>(statement, values))[0]?.is === true;
  return (await ask()) || (await ask());
}

/** Sent again, it finds the run as it left it: ended without an owner, and begun as often as before. */
const END = {
  name: "end-run",
  text: `
    with ended as (
      update orca.runs set status = $3, owner = null, ended_at = clock_timestamp(), error = $4
      where id = $1 and owner = $2 returning pg_notify('orca', 'run:' || id)
    )
    select exists (select from ended) or exists (
      select from orca.runs where id = $1 and owner is null and status = $3) as "is"`,
};

/** Leaves a run that hasn't ended, so that it can be resumed at once. @returns whether this process had it. */
export async function releaseRun(database: Database, { id, owner }: OwnedRun): Promise<boolean> {
  return await doubted(database, RELEASE, [id, owner]);
}

/** Sent again, it finds the run as it left it. */
const RELEASE = {
  name: "release-run",
  text: `
    with released as (
      update orca.runs set owner = null where id = $1 and owner = $2 returning pg_notify('orca', 'run:' || id)
    )
    select exists (select from released) or exists (
      select from orca.runs where id = $1 and owner is null and status = 'running') as "is"`,
};

/**
 * Asks for a run's cancellation; one that no process has is cancelled with it.
 *
 * @param staleMs how old its heartbeat must be for a process to count as gone.
 * @returns the run's status then.
 * @throws OrcaError `unknown-run`.
 */
export async function askToCancel(database: Database, id: number, staleMs: number): Promise<RunStatus> {
  return await database.transaction(async (client) => {
    await client.query(LOCK, [id]);
    const { rows } = await client.query<{ status: RunStatus; alive: boolean }>(STATE, [id, staleMs / 1000]);
    const run = rows[0];
    if (run === undefined) throw new OrcaError("unknown-run", `there is no run ${id}`);
    if (run.status !== "queued" && run.status !== "running") return run.status;
    await client.query(ASK, [id]);
    await notify(client, id);
    if (run.alive) return run.status;
    await client.query(LOSE, [id, LOST]);
    await client.query(CANCEL_STEPS, [id]);
    await client.query(CANCEL, [id]);
    return "cancelled";
  });
}

const STATE = `
  select r.status,
    r.owner is not null and coalesce(h.at >= clock_timestamp() - make_interval(secs => $2), false) as alive
  from orca.runs r left join orca.heartbeats h on h.run = r.id where r.id = $1`;
const ASK = `
  update orca.runs set cancel_asked_at = coalesce(cancel_asked_at, clock_timestamp()) where id = $1`;
const CANCEL_STEPS = `
  update orca.steps set status = 'cancelled', ended_at = clock_timestamp() where run = $1 and status = 'running'`;
const CANCEL = `
  update orca.runs set status = 'cancelled', owner = null, ended_at = clock_timestamp() where id = $1`;

async function notify(client: pg.ClientBase, id: number): Promise<void> {
  await client.query("select pg_notify('orca', $1)", [`run:${id}`]);
}
