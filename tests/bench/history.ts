/** What a long history costs a scheduler's passes and what pages read: both are timed in turns over two databases, of which one has it. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import type { DescribedPipeline } from "../../packages/orca/dist/core/described.js";
import { tick } from "../../packages/orca/dist/scheduler/tick.js";
import { queueBackfill } from "../../packages/orca/dist/state/backfills.js";
import { Database } from "../../packages/orca/dist/state/database.js";
import { migrate } from "../../packages/orca/dist/state/migrate.js";
import { registerPipeline } from "../../packages/orca/dist/state/registration.js";
import { listRuns, readRun } from "../../packages/orca/dist/state/run-status.js";
import { takeSaid } from "../../packages/orca/dist/state/sensing.js";
import { fillHistory, HISTORY_PIPELINES, type HistorySize } from "./history-rows.ts";
import { type Measured, measured } from "./measure.ts";
import { freshDatabase } from "./recorded-steps.ts";

interface Sizes extends HistorySize {
  /** How many fires, snapshots and ended runs a pass has. */
  readonly many: number;
  readonly rounds: number;
}
const SMOKE: Sizes = { runs: 1_000, batch: 500, many: 20, rounds: 1 };
const WHOLE: Sizes = { runs: 1_000_000, batch: 50_000, many: 1_000, rounds: 15 };
/** What pages read is there in a short history too, of so many times fewer runs. */
const SHORT = 50;
const PAGE = 50;
/** Postgres plans a statement for any value from the sixth time on. */
const WARM_UPS = 6;

const FIRST_DAY = Date.parse("2024-06-01T00:00:00Z");
const DAY_MS = 86_400_000;

/** A database in which one piece of work after the other is timed. */
interface Subject {
  readonly database: Database;
  /** As commands and pages have it, whose statements are planned by the statistics. */
  readonly pages: Database;
  /** Of the history. */
  readonly runs: number;
  /** Gives the rows of a statement. */
  readonly sql: (text: string) => Promise<Record<string, unknown>[]>;
}

/** @param url of a server's database, in which databases can be made. */
export async function benchHistory(url: string, isSmoke: boolean): Promise<readonly string[]> {
  const sizes = isSmoke ? SMOKE : WHOLE;
  await using stack = new AsyncDisposableStack();
  const none = await subject(url, stack, { ...sizes, runs: 0 });
  const short = await subject(url, stack, { ...sizes, runs: sizes.runs / SHORT });
  const long = await subject(url, stack, sizes);
  const [runs, steps] = [count(sizes.runs), count(sizes.runs * 10)];
  return [
    `passes of a scheduler, with ${runs} runs that have ended, of ${steps} steps with an attempt each, and with none`,
    ...(await compared(passes(sizes), none, long, sizes.rounds)),
    `what pages read, with those and with ${count(short.runs)} runs`,
    ...(await compared(PAGES, short, long, sizes.rounds)),
  ];
}

/** Each gives how long it took, and leaves nothing to do. */
type Work = readonly [string, (subject: Subject, round: number) => Promise<number>];

async function compared(
  works: readonly Work[],
  little: Subject,
  much: Subject,
  rounds: number,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [what, work] of works) {
    const times: readonly [number[], number[]] = [[], []];
    // before the first of them is counted, statements are planned for any value, as they are in the long run
    for (let round = -WARM_UPS; round < rounds; round++)
      for (const [i, subject] of [little, much].entries()) {
        const ms = await work(subject, round + WARM_UPS);
        if (round >= 0) times[i]!.push(ms);
      }
    const [before, after] = times.map(measured) as [Measured, Measured];
    const text = ({ median, min, max }: Measured) => `${median.toFixed(1)} ms (${min.toFixed(1)} to ${max.toFixed(1)})`;
    const ratio = (after.median / before.median).toFixed(2);
    lines.push(`  ${what.padEnd(60)} ${text(after).padEnd(28)} beside ${text(before).padEnd(28)} × ${ratio}`);
  }
  return lines;
}

async function subject(url: string, stack: AsyncDisposableStack, size: HistorySize): Promise<Subject> {
  const fresh = stack.use(await freshDatabase(url));
  const database = stack.use(new Database(fresh.url, { patienceMs: 0, warn: console.error, byIndex: true }));
  await migrate(database);
  const client = new pg.Client({ connectionString: fresh.url });
  await client.connect();
  stack.defer(() => client.end());
  for (const name of HISTORY_PIPELINES) await register(database, name, {});
  const load = { name: "load", kind: "mapped", hash: "0xa", after: [], reads: [], writes: [] } as const;
  await register(database, "ingest", { steps: [{ ...load, writes: ["bench.raw"] }], maxRuns: 10_000 });
  await register(database, "report", { steps: [{ ...load, reads: ["bench.raw"] }], sensor: true });
  await register(database, "alone", { maxRuns: 10_000, runRetries: 1_000 });
  await register(database, "due", { schedule: { cron: "0 0 * * *", timeZone: "UTC" } });
  const sql = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;
  if (size.runs > 0) await fillHistory(sql, size);
  await sql("vacuum analyze");
  const pages = stack.use(new Database(fresh.url, { patienceMs: 0, warn: console.error }));
  return { database, pages, sql, runs: size.runs };
}

