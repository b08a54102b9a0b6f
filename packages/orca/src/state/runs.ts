/** Runs as rows: made, left and ended, each in one transaction. */
import type { Database, Statement } from "./database.ts";
import { BEAT, notify } from "./run-rows.ts";
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

/** What tells a run from all others, those of other databases too. */
export async function tokenOfRun(database: Database, id: number): Promise<string> {
  const [row] = await database.query<{ token: string }>(TOKEN, [id]);
  return row!.token;
}

const TOKEN = { name: "token-of-run", text: "select token from orca.runs where id = $1" };

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

/**
 * Sent again, it finds the run as it left it: ended without an owner, and begun as often as before. Where no mapped step has said that a key is done, as in a
 * pipeline of gather steps alone, the run's success says so of its keys.
 */
const END = {
  name: "end-run",
  text: `
    with ended as (
      update orca.runs set status = $3, owner = null, ended_at = clock_timestamp(), error = $4
      where id = $1 and owner = $2 returning pipeline, version, keys, pg_notify('orca', 'run:' || id)
    ),
    done as (
      insert into orca.partition_state (pipeline, step, key, hash, run, at)
      select e.pipeline, '', key, (select registry_hash from orca.versions where id = e.version), $1, clock_timestamp()
      from ended e cross join lateral (select distinct key from unnest(e.keys) as key) keys
      where $3 = 'succeeded' and not exists (select from orca.steps where run = $1 and partition <> '')
      order by key -- as other runs do that end at this moment
      on conflict (pipeline, step, key) do update set hash = excluded.hash, run = excluded.run, at = excluded.at
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
