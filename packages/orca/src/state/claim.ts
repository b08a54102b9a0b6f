/** Taking over a run that no process has. */
import type pg from "pg";
import { OrcaError } from "../core/errors.ts";
import type { Database } from "./database.ts";
import { reopenRebuild } from "./rebuilds.ts";
import { releaseWaiting } from "./run-order.ts";
import { BEAT, LOCK, LOSE, LOST, notify } from "./run-rows.ts";
import type { OwnedRun, RunStatus } from "./runs.ts";
import { recordVersion, type Version } from "./versions.ts";

/** How a run is taken over. */
export interface Claim {
  readonly pipeline: string;
  readonly version: Version;
  readonly owner: string;
  /** How old its heartbeat must be for a process to count as gone. */
  readonly staleMs: number;
  /** Whether it may be taken by other code than it was begun by. */
  readonly allowsNewCode: boolean;
  /** By which the scheduler that started this process for the run holds it until then. */
  readonly launch?: string | undefined;
  /** Throws if the run's partitions aren't the pipeline's any more. */
  readonly check: (keys: readonly string[]) => void;
}

/** A run as it stands. */
export interface FoundRun {
  readonly pipeline: string;
  readonly status: RunStatus;
  readonly owner: string | null;
  readonly keys: readonly string[];
  readonly hash: string;
  /** Since its last heartbeat. */
  readonly age_ms: number | null;
  readonly is_pruned: boolean;
  readonly rebuild: number | null;
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
    const found = await findRun(client, id); // what is read in another statement is of after the lock
    const { owner } = claim;
    if (found?.owner === owner) return { id, owner, keys: found.keys }; // the reply was lost
    checkClaim(id, found, claim);
    claim.check(found.keys);
    const versionId = await recordVersion(client, claim.pipeline, claim.version);
    await client.query(LOSE, [id, LOST]);
    await client.query(RESET, [id]);
    await client.query(TAKE, [id, owner, versionId, claim.launch ?? null]);
    await client.query(BEAT, [id]);
    if (claim.launch === undefined) {
      await releaseWaiting(client, [id]);
      if (found.rebuild !== null) await reopenRebuild(client, found.rebuild);
    }
    await notify(client, id);
    return { id, owner, keys: found.keys };
  });
}

/** Undefined if there is none. */
export async function findRun(client: pg.ClientBase, id: number): Promise<FoundRun | undefined> {
  const { rows } = await client.query<FoundRun>(FIND, [id]);
  return rows[0];
}

const FIND = `
  select r.pipeline, r.status, r.owner, r.keys, r.pruned_at is not null as is_pruned, v.registry_hash as hash,
    r.rebuild::float8 as rebuild, extract(epoch from clock_timestamp() - h.at)::float8 * 1000 as age_ms
  from orca.runs r join orca.versions v on v.id = r.version left join orca.heartbeats h on h.run = r.id
  where r.id = $1`;
const RESET = `
  update orca.steps set status = 'waiting', failures = 0, ended_at = null
  where run = $1 and status <> 'succeeded'`;
/** What was asked of a run since its process was started is asked of the process. */
const TAKE = `
  update orca.runs set status = 'running', owner = $2, version = $3, starts = starts + 1,
    cancel_asked_at = case when $4::uuid is not null then cancel_asked_at end,
    started_at = coalesce(started_at, clock_timestamp()), ended_at = null, error = null
  where id = $1`;

function checkClaim(id: number, found: FoundRun | undefined, claim: Claim): asserts found is FoundRun {
  if (found === undefined || found.pipeline !== claim.pipeline)
    throw new OrcaError(
      "unknown-run",
      found === undefined ? `there is no run ${id}` : `run ${id} is one of ${found.pipeline}, not of ${claim.pipeline}`,
    );
  checkStopped(id, found, { ...claim, hash: claim.version.registryHash });
}

/**
 * Checks that a run can be gone on with.
 *
 * @param how.hash of the code that is to go on with it.
 * @throws OrcaError `usage`, `run-owned`, `other-code`
 */
export function checkStopped(
  id: number,
  found: FoundRun,
  {
    hash,
    staleMs,
    allowsNewCode,
    launch,
  }: Pick<Claim, "staleMs" | "allowsNewCode" | "launch"> & { readonly hash: string },
): void {
  if (found.status === "succeeded") throw new OrcaError("usage", `run ${id} has succeeded: there is nothing to resume`);
  checkNotPruned(id, found);
  if (launch !== undefined && found.owner !== launch)
    throw new OrcaError("run-owned", `run ${id} isn't this process's to start any more: another was started for it`);
  const isAlive = found.owner !== null && found.owner !== launch && found.age_ms !== null && found.age_ms < staleMs;
  if (found.status === "running" && isAlive) {
    const ago = `${(found.age_ms / 1000).toFixed(1)} s ago`;
    const until = `${staleMs / 1000} s`;
    throw new OrcaError(
      "run-owned",
      `run ${id} is going on in another process, which was alive ${ago}: cancel it, or wait until it has been silent for ${until}`,
    );
  }
  if (found.hash !== hash && !allowsNewCode)
    throw new OrcaError(
      "other-code",
      `run ${id} was begun by other code (${found.hash}; this is ${hash}): resume it with that build, or with --allow-new-code`,
    );
}

/** @throws OrcaError `usage` */
export function checkNotPruned(id: number, { is_pruned }: FoundRun): void {
  if (is_pruned) throw new OrcaError("usage", `run ${id} was pruned: what it had done isn't on record any more`);
}