async function register(database: Database, pipeline: string, given: Partial<DescribedPipeline>): Promise<void> {
  const description: DescribedPipeline = {
    pipeline,
    hash: "0x1",
    partitions: { kind: "daily", start: "2000-01-01" },
    schedule: null,
    fills: "current",
    catchup: true,
    keysPerRun: null,
    sensor: false,
    maxRuns: 1,
    runRetries: 0,
    steps: [{ name: "load", kind: "mapped", hash: "0xa", after: [], reads: [], writes: [] }],
    source: null,
    ...given,
  };
  const registration = { description, program: "/x", seen: [], notifyUrl: "http://127.0.0.1:1", actor: "me" };
  await registerPipeline(database, { ...registration, now: new Date(FIRST_DAY) });
}

function passes({ many }: Sizes): readonly Work[] {
  const days = (round: number) =>
    Array.from({ length: many }, (_, i) =>
      new Date(Date.UTC(2030, 0, 1 + round * many + i)).toISOString().slice(0, 10),
    );
  return [
    ["a pass with nothing to do", (s) => timed(() => pass(s, false))],
    [
      `a pass that makes ${count(many)} fires`,
      async (s, round) => {
        const from = FIRST_DAY + round * many * DAY_MS;
        const ms = await timed(() => pass(s, true, new Date(from + many * DAY_MS)));
        await left(s, "schedule", many);
        return ms;
      },
    ],
    [
      `a pass that settles ${count(many)} runs, each a sensor's snapshot`,
      async (s, round) => {
        await ended(s, "ingest", many, round);
        const ms = await timed(() => pass(s, true));
        await left(s, "sensor", many);
        return ms;
      },
    ],
    [
      `a pass that settles ${count(many)} runs that nothing follows from`,
      async (s, round) => {
        await ended(s, "alone", many, round);
        return await timed(() => pass(s, true));
      },
    ],
    [
      `a pass that reaps ${count(Math.min(many, 200))} runs whose process is gone`,
      async (s, round) => {
        await gone(s, Math.min(many, 200), round);
        const ms = await timed(() => pass(s, true));
        await left(s, "backfill", Math.min(many, 200));
        return ms;
      },
    ],
    [
      `${count(many)} snapshots that others made become a sensor's runs`,
      async (s, round) => {
        const said = days(round).map((key, i) => {
          const snapshot = `${4_000_000_000 + round * many + i}`;
          return { dataset: "bench.raw", snapshot, keys: [key], runToken: randomUUID() };
        });
        const ms = await timed(() => takeSaid(s.database, "report", said, new Date(FIRST_DAY)));
        await left(s, "sensor", many);
        return ms;
      },
    ],
    [
      `a backfill of ${count(many)} keys that aren't done`,
      async (s, round) => {
        const keys = days(round);
        const asked = { asked: "x", isRerun: false, isReversed: false, maxRuns: undefined, actor: "me", isDry: false };
        const ms = await timed(() => queueBackfill(s.database, { pipeline: HISTORY_PIPELINES[0]!, keys, ...asked }));
        await left(s, "backfill", many);
        return ms;
      },
    ],
  ];
}

const PAGES: readonly Work[] = [
  [`the newest ${PAGE} runs`, (s) => timed(() => listRuns(s.pages, { limit: PAGE, staleMs: 30_000 }))],
  [
    `${PAGE} runs from the middle`,
    (s) => timed(() => listRuns(s.pages, { before: s.runs / 2, limit: PAGE, staleMs: 30_000 })),
  ],
  ...[HISTORY_PIPELINES[0]!, HISTORY_PIPELINES.at(-1)!].flatMap((pipeline, i): readonly Work[] => {
    const which = i === 0 ? "the pipeline that has half of them" : "one that has few";
    return [
      [
        `the newest ${PAGE} runs of ${which}`,
        (s) => timed(() => listRuns(s.pages, { pipeline, limit: PAGE, staleMs: 30_000 })),
      ],
      [
        `${PAGE} runs of it, from its middle`,
        (s) => timed(() => listRuns(s.pages, { pipeline, before: s.runs / 2, limit: PAGE, staleMs: 30_000 })),
      ],
    ];
  }),
  ["a run with its steps' counts and attempts", (s) => timed(() => readRun(s.pages, s.runs / 2, 30_000))],
  [
    "a grid of 1,000 keys, each with the steps of its last run",
    (s) => timed(() => s.pages.query(GRID, [HISTORY_PIPELINES[0]!, gridKeys()])),
  ],
];

