/** Backfills: runs for the keys that aren't done, queued at once. */
import type pg from "pg";
import type { DescribedPipeline } from "../core/described.ts";
import { recordAction } from "./actions.ts";
import type { Database } from "./database.ts";
import { lockRegistered } from "./registered.ts";

export interface BackfillAsked {
  readonly pipeline: string;
  /** The keys, as they were asked for. */
  readonly asked: string;
  /** Each of the pipeline's, sorted, once. */
  readonly keys: readonly string[];
  /** Whether those that are done are run again. */
  readonly isRerun: boolean;
  /** Whether the last key is run first. */
  readonly isReversed: boolean;
  /** How many of its runs may be live, if that is fewer than of the pipeline. */
  readonly maxRuns: number | undefined;
  readonly actor: string;
  /** Whether nothing is queued: only what would be is said. */
  readonly isDry: boolean;
}

/** How many keys there are of each kind. */
export interface Backfill {
  /** Undefined for a dry one. */
  readonly id: number | undefined;
  readonly asked: number;
  /** In a run that is queued or going on already. */
  readonly live: number;
  readonly done: number;
  readonly queued: number;
  readonly runs: number;
}

/**
 * Queues runs for the keys that aren't done and in no run that is queued or going on. Backfills of a pipeline wait for each other, so that no key is
 * queued by two.
 *
 * @throws OrcaError `unknown-pipeline`
 */
export async function queueBackfill(database: Database, backfill: BackfillAsked): Promise<Backfill> {
  return await database.transaction(async (client) => {
    const { pipeline, asked, keys, isRerun, isReversed, maxRuns, actor, isDry } = backfill;
    const description = await lockRegistered(client, pipeline);
    const found = await undoneKeys(client, description, keys, isRerun);
    const perRun = description.keysPerRun ?? 1;
    const counts = { asked: keys.length, live: found.live, done: found.done, queued: found.keys.length };
    const runs = Math.ceil(found.keys.length / perRun);
    if (isDry) return { id: undefined, ...counts, runs };
    const values = [
      pipeline,
      asked.slice(0, ASKED_MAX),
      isRerun,
      isReversed,
      maxRuns ?? null,
      counts.asked,
      counts.queued,
      actor,
    ];
    const { rows } = await client.query<{ id: number }>(BACKFILL, values);
    const { id } = rows[0]!;
    await queueKeys(client, {
      pipeline,
      keys: isReversed ? found.keys.toReversed() : found.keys,
      perRun,
      trigger: "backfill",
      backfill: id,
    });
    await recordAction(client, { actor, action: "backfill", pipeline, detail: { id, ...counts } });
    return { id, ...counts, runs };
  });
}

/** What is kept of a list that is longer, for people. */
const ASKED_MAX = 10_000;

const BACKFILL = `
  insert into orca.backfills (pipeline, asked, is_rerun, is_reversed, max_runs, keys_asked, keys_queued, asked_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8) returning id::float8 as id`;

interface UndoneKeys {
  readonly keys: readonly string[];
  readonly live: number;
  readonly done: number;
}

/** Which keys are to be run: under the lock on the pipeline's row, they are in no live run until others are let at it. */
export async function undoneKeys(
  client: pg.ClientBase,
  { pipeline, hash, steps }: DescribedPipeline,
  keys: readonly string[],
  isRerun: boolean,
): Promise<UndoneKeys> {
  const mapped = steps.filter((s) => s.kind === "mapped");
  // of a pipeline without mapped steps its runs' success counts, which has no step's name
  const by = mapped.length > 0 ? mapped : [{ name: "", hash }];
  const { rows } = await client.query<{ key: string; is_live: boolean; is_done: boolean }>(STATE_OF_KEYS, [
    pipeline,
    keys,
    by.map((s) => s.name),
    by.map((s) => s.hash),
  ]);
  const free = rows.filter((row) => !row.is_live);
  const undone = isRerun ? free : free.filter((row) => !row.is_done);
  return { keys: undone.map((row) => row.key), live: rows.length - free.length, done: free.length - undone.length };
}

/**
 * Each key is looked up, rather than joined: joins are planned by statistics, and take minutes where these are old. What is in a run that has failed, and that
 * a pass is going to queue again, is as live as what is queued.
 */
const STATE_OF_KEYS = `
  select key,
    (select true from orca.run_keys where pipeline = $1 and key = given.key collate "C" and is_live limit 1) is not null
      or key collate "C" in (
        select unnest(r.keys) from orca.runs r where r.ended_at is not null and r.settled_at is null and r.pipeline = $1
          and r.status = 'failed' and r.trigger <> 'manual'
          and r.retries < (select run_retries from orca.pipelines where name = $1)) as is_live,
    not exists (
      select from unnest($3::text[], $4::text[]) as current (step, hash) where (
        select true from orca.partition_state
        where pipeline = $1 and step = current.step collate "C" and key = given.key collate "C" and hash = current.hash limit 1
      ) is null
    ) as is_done
  from unnest($2::text[]) with ordinality as given (key, n) order by n`;

/** What runs are queued for. */
export interface KeysToQueue {
  readonly pipeline: string;
  /** In the order in which they are run. */
  readonly keys: readonly string[];
  /** How many a run covers. */
  readonly perRun: number;
  readonly trigger: "backfill" | "sensor" | "rebuild";
  readonly backfill?: number;
  readonly rebuild?: number;
}

/** Queues runs of the pipeline's code, as few as cover the keys. @returns their numbers, in order. */
export async function queueKeys(client: pg.ClientBase, given: KeysToQueue): Promise<readonly number[]> {
  const { pipeline, keys, perRun, trigger, backfill, rebuild } = given;
  if (keys.length === 0) return [];
  const values = [pipeline, keys, perRun, trigger, backfill ?? null, rebuild ?? null];
  const { rows } = await client.query<{ id: number }>(QUEUE, values);
  await client.query("select pg_notify('orca', 'queue:')");
  return rows.map((row) => row.id);
}

const QUEUE = `
  insert into orca.runs (token, pipeline, version, status, trigger, keys, backfill, rebuild)
  select orca.run_token(), p.name, p.version, 'queued', $4, c.keys, $5, $6
  from orca.pipelines p, (
    select (n - 1) / $3 as place, array_agg(key order by key collate "C") as keys
    from unnest($2::text[]) with ordinality as t (key, n) group by 1 order by 1
  ) c where p.name = $1 order by c.place
  returning id::float8 as id`;
