/** The list of runs, by what one asks for. However long the history is, so many runs are looked through at most. */
import type { Database } from "../database.ts";
import { BY_PIPELINE } from "./by-pipeline.ts";
import { RUN_LINE, type RunLine } from "./run-line.ts";

/** The states that the list is asked for by. */
export type ListedState = "queued" | "running" | "failed" | "succeeded" | "cancelled";

export interface RunsAsked {
  readonly states: readonly ListedState[];
  readonly pipeline?: string | undefined;
  readonly trigger?: string | undefined;
  /** A key that it covers. */
  readonly partition?: string | undefined;
  /** How its commit or its registry hash begins. */
  readonly code?: string | undefined;
  /** When it was made: from then on, and before then. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly backfill?: number | undefined;
  /** Only runs with smaller numbers: the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
  readonly now: Date;
  readonly staleMs: number;
}

export interface RunPage {
  readonly runs: readonly RunLine[];
  /** The next page's `before`; null on the last. */
  readonly before: number | null;
}

/** So many runs are looked through for a page. */
const SCAN_MAX = 5_000;
const NO_ID = Number.MAX_SAFE_INTEGER;

/** The newest runs first. A page may be short, or empty, and not be the last. */
export async function listRuns(database: Database, asked: RunsAsked): Promise<RunPage> {
  const { states, pipeline, trigger, partition, code, backfill, limit, now, staleMs } = asked;
  const [since, until] = await Promise.all([
    asked.from === undefined ? 0 : firstRunSince(database, asked.from),
    asked.to === undefined ? NO_ID : firstRunSince(database, asked.to),
  ]);
  const where = [Math.min(asked.before ?? NO_ID, until), since, pipeline ?? null, partition ?? null, backfill ?? null];
  const source = sourceFor(asked);
  const rows = await database.query<RunLine>(LIST[source], [
    ...where,
    states,
    trigger ?? null,
    code ?? null,
    limit + 1,
    staleMs / 1000,
    now,
  ]);
  if (rows.length > limit) return { runs: rows.slice(0, limit), before: rows[limit - 1]!.id };
  const [last] = await database.query<{ id: number }>(LAST[source], where);
  return { runs: rows, before: last?.id ?? null };
}

/** Where runs are looked for: by the index that leaves the fewest. */
type Source = "partition" | "backfill" | "open" | "failed" | "cancelled" | "pipeline" | "all";

function sourceFor({ states, pipeline, partition, backfill }: RunsAsked): Source {
  if (partition !== undefined) return "partition";
  if (backfill !== undefined) return "backfill";
  if (states.every((state) => state === "queued" || state === "running")) return "open";
  const [state] = states;
  if (states.length === 1 && (state === "failed" || state === "cancelled")) return state;
  return pipeline === undefined ? "all" : "pipeline";
}

const OF_PIPELINE = "($3::text is null or r.pipeline = $3)";
/** Those runs, the newest first. Each takes the same five values. */
const ofRuns = (where: string, order = "r.id desc") => `
  select r.* from orca.runs r where ${where} and r.id < $1 and r.id >= $2
    and $4::text is null and ($5::bigint is null or r.backfill = $5) order by ${order} limit ${SCAN_MAX}`;
const SOURCES: Readonly<Record<Source, string>> = {
  partition: `
    select r.* from (
      select k.run from orca.pipelines p cross join lateral (
        select run from orca.run_keys where pipeline = p.name and key = $4 collate "C" and run < $1 and run >= $2
        order by run desc limit ${SCAN_MAX}
      ) k where $3::text is null or p.name = $3 order by k.run desc limit ${SCAN_MAX}
    ) k cross join lateral (select * from orca.runs where id = k.run limit 1) r
    where $5::bigint is null or r.backfill = $5 order by r.id desc`,
  backfill: ofRuns(`r.backfill = $5 and ${OF_PIPELINE}`),
  open: ofRuns(`lower(r.status) in ('queued', 'running') and ${OF_PIPELINE}`),
  failed: ofRuns(`lower(r.status) = 'failed' and ${OF_PIPELINE}`),
  cancelled: ofRuns(`lower(r.status) = 'cancelled' and ${OF_PIPELINE}`),
  pipeline: ofRuns(BY_PIPELINE("$3::text", "r."), "r.pipeline desc, r.id desc"),
  all: ofRuns("$3::text is null"),
};

/** What is looked up for a run is looked up for those alone that are shown. */
const listText = (source: string) => `
  with code as materialized (
    select array_agg(v.id) as versions from (select * from orca.versions order by id desc limit ${SCAN_MAX}) v
    where $8::text is not null and (starts_with(v.commit, $8) or starts_with(v.registry_hash, $8))
  ),
  listed as materialized (
    select r.* from (${source}) r
    where r.status = any ($6) and ($7::text is null or r.trigger = $7)
      and ($8::text is null or r.version = any ((select versions from code)::bigint[]))
    order by r.id desc limit $9
  )
  select ${RUN_LINE({ run: "listed", staleSeconds: "$10", now: "$11" })} order by r.id desc`;
const lastText = (source: string) =>
  `select id::float8 as id from (${source}) r order by id desc offset ${SCAN_MAX - 1}`;

function statements(name: string, textOf: (source: string) => string) {
  return Object.fromEntries(
    Object.entries(SOURCES).map(([source, text]) => [source, { name: `${name}-${source}`, text: textOf(text) }]),
  ) as Record<Source, { readonly name: string; readonly text: string }>;
}

const LIST = statements("page-runs", listText);
/** The last run that was looked through, if that was the bound. */
const LAST = statements("page-runs-last", lastText);

/**
 * The number of the first run that was made from an instant on: found by halves, as runs are numbered in the order that they are made in.
 * One that waited to be written may be off by what was made meanwhile.
 */
async function firstRunSince(database: Database, at: Date): Promise<number> {
  const [row] = await database.query<{ id: number }>(FIRST_SINCE, [at]);
  return row!.id;
}

const FIRST_SINCE = {
  name: "first-run-since",
  text: `
    with recursive search (low, high) as (
      select 0::bigint, coalesce((select max(id) from orca.runs), 0) + 1
      union all
      select case when middle.created_at < $1 then middle.id else low end,
        case when middle.created_at < $1 then high else (low + high) / 2 end
      from search left join lateral (
        select id, created_at from orca.runs where id >= (low + high) / 2 and id < high order by id limit 1) middle on true
      where high - low > 1
    )
    select min(high)::float8 as id from search`,
};