function gridKeys(): readonly string[] {
  return Array.from({ length: 1_000 }, (_, i) => new Date(Date.UTC(2003, 0, 1 + i)).toISOString().slice(0, 10));
}

/** What a page that shows how each of a pipeline's partitions stands asks for a screen of them. */
const GRID = {
  name: "bench-grid",
  text: `
    select given.key, last.run::float8 as run, last.status, s.step, s.status as step_status, p.hash
    from unnest($2::text[]) as given (key)
    left join lateral (
      select k.run, r.status from orca.run_keys k join orca.runs r on r.id = k.run
      where k.pipeline = $1 and k.key = given.key collate "C" order by k.run desc limit 1
    ) last on true
    left join lateral (
      select step, status from orca.steps where run = last.run and partition = given.key collate "C" limit 100
    ) s on true
    left join lateral (
      select hash from orca.partition_state where pipeline = $1 and step = s.step and key = given.key collate "C" limit 1
    ) p on true`,
};

/** A scheduler's pass; its runs aren't started. */
async function pass({ database }: Subject, hasToDo: boolean, now = new Date(FIRST_DAY)): Promise<void> {
  const { hasDone } = await tick({
    database,
    runner: { start: async () => ({ kill: () => {} }) },
    now: () => now,
    staleMs: 30_000,
    retryMs: 60_000,
    senseMs: 60_000,
    uiUrl: undefined,
    env: {},
    chance: () => 0,
    tell: console.error,
  });
  if (hasDone !== hasToDo) throw new Error(hasToDo ? "nothing was done" : "something was due");
}

/** Runs that have just succeeded, each with a step and a commit. */
async function ended({ sql }: Subject, pipeline: string, many: number, round: number): Promise<void> {
  await sql(`
    with made as (
      insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, started_at, ended_at)
      select gen_random_uuid(), p.name, p.version, 'succeeded', 'manual', array[(date '2030-01-01' + n + ${round * many})::text], 1, clock_timestamp(), clock_timestamp()
      from orca.pipelines p, generate_series(1, ${many}) n where p.name = '${pipeline}' returning id, pipeline, keys[1] as key),
    step as (
      insert into orca.steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
      select id, 'load', key, 'succeeded', '0xa', '1', 1, now(), now() from made),
    attempt as (
      insert into orca.attempts (run, step, partition, attempt, status, owner, started_at, ended_at)
      select id, 'load', key, 1, 'succeeded', gen_random_uuid(), now(), now() from made)
    insert into orca.commits (run, step, partition, attempt, number, dataset, location, snapshot, operation)
    select id, 'load', key, 1, 1, case pipeline when 'ingest' then 'bench.raw' else 'bench.other' end, '/lake', 3000000000 + id, 'append' from made`);
}

/** Runs that go on, of processes that aren't alive any more. */
async function gone({ sql }: Subject, many: number, round: number): Promise<void> {
  await sql(`
    with backfill as (
      insert into orca.backfills (pipeline, asked, is_rerun, is_reversed, max_runs, keys_asked, keys_queued, asked_by)
      values ('alone', 'x', false, false, null, 1, 1, 'me') returning id),
    made as (
      insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, started_at, owner, launch, backfill)
      select gen_random_uuid(), 'alone', p.version, 'running', 'backfill', array[(date '2040-01-01' + n + ${round * many})::text], 1, now(), gen_random_uuid(), gen_random_uuid(), backfill.id
      from backfill, orca.pipelines p, generate_series(1, ${many}) n where p.name = 'alone' returning id, keys[1] as key),
    step as (
      insert into orca.steps (run, step, partition, status, hash, attempts, started_at)
      select id, 'load', key, 'running', '0xa', 1, now() from made),
    attempt as (
      insert into orca.attempts (run, step, partition, attempt, status, owner, started_at)
      select id, 'load', key, 1, 'running', gen_random_uuid(), now() from made)
    insert into orca.heartbeats (run, at) select id, now() - interval '1 hour' from made`);
}

/** Has made so many runs by what was timed, which end without a trace of what follows. */
async function left({ sql }: Subject, trigger: string, many: number): Promise<void> {
  const rows = await sql(`
    update orca.runs set status = 'cancelled', owner = null, launch = null, started_at = coalesce(started_at, now()), ended_at = now(), settled_at = now()
    where status in ('queued', 'running') and trigger = '${trigger}' returning id`);
  if (rows.length !== many) throw new Error(`${rows.length} runs of a ${trigger} were made`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function count(n: number): string {
  return n.toLocaleString("en-US");
}
