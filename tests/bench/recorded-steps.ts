/** Steps that do nothing, recorded in Postgres: how many a second, beside what a bare driver and DBOS Transact do on the same server. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { gather, keyed, mapped, Name, pipeline } from "orcajs";
import pg from "pg";
import type { PipelineDefinition } from "../../packages/orca/dist/core/pipeline-definition.js";
import { runRecorded } from "../../packages/orca/dist/run/recorded-run.js";
import { Database } from "../../packages/orca/dist/state/database.js";
import { migrate } from "../../packages/orca/dist/state/migrate.js";
import { readRunBefore } from "../../packages/orca/dist/state/run-before.js";
import { beginRun } from "../../packages/orca/dist/state/runs.js";
import { SqlTables } from "../../packages/orca/dist/tables/sql/sql-tables.js";
import { measured, row } from "./measure.ts";

const AT_ONCE = 16;
const nothing = mapped("nothing", async (_ctx, _key: Name) => 1);
const count = gather("count", { after: nothing }, async (_ctx, ones) => ones.length);
const steps = pipeline("recorded-steps", { steps: [nothing, count], partitions: keyed("bench.keys", "key") });
const definition = steps as unknown as PipelineDefinition;
const version = { registryHash: "0x1", stepHashes: {}, repository: null, commit: null, dirty: null };

/** @param url of a server's database, in which databases can be made. */
export async function benchRecordedSteps(url: string, keyCount: number, rounds: number): Promise<readonly string[]> {
  const keys = Array.from({ length: keyCount }, (_, i) => Name(`key-${String(i).padStart(7, "0")}`));
  const rates: Record<"ours" | "bare" | "dbos", number[]> = { ours: [], bare: [], dbos: [] };
  for (let round = -1; round < rounds; round++) {
    await using fresh = await freshDatabase(url);
    const found = {
      bare: await rateOfDriver(fresh.url, keyCount),
      ours: await rateOfRun(fresh.url, keys),
      dbos: rateOfDbos(fresh.url, keyCount),
    };
    if (round >= 0) for (const name of ["ours", "bare", "dbos"] as const) rates[name].push(found[name]);
  }
  const [ours, bare, dbos] = [measured(rates.ours), measured(rates.bare), measured(rates.dbos)];
  const times = (other: { readonly median: number }) => (ours.median / other.median).toFixed(1);
  return [
    `${keyCount.toLocaleString("en-US")} steps that do nothing and one that gathers them, ${AT_ONCE} at once, recorded in Postgres`,
    row("steps a second", ours, "/s"),
    row(`a bare driver's two commits a step (× ${times(bare)})`, bare, "/s"),
    row(`DBOS Transact's steps in one workflow (× ${times(dbos)})`, dbos, "/s"),
  ];
}

async function rateOfRun(url: string, keys: readonly Name[]): Promise<number> {
  await using database = new Database(url, { patienceMs: 0, warn: console.error });
  await migrate(database);
  await using tables = new SqlTables();
  const startedAt = performance.now();
  const run = await beginRun(database, { pipeline: "recorded-steps", version, keys, owner: randomUUID() });
  const { end } = await runRecorded(database, definition, run, await readRunBefore(database, run.id), {
    keys,
    tables,
    concurrency: AT_ONCE,
    log: () => {},
    observer: { attemptStarted: () => {}, attemptEnded: () => {}, skipped: () => {}, stray: () => {} },
    signal: new AbortController().signal,
    graceMs: 1_000,
    retryWaitMs: () => 0,
    ownsProcess: true,
    hashOf: () => "0x1",
    sentenceOf: (error) => error.message,
    logOf: () => undefined,
  });
  if (end.status !== "succeeded") throw new Error(`the run ${end.status}`);
  return (keys.length / (performance.now() - startedAt)) * 1000;
}

/** One insert as a step starts and one update as it ends, each committed, on as many connections as there are steps at once. */
async function rateOfDriver(url: string, count: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: AT_ONCE });
  await pool.query("create table bare (id text primary key, status text not null, output text)");
  const [insert, update] = [
    { name: "insert", text: "insert into bare values ($1, 'running')" },
    { name: "update", text: "update bare set status = 'succeeded', output = $2 where id = $1" },
  ];
  const queue = Array.from({ length: count }, (_, i) => `key-${i}`).values();
  const worker = async () => {
    for (const id of queue) {
      await pool.query({ ...insert, values: [id] });
      await pool.query({ ...update, values: [id, "1"] });
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const rate = (count / (performance.now() - startedAt)) * 1000;
  await pool.end();
  return rate;
}

function rateOfDbos(url: string, count: number): number {
  const file = path.join(import.meta.dirname, "dbos.ts");
  const ended = spawnSync(process.execPath, [file, url, String(count), String(AT_ONCE)], { encoding: "utf8" });
  const line = ended.stdout.split("\n").find((l) => l.startsWith('{"perSecond"'));
  if (line === undefined) throw new Error(`DBOS ended with ${ended.status}: ${ended.stdout}${ended.stderr}`);
  return (JSON.parse(line) as { perSecond: number }).perSecond;
}

/** A database that is dropped when it is disposed. */
export async function freshDatabase(url: string): Promise<AsyncDisposable & { readonly url: string }> {
  const name = `bench_${randomUUID().replaceAll("-", "")}`;
  const command = async (text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  await command(`create database ${name}`);
  const fresh = new URL(url);
  fresh.pathname = `/${name}`;
  return { url: fresh.href, [Symbol.asyncDispose]: () => command(`drop database ${name} with (force)`) };
}
