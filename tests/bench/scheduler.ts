/** A scheduler: its passes over a long queue and history, what backfills and sensors cost, how soon a run starts, and what it costs when idle. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { DescribedPipeline } from "../../packages/orca/dist/core/described.js";
import { described, step } from "../../packages/orca/src/core/described.fixture.ts";
import { buildPipeline } from "../../packages/orca/dist/registry/build.js";
import { describeProgram } from "../../packages/orca/dist/scheduler/programs.js";
import { tick } from "../../packages/orca/dist/scheduler/tick.js";
import { queueBackfill } from "../../packages/orca/dist/state/backfills.js";
import { Database } from "../../packages/orca/dist/state/database.js";
import { migrate } from "../../packages/orca/dist/state/migrate.js";
import { registerPipeline } from "../../packages/orca/dist/state/registration.js";
import { settleRuns } from "../../packages/orca/dist/state/settle-runs.js";
import { measured, type Measured, row, timeCommands } from "./measure.ts";
import { freshDatabase } from "./recorded-steps.ts";

const orca = path.resolve(import.meta.dirname, "../../packages/orca/bin/orca.js");
const now = new Date("2024-06-01T00:00:00Z");

interface Sizes {
  readonly pipelines: number;
  readonly queued: number;
  readonly history: number;
  readonly snapshots: number;
  readonly rounds: number;
  readonly idleSeconds: number;
}
const SMOKE: Sizes = { pipelines: 10, queued: 100, history: 100, snapshots: 10, rounds: 2, idleSeconds: 2 };
const WHOLE: Sizes = {
  pipelines: 1_000,
  queued: 100_000,
  history: 100_000,
  snapshots: 1_000,
  rounds: 20,
  idleSeconds: 60,
};

/** @param url of a server's database, in which databases can be made. @param folder for what is built. */
export async function benchScheduler(url: string, folder: string, isSmoke: boolean): Promise<readonly string[]> {
  const sizes = isSmoke ? SMOKE : WHOLE;
  return [
    ...(await passes(url, sizes)),
    "",
    ...(await backfills(url, sizes)),
    ...(await snapshots(url, sizes)),
    "",
    ...(await starts(url, folder, sizes)),
  ];
}

async function passes(url: string, { pipelines, queued, history, rounds }: Sizes): Promise<readonly string[]> {
  await using fresh = await freshDatabase(url);
  await using database = await schedulersDatabase(fresh.url);
  const sql = (text: string) => inDatabase(fresh.url, text);
  await register(database, "p0", {});
  await sql(`insert into orca.pipelines (name, program, description, version, registered_at)
    select 'p' || n, program, description, version, registered_at
    from orca.pipelines, generate_series(1, ${pipelines - 1}) n`);
  await sql(`with made as (
      insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, started_at, owner, launch)
      select gen_random_uuid(), name, version, 'running', 'manual', '{a}', 1, now(), gen_random_uuid(), null from orca.pipelines
      returning id)
    insert into orca.heartbeats (run, at) select id, now() + interval '1 day' from made`);
  await sql(`insert into orca.runs (token, pipeline, version, status, trigger, keys)
    select gen_random_uuid(), name, version, 'queued', 'manual', array[n::text]
    from generate_series(1, ${queued / pipelines}) n, orca.pipelines`);
  const before = await passTimes(database, rounds);
  await sql(`insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, started_at, ended_at, settled_at)
    select gen_random_uuid(), 'p' || n % ${pipelines}, 1, 'succeeded', 'manual', array[n::text], 1, now(), now(), now()
    from generate_series(1, ${history}) n`);
  const after = await passTimes(database, rounds);
  return [
    `passes of a scheduler, ${count(pipelines)} pipelines, a run of each going on, ${count(queued)} queued, and nothing due`,
    row("a pass", before.pass),
    row("a statement that does nothing", before.nothing),
    row(`a pass with ${count(history)} runs more that have ended`, after.pass),
  ];
}

