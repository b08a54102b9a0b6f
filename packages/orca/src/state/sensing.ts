/** Whose turn it is to be asked what its datasets hold, and what it said. */
import { recordAction } from "./actions.ts";
import { queueKeys, undoneKeys } from "./backfills.ts";
import type { Database } from "./database.ts";
import { recordKeys } from "./keys.ts";
import { lockRegistered } from "./registered.ts";
import { takeSnapshots, type NewSnapshot } from "./sensors.ts";

/** What a sensor's program is asked for: the snapshots of its datasets, or its keys. */
export type AskedFor = "snapshots" | "keys";

/** A program that is asked. */
export interface AskedProgram {
  readonly pipeline: string;
  readonly program: string;
}

/** The sensors that weren't asked for some time, which are this scheduler's to ask now. */
export async function sensorsToAsk(
  database: Database,
  everyMs: number,
  limit: number,
): Promise<readonly AskedProgram[]> {
  return await database.query<AskedProgram & object>(TO_ASK, [everyMs / 1000, limit]);
}

/** What a scheduler looks for in each of its passes. The interval is the value. */
export const SENSORS_TO_ASK = (interval: string) => `
  orca.pipelines where is_sensor and program is not null and paused_at is null
    and (sensed_at is null or sensed_at < clock_timestamp() - make_interval(secs => ${interval}))`;
const TO_ASK = {
  name: "sensors-to-ask",
  text: `
    update orca.pipelines set sensed_at = clock_timestamp()
    where name in (select name from ${SENSORS_TO_ASK("$1")} order by sensed_at nulls first limit $2 for no key update skip locked)
    returning name as pipeline, program`,
};

/** What a program says of a snapshot. */
export interface SaidSnapshot extends NewSnapshot {
  /** Tells the run of Orca's that made it, if one did. */
  readonly runToken: string | undefined;
}

/** Takes the snapshots that others than recorded runs made: what those made is taken when they have succeeded. */
export async function takeSaid(
  database: Database,
  pipeline: string,
  said: readonly SaidSnapshot[],
  now: Date,
): Promise<void> {
  if (said.length === 0) return;
  await database.transaction(async (client) => {
    const values = [said.map((s) => s.dataset), said.map((s) => s.snapshot), said.map((s) => s.runToken ?? null)];
    const { rows } = await client.query<{ n: number }>(OF_OTHERS, values);
    const ofOthers = rows.map((row) => said[row.n - 1]!);
    await takeSnapshots(client, ofOthers, { now, only: pipeline });
  });
}

const OF_OTHERS = `
  select n::int from unnest($1::text[], $2::bigint[], $3::uuid[]) with ordinality as t (dataset, snapshot, token, n)
  where not exists (select from orca.runs r where r.token = t.token)
    and not exists (select from orca.commits c where c.dataset = t.dataset collate "C" and c.snapshot = t.snapshot)`;

/** The keyed sensors whose keys have changed, which are this scheduler's to ask for them now. Those that couldn't say them are asked again after the interval. */
export async function sensorsWithNewKeys(
  database: Database,
  everyMs: number,
  limit: number,
): Promise<readonly (AskedProgram & { readonly changedAt: string })[]> {
  return await database.query<AskedProgram & { readonly changedAt: string }>(WITH_NEW_KEYS, [everyMs / 1000, limit]);
}

/** What a scheduler looks for in each of its passes. The interval is the value. */
export const KEYS_TO_ASK = (interval: string) => `
  orca.pipelines where keys_changed_at is not null and program is not null and paused_at is null
    and (keys_asked_at is null or keys_asked_at < keys_changed_at
      or keys_asked_at < clock_timestamp() - make_interval(secs => ${interval}))`;

const WITH_NEW_KEYS = {
  name: "sensors-with-new-keys",
  text: `
    update orca.pipelines set keys_asked_at = clock_timestamp()
    where name in (select name from ${KEYS_TO_ASK("$1")}
      order by keys_asked_at nulls first, keys_changed_at limit $2 for no key update skip locked)
    returning name as pipeline, program, keys_changed_at::text as "changedAt"`,
};

/** Queues runs for the keys that aren't done. @param changedAt when they had last changed before they were read: later changes are looked at again. */
export async function queueNewKeys(
  database: Database,
  pipeline: string,
  { keys, changedAt }: { readonly keys: readonly string[]; readonly changedAt: string },
): Promise<number> {
  return await database.transaction(async (client) => {
    const description = await lockRegistered(client, pipeline);
    await recordKeys(client, pipeline, keys);
    const { keys: undone } = await undoneKeys(client, description, keys, false);
    const runs = await queueKeys(client, {
      pipeline,
      keys: undone,
      perRun: description.keysPerRun ?? 1,
      trigger: "sensor",
    });
    await client.query(KEYS_QUEUED, [pipeline, changedAt]);
    if (runs.length > 0)
      await recordAction(client, { actor: "scheduler", action: "new-keys", pipeline, detail: { keys: undone.length } });
    return runs.length;
  });
}

const KEYS_QUEUED = `
  update orca.pipelines set keys_changed_at = null where name = $1 and keys_changed_at = $2::timestamptz`;

/** Records whether a program could say what it was asked for, unless another is registered meanwhile. @param error why not. */
export async function recordAsked(
  database: Database,
  { pipeline, program }: AskedProgram,
  what: AskedFor,
  error: string | undefined,
): Promise<void> {
  await database.query(ASKED[what], [pipeline, program, error?.slice(0, ERROR_MAX).replaceAll("\0", "�") ?? null]);
}

/** In UTF-16 units. */
const ERROR_MAX = 1_000;
/** Who looks at the pipeline is told of what is new. */
const asked = (column: string) => ({
  name: `asked-${column}`,
  text: `
    with changed as (
      update orca.pipelines set ${column} = $3 where name = $1 and program = $2 and ${column} is distinct from $3 returning name)
    select pg_notify('orca', 'pipeline:' || name) from changed`,
});
const ASKED: Readonly<Record<AskedFor, ReturnType<typeof asked>>> = {
  snapshots: asked("sense_error"),
  keys: asked("keys_error"),
};
