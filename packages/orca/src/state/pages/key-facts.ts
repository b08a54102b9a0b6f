/** What is known of single partitions: each is looked up for itself, however many there are. */
import type { DescribedPipeline } from "../../core/described.ts";
import type { Database } from "../database.ts";
import { changedSteps, doneBy, keyStateOf, mappedSteps, type KeyFacts, type KeyState } from "./key-states.ts";

/** A partition as pages show it. */
export interface KeyRow {
  readonly key: string;
  readonly state: KeyState;
  /** The run that the state is of: that it is in, that failed, or that did it. */
  readonly run: number | null;
  /** The step that failed, or that has changed. */
  readonly step: string | null;
  /** Why it failed: the first line of the last attempt's error. */
  readonly error: string | null;
  readonly attempts: number | null;
  /** When it failed, or was done. */
  readonly at: Date | null;
}

interface Found extends KeyFacts {
  readonly key: string;
  readonly liveRun: number | null;
  readonly failedRun: number | null;
  readonly failedAt: Date | null;
  readonly error: string | null;
  readonly attempts: number | null;
  readonly doneRun: number | null;
  readonly doneAt: Date | null;
}

/** Those that are given, in their order: also those that nothing is known of. @param step whose state it is; by default that of all steps together. */
export async function keysNamed(
  database: Database,
  description: DescribedPipeline,
  keys: readonly string[],
  step?: string,
): Promise<readonly KeyRow[]> {
  const { pipeline } = description;
  const rows = await database.query<Found>(NAMED, [
    pipeline,
    lastStep(description, step),
    doneBy(description).map(({ name }) => name),
    keys,
  ]);
  return rows.map((row) => rowOf(row, description, step));
}

/** Those that are known from one to another, both included, in order. */
export async function keysBetween(
  database: Database,
  description: DescribedPipeline,
  { first, last, limit }: { readonly first: string; readonly last: string; readonly limit: number },
  step?: string,
): Promise<readonly KeyRow[]> {
  const { pipeline } = description;
  const rows = await database.query<Found>(BETWEEN, [
    pipeline,
    lastStep(description, step),
    doneBy(description).map(({ name }) => name),
    first,
    last,
    limit,
  ]);
  return rows.map((row) => rowOf(row, description, step));
}

/** The step whose success tells which run did a partition. */
function lastStep(description: DescribedPipeline, step: string | undefined): string {
  return step ?? mappedSteps(description).at(-1) ?? "";
}

function rowOf(found: Found, description: DescribedPipeline, step: string | undefined): KeyRow {
  const { key } = found;
  const state = keyStateOf(found, description, step);
  switch (state) {
    case "running":
    case "queued":
      return { key, state, run: found.liveRun, step: null, error: null, attempts: null, at: null };
    case "failed":
    case "cancelled": {
      const { failedRun: run, failedStep, error, attempts, failedAt: at } = found;
      return { key, state, run, step: failedStep, error: error?.split("\n")[0] ?? null, attempts, at };
    }
    case "stale": {
      const changed = changedSteps(found, description).join(", ");
      const { doneRun: run, doneAt: at } = found;
      return { key, state, run, step: changed === "" ? null : changed, error: null, attempts: null, at };
    }
    default:
      return { key, state, run: found.doneRun, step: null, error: null, attempts: null, at: found.doneAt };
  }
}

/** So much of an error is shown in a line. */
const ERROR_MAX = 300;

const FACTS = `
  select given.key, c.hashes, l.live, l.run::float8 as "liveRun", f.status as failure, f.step as "failedStep",
    f.run::float8 as "failedRun", f.at as "failedAt", left(coalesce(a.error, r.error), ${ERROR_MAX}) as error, a.attempt as attempts,
    d.run::float8 as "doneRun", d.at as "doneAt"
  from given
  left join lateral (
    select jsonb_object_agg(step, hash) as hashes from orca.partition_state
    where pipeline = $1 and step = any ($3::text[] collate "C") and key = given.key) c on true
  left join lateral (
    select case when r.status = 'running' then 'running' else 'queued' end as live, q.run
    from orca.run_keys q cross join lateral (select status from orca.runs where id = q.run limit 1) r
    where q.pipeline = $1 and q.key = given.key and q.is_live order by r.status desc, q.run limit 1) l on true
  left join lateral (
    select status, step, run, at from orca.key_failures where pipeline = $1 and key = given.key limit 1) f on true
  left join lateral (
    select error, attempt from orca.attempts where run = f.run and step = f.step and partition = given.key
    order by attempt desc limit 1) a on true
  left join lateral (select error from orca.runs where id = f.run limit 1) r on true
  left join lateral (
    select run, at from orca.partition_state where pipeline = $1 and step = $2 collate "C" and key = given.key limit 1) d on true
  order by given.n`;

const NAMED = {
  name: "page-keys-named",
  text: `
    with given as materialized (
      select key collate "C" as key, n from unnest($4::text[]) with ordinality as t (key, n)
    ) ${FACTS}`,
};
const BETWEEN = {
  name: "page-keys-between",
  text: `
    with given as materialized (
      select key, row_number() over (order by key) as n from (
        select key from orca.keys where pipeline = $1 and key >= $4 collate "C" and key <= $5 collate "C" order by key limit $6
      ) k
    ) ${FACTS}`,
};