async function passTimes(database: Database, rounds: number): Promise<Record<"pass" | "nothing", Measured>> {
  const times = { pass: [] as number[], nothing: [] as number[] };
  for (let round = -3; round < rounds; round++) {
    const [pass, nothing] = [
      await timed(async () => {
        const { hasDone } = await tick(scheduling(database));
        if (hasDone) throw new Error("something was due");
      }),
      await timed(() => database.query({ name: "nothing", text: "select 1 as one" }, [])),
    ];
    if (round < 0) continue;
    times.pass.push(pass);
    times.nothing.push(nothing);
  }
  return { pass: measured(times.pass), nothing: measured(times.nothing) };
}

function scheduling(database: Database): Parameters<typeof tick>[0] {
  return {
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
  };
}

/** Of a pipeline none of whose keys is done, and again when all of them are queued already. */
async function backfills(url: string, { queued: keyCount, rounds }: Sizes): Promise<readonly string[]> {
  await using fresh = await freshDatabase(url);
  await using database = await schedulersDatabase(fresh.url);
  const keys = Array.from({ length: keyCount }, (_, i) => `key-${String(i).padStart(7, "0")}`);
  const queue = async (pipeline: string, queued: number) => {
    const asked = {
      asked: "@all",
      keys,
      isRerun: false,
      isReversed: false,
      maxRuns: undefined,
      actor: "me",
      isDry: false,
    };
    const done = await queueBackfill(database, { pipeline, ...asked });
    if (done.queued !== queued) throw new Error(`${done.queued} keys were queued`);
  };
  const times: Record<"first" | "again" | "done", number[]> = { first: [], again: [], done: [] };
  for (let round = 0; round < Math.ceil(rounds / 4); round++) {
    const pipeline = `b${round}`;
    await register(database, pipeline, {
      partitions: { kind: "keyed", dataset: "lake.keys", column: "key" },
      keysPerRun: 100,
    });
    times.first.push(await timed(() => queue(pipeline, keyCount)));
    times.again.push(await timed(() => queue(pipeline, 0)));
    await inDatabase(
      fresh.url,
      `update orca.runs set status = 'cancelled', ended_at = now() where pipeline = '${pipeline}'`,
    );
    await inDatabase(
      fresh.url,
      `insert into orca.partition_state (pipeline, step, key, hash, run) select pipeline, 'load', key, '0xa', run from orca.run_keys where pipeline = '${pipeline}'`,
    );
    times.done.push(await timed(() => queue(pipeline, 0)));
  }
  return [
    row(`a backfill of ${count(keyCount)} keys, 100 a run`, measured(times.first)),
    row("the same while all are queued", measured(times.again)),
    row("the same when all are done", measured(times.done)),
  ];
}

/** Runs that have ended, each with a snapshot that starts one of a sensor. */
async function snapshots(url: string, { snapshots: many, rounds }: Sizes): Promise<readonly string[]> {
  await using fresh = await freshDatabase(url);
  await using database = await schedulersDatabase(fresh.url);
  await register(database, "ingest", { steps: [step([], ["lake.raw"])] });
  await register(database, "report", { steps: [step(["lake.raw"])], sensor: true });
  const times: number[] = [];
  for (let round = 0; round < Math.ceil(rounds / 4); round++) {
    await inDatabase(
      fresh.url,
      `with made as (
        insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, started_at, ended_at)
        select gen_random_uuid(), 'ingest', 1, 'succeeded', 'manual', array[(date '2024-01-01' + n + ${round * many})::text], 1, clock_timestamp(), clock_timestamp()
        from generate_series(1, ${many}) n returning id, keys[1] as key),
      step as (
        insert into orca.steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
        select id, 'load', key, 'succeeded', '0xa', '1', 1, now(), now() from made),
      attempt as (
        insert into orca.attempts (run, step, partition, attempt, status, owner, started_at, ended_at)
        select id, 'load', key, 1, 'succeeded', gen_random_uuid(), now(), now() from made)
      insert into orca.commits (run, step, partition, attempt, number, dataset, location, snapshot, operation)
      select id, 'load', key, 1, 1, 'lake.raw', '/lake', id, 'append' from made`,
    );
    times.push(
      await timed(async () => {
        const settled = await settleRuns(database, { now, retryMs: 60_000, chance: () => 0 });
        if (settled !== many) throw new Error(`${settled} were settled`);
      }),
    );
    const made = await inDatabase(fresh.url, "select count(*)::int as runs from orca.runs where trigger = 'sensor'");
    if (made[0]!["runs"] !== many * (round + 1)) throw new Error("not every snapshot has its run");
  }
  return [row(`${count(many)} snapshots become their sensor's runs in one pass`, measured(times))];
}

