/** The UI's pages over much: 120,000 keys, 100,000 runs and a run of 100,000 steps; what the server costs when it is idle, and how soon a browser paints. */
import { spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { described } from "../../packages/orca/src/core/described.fixture.ts";
import type { DescribedPipeline } from "../../packages/orca/dist/core/described.js";
import { Database } from "../../packages/orca/dist/state/database.js";
import { migrate } from "../../packages/orca/dist/state/migrate.js";
import { registerPipeline } from "../../packages/orca/dist/state/registration.js";
import { chromiumFile, openBrowser } from "../ui/browser.ts";
import { measured, row } from "./measure.ts";
import { freshDatabase } from "./recorded-steps.ts";
import { idleCost, inDatabase } from "./scheduler.ts";

const orca = path.resolve(import.meta.dirname, "../../packages/orca/bin/orca.js");

interface Sizes {
  readonly keys: number;
  readonly runs: number;
  readonly steps: number;
  readonly rounds: number;
  readonly idleSeconds: number;
}
const SMOKE: Sizes = { keys: 200, runs: 200, steps: 200, rounds: 2, idleSeconds: 1 };
const WHOLE: Sizes = { keys: 120_000, runs: 100_000, steps: 100_000, rounds: 40, idleSeconds: 60 };

/** @param url of a server's database, in which databases can be made. */
export async function benchPages(url: string, isSmoke: boolean): Promise<readonly string[]> {
  const sizes = isSmoke ? SMOKE : WHOLE;
  await using fresh = await freshDatabase(url);
  const large = await fill(fresh.url, sizes);
  const child = spawn(process.execPath, [orca, "ui"], {
    env: { ...process.env, ORCA_DATABASE_URL: fresh.url, ORCA_UI_ADDR: "127.0.0.1:0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const said = await new Promise<Buffer>((resolve) => child.stdout.once("data", resolve));
    const site = /http:\/\/[\d.]+:\d+/.exec(said.toString())![0];
    await counted(site);
    const lines: string[] = [];
    for (const page of pages(large)) lines.push(await pageLine(site, page, sizes.rounds));
    const paint =
      chromiumFile === undefined ? [] : [row("a browser's first paint of /", await firstPaint(site, sizes.rounds))];
    const { share, mebibytes } = await idleCost(child, sizes.idleSeconds);
    return [
      `pages of ${sizes.keys.toLocaleString("en-US")} keys, ${sizes.runs.toLocaleString("en-US")} runs and a run of ${sizes.steps.toLocaleString("en-US")} steps: median, P95, size, and the median of a page that reads nothing, in turns`,
      ...lines,
      ...paint,
      `  the server idle: ${mebibytes.toFixed(0)} MiB, ${share.toFixed(2)}% of a core`,
    ];
  } finally {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("exit", resolve));
  }
}

function pages(large: number): readonly string[] {
  return [
    "/",
    "/pipelines/keyed",
    "/pipelines/keyed?state=failed",
    "/pipelines/keyed?begins=key-11",
    "/pipelines/days",
    "/pipelines/months",
    "/runs",
    "/runs?state=failed",
    "/runs?pipeline=days",
    "/runs?partition=2024-05-01",
    `/runs/${large}`,
    `/runs/${large - 1}`,
    "/datasets",
    "/datasets/lake.raw",
    "/backfills",
    "/rebuilds",
    "/search?q=key-1",
  ];
}

/** Waits until the keys' states are counted, which the page's first reader has begun. */
async function counted(site: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${site}/pipelines/keyed?format=json`);
    const { keyed } = (await answer.json()) as { keyed: { isCounted: boolean } };
    if (keyed.isCounted) return;
    await sleep(200);
  }
}

const READS_NOTHING = "/register";
/** Postgres plans a statement for any value from the sixth time on. */
const WARM_UPS = 6;

async function pageLine(site: string, page: string, rounds: number): Promise<string> {
  const times: number[] = [];
  const nothing: number[] = [];
  let bytes = 0;
  for (let round = -WARM_UPS; round < rounds; round++) {
    const read = await timedPage(site + page);
    const bare = await timedPage(site + READS_NOTHING);
    ({ bytes } = read);
    if (round < 0) continue;
    times.push(read.ms);
    nothing.push(bare.ms);
  }
  times.sort((a, b) => a - b);
  const p95 = times[Math.min(times.length - 1, Math.ceil(times.length * 0.95) - 1)]!;
  const kilobytes = bytes / 1_000;
  const columns = [measured(times).median, p95].map((ms) => `${ms.toFixed(0).padStart(5)} ms`).join(" ");
  return `  ${page.padEnd(40)} ${columns} ${kilobytes.toFixed(0).padStart(5)} kB   beside ${measured(nothing).median.toFixed(1)} ms`;
}

async function timedPage(url: string): Promise<{ readonly ms: number; readonly bytes: number }> {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { accept: "text/html" } });
  const bytes = (await answer.arrayBuffer()).byteLength;
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`);
  return { ms: performance.now() - startedAt, bytes };
}

/** A page may be loaded before it is painted. */
const FIRST_PAINT = `new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
  });
  observer.observe({ type: "paint", buffered: true });
})`;

async function firstPaint(site: string, rounds: number) {
  const browser = await openBrowser();
  const times: number[] = [];
  for (let round = -1; round < rounds / 4; round++) {
    const page = await browser.newPage();
    await page.goto(site, { waitUntil: "load" });
    const ms = await page.evaluate(FIRST_PAINT);
    if (round >= 0) times.push(ms as number);
    await page.close();
  }
  await browser.close();
  return measured(times);
}

/** @returns the number of the run with many steps, which goes on; the one before it has ended. */
async function fill(url: string, { keys, runs, steps }: Sizes): Promise<number> {
  await using database = new Database(url, { patienceMs: 0, warn: console.error });
  await migrate(database);
  const sql = (text: string) => inDatabase(url, text);
  const step = { name: "load", kind: "mapped", hash: "0xa", reads: [], writes: ["lake.raw"], after: [] } as const;
  const second = { ...step, name: "sum", after: ["load"], reads: ["lake.raw"], writes: ["lake.sums"] };
  await register(database, "keyed", {
    partitions: { kind: "keyed", dataset: "lake.raw", column: "key" },
    steps: [
      { ...step, writes: [] },
      { ...second, reads: [], writes: [] },
    ],
    keysPerRun: 100,
  });
  await register(database, "days", { steps: [step, second] });
  await register(database, "months", {
    partitions: { kind: "monthly", start: "1990-01" },
    steps: [{ ...step, writes: [] }],
  });
  await sql(`insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, started_at, ended_at, settled_at, created_at)
    select gen_random_uuid(), p.name, p.version, case n % 50 when 0 then 'failed' when 1 then 'cancelled' else 'succeeded' end, 'manual',
      array[case p.name when 'days' then (date '2019-01-01' + n % 2700)::text else 'key-' || n % ${keys} end], 1,
      at, at + interval '2 minutes', at, at
    from generate_series(1, ${runs}) n, lateral (select now() - make_interval(secs => (${runs} - n) * 12) as at) t, orca.pipelines p
    where p.name = case n % 2 when 0 then 'days' else 'keyed' end order by n`);
  await sql(
    `insert into orca.run_keys (pipeline, key, run, is_live) select pipeline, keys[1], id, false from orca.runs on conflict do nothing`,
  );
  await sql(`insert into orca.partition_state (pipeline, step, key, hash, run)
    select 'keyed', s, 'key-' || n, case when n % 400 = 0 then '0xold' else '0xa' end, 1 from generate_series(1, ${keys}) n, unnest('{load,sum}'::text[]) s`);
  await sql(`insert into orca.key_failures (pipeline, key, run, status, step, at)
    select 'keyed', 'key-' || n * 97, 1, 'failed', 'load', now() from generate_series(1, ${Math.ceil(keys / 1_000)}) n`);
  await sql(`insert into orca.partition_state (pipeline, step, key, hash, run)
    select 'days', s, (date '2019-01-01' + n)::text, '0xa', 1 from generate_series(0, 2699) n, unnest('{load,sum}'::text[]) s`);
  const [made] =
    await sql(`insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, started_at, ended_at, settled_at)
    select gen_random_uuid(), 'keyed', version, 'failed', 'manual', (select array_agg('key-' || n order by ('key-' || n) collate "C") from generate_series(1, ${steps}) n),
      1, now() - interval '1 hour', now(), now() from orca.pipelines where name = 'keyed' returning id::int as id`);
  const large = made!["id"] as number;
  await sql(`insert into orca.steps (run, step, partition, status, hash, output, attempts, failures, started_at, ended_at)
    select ${large}, 'load', 'key-' || n, case when n % 900 = 0 then 'failed' else 'succeeded' end, '0xa', case when n % 900 <> 0 then '1' end, 1,
      case when n % 900 = 0 then 1 else 0 end, now() - interval '1 hour' + n * interval '30 ms', now() - interval '1 hour' + n * interval '31 ms'
    from generate_series(1, ${steps}) n`);
  await sql(`insert into orca.attempts (run, step, partition, attempt, status, owner, started_at, ended_at, error)
    select run, step, partition, 1, status, gen_random_uuid(), started_at, ended_at, case status when 'failed' then 'it is wrong' end from orca.steps where run = ${large}`);
  await sql(`insert into orca.commits (run, step, partition, attempt, number, dataset, location, snapshot, operation, at, rows_added, rows_total)
    select id, 'load', keys[1], 1, 1, 'lake.raw', '/lake/raw', id, 'append', ended_at, 100, id * 100 from orca.runs where pipeline = 'days' and status = 'succeeded'`);
  await sql("analyze");
  return large;
}

async function register(database: Database, pipeline: string, given: Partial<DescribedPipeline>): Promise<void> {
  const description = described(pipeline, { partitions: { kind: "daily", start: "2019-01-01" }, ...given });
  const now = new Date();
  await registerPipeline(database, { description, program: "/x", seen: [], notifyUrl: undefined, now, actor: "me" });
}