const PIPELINE = `import { keyed, mapped, type Name, pipeline } from "orcajs";
const nothing = mapped("nothing", async (_ctx, _key: Name) => 1);
export default pipeline("starts", { steps: [nothing], partitions: keyed("bench.keys", "key"), maxRuns: 1 });
`;

async function starts(url: string, folder: string, { rounds, idleSeconds }: Sizes): Promise<readonly string[]> {
  await using fresh = await freshDatabase(url);
  await using database = await schedulersDatabase(fresh.url);
  const file = path.join(folder, "starts.ts");
  writeFileSync(file, PIPELINE);
  const { out: program } = await buildPipeline({ file, out: path.join(folder, "starts"), folder, check: false });
  const description = await describeProgram(program, { env: process.env });
  await registerPipeline(database, { description, program, seen: [], notifyUrl: undefined, now, actor: "me" });
  const env = {
    ...process.env,
    ORCA_DATABASE_URL: fresh.url,
    ORCA_LOGS: path.join(folder, "logs"),
    ORCA_PROGRAMS: path.join(folder, "programs"),
  };
  const client = new pg.Client({ connectionString: fresh.url });
  await client.connect();
  const child = spawn(process.execPath, [orca, "scheduler"], { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const toStart: number[] = [];
    const node: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const [bare] = timeCommands([[process.execPath, "-e", "0"]], 1);
      const ms = await msToStart(client, `key-${round + 1}`);
      if (round < 0) continue;
      toStart.push(ms);
      node.push(bare!.median);
    }
    const idle = await idleCost(child, idleSeconds);
    const [start, bare] = [measured(toStart), measured(node)];
    return [
      "an idle `orca scheduler`",
      row("from queued to the first attempt's start", start),
      row("node -e 0", bare),
      `  beyond Node's own start: ${(start.median - bare.median).toFixed(0)} ms`,
      `  idle for ${idleSeconds} s: ${idle.share.toFixed(2)}% of a core, ${idle.mebibytes.toFixed(0)} MiB`,
    ];
  } finally {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("exit", resolve));
    await client.end();
  }
}

/** On the database's clock. What waits for it asks seldom, to leave the machine to it. */
async function msToStart(client: pg.Client, key: string): Promise<number> {
  await client.query(
    `with queued as (
      insert into orca.runs (token, pipeline, version, status, trigger, keys)
      select gen_random_uuid(), name, version, 'queued', 'manual', $1 from orca.pipelines returning id)
    select pg_notify('orca', 'queue:') from queued`,
    [[key]],
  );
  for (;;) {
    await sleep(200);
    const { rows } = await client.query<{ status: string; ms: number }>(
      `select r.status, extract(epoch from a.started_at - r.created_at)::float8 * 1000 as ms
      from orca.runs r left join orca.attempts a on a.run = r.id where r.keys = $1`,
      [[key]],
    );
    if (rows[0]!.status === "succeeded") return rows[0]!.ms;
    if (rows[0]!.status === "failed") throw new Error("the run failed");
  }
}

export async function idleCost(
  { pid }: ChildProcess,
  seconds: number,
): Promise<{ readonly share: number; readonly mebibytes: number }> {
  // user and system time are the 14th and 15th fields, in hundredths of a second
  const ticks = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ").slice(11, 13).map(Number);
  const sum = ([user = 0, system = 0]: readonly number[]) => user + system;
  const before = sum(ticks());
  await sleep(seconds * 1000);
  const share = (sum(ticks()) - before) / seconds;
  const kibibytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);
  return { share, mebibytes: kibibytes / 1024 };
}

async function register(database: Database, pipeline: string, given: Partial<DescribedPipeline>): Promise<void> {
  const description = described(pipeline, given);
  await registerPipeline(database, { description, program: "/x", seen: [], notifyUrl: undefined, now, actor: "me" });
}

async function schedulersDatabase(url: string): Promise<Database> {
  const database = new Database(url, { patienceMs: 0, warn: console.error, byIndex: true });
  await migrate(database);
  return database;
}

export async function inDatabase(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function count(n: number): string {
  return n.toLocaleString("en-US");
}
