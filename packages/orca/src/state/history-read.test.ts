/** What a scheduler reads does not grow with the history, nor with the queue: whatever the statistics say, and whenever its statements were planned. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { isIdle, readAgenda } from "./agenda.ts";
import { queueBackfill } from "./backfills.ts";
import { claimRun } from "./claim.ts";
import type { Database } from "./database.ts";
import { makeDueFires } from "./fires.ts";
import { addHistory, flushCounts, keepStatistics, planning, readOfHistory } from "./history.fixture.ts";
import { noteLateRuns, notificationsToTell, notificationTold } from "./notifications.ts";
import { pruneRuns } from "./prune.ts";
import { reapLaunched, reapRuns } from "./reap-runs.ts";
import { beginRebuild } from "./rebuilds.ts";
import { pausePipeline, registerPipeline, unregisterPipeline } from "./registration.ts";
import { described, step } from "../core/described.fixture.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";
import { queueNewKeys, sensorsToAsk, sensorsWithNewKeys, takeSaid } from "./sensing.ts";
import { noteOrder } from "./note-order.ts";
import { settleRuns } from "./settle-runs.ts";
import { isClaimed, processesOf, takeQueuedRuns } from "./start-runs.ts";
import { withNeededPrograms } from "./needed-programs.ts";
import { listRuns, readRun } from "./run-status.ts";
import { version } from "./state.fixture.ts";

const HISTORY_RUNS = 20_000;
/** What is read for a piece of work is less, and no table's whole history. */
const ROWS_MAX = 2_000;
const QUEUED_RUNS = 3_000;
const now = new Date("2024-06-01T00:00:00Z");
const staleMs = 30_000;

let scheduler: TestScheduler;
let kept: Database;
beforeAll(async () => {
  scheduler = await testScheduler();
  const { test } = scheduler;
  await keepStatistics(test);
  await scheduler.register("raw", { steps: [step([], ["lake.raw"])], maxRuns: 2_000, runRetries: 1 });
  await scheduler.register("clean", { steps: [step(["lake.raw"], ["lake.clean"])], sensor: true, maxRuns: 2_000 });
  await scheduler.register("due", { schedule: { cron: "0 0 * * *", timeZone: "UTC" } });
  await test.sql("update orca.pipelines set notify_url = 'http://127.0.0.1:1'");
  await flushCounts(scheduler.database); // of the migration
  kept = planning(scheduler.test, "force_generic_plan");
  await prepare();
  await test.sql("analyze");
  for (const [what, work] of works) {
    await work(kept).catch((error: Error) => expect.fail(`${what}: ${error.message}`));
    await prepare();
  }
  await flushCounts(kept);
  await addHistory(test, "raw", HISTORY_RUNS);
  await queue(QUEUED_RUNS, 1);
}, 120_000);
afterAll(async () => {
  await kept[Symbol.asyncDispose]();
  await scheduler[Symbol.asyncDispose]();
});

/** Queues runs of a backfill. */
async function queue(runs: number, maxRuns: number | null): Promise<void> {
  await scheduler.test.sql(
    `with backfill as (
       insert into orca.backfills (pipeline, asked, is_rerun, is_reversed, max_runs, keys_asked, keys_queued, asked_by)
       values ('raw', 'x', false, false, $2, 1, 1, 'me') returning id)
     insert into orca.runs (token, pipeline, version, status, trigger, keys, backfill)
     select gen_random_uuid(), 'raw', 1, 'queued', 'backfill', array['q' || n], backfill.id from backfill, generate_series(1, $1) n`,
    [runs, maxRuns],
  );
}

/** Has something to do for each piece of work, and nothing left of those before. */
async function prepare(): Promise<void> {
  const { sql } = scheduler.test;
  await sql(`
    update orca.runs set status = 'cancelled', owner = null, launch = null, started_at = now(), ended_at = now(), settled_at = now()
    where status in ('queued', 'running') and keys[1] not like 'q%'`);
  await sql("update orca.runs set settled_at = now() where ended_at is not null and settled_at is null");
  const live = (count: number, status: string, heartbeat: string, from = "2023-01-01") =>
    sql(
      `with made as (
         insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, started_at, owner, launch)
         select gen_random_uuid(), 'raw', 1, $2, 'schedule', array[(date '${from}' + n)::text], 1, now(), t, t
         from (select n, case when $2 = 'running' then gen_random_uuid() end as t from generate_series(1, $1::int) n) given returning id)
       insert into orca.heartbeats (run, at) select id, ${heartbeat} from made`,
      [count, status],
    );
  await live(20, "running", "clock_timestamp() + interval '1 hour'");
  await live(20, "queued", "now()"); // each is held by one of those
  await live(20, "queued", "now()", "2023-02-01");
  await live(5, "running", "now() - interval '1 hour'");
  await sql(`
    with made as (
      insert into orca.runs (token, pipeline, version, status, trigger, keys, starts, started_at, ended_at)
      select gen_random_uuid(), 'raw', 1, case when n % 5 = 0 then 'failed' else 'succeeded' end, 'schedule', array['k' || n], 1, now(), now()
      from generate_series(1, 20) n returning id, keys[1] as key),
    step as (
      insert into orca.steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
      select id, 'load', key, 'succeeded', '0xa', '1', 1, now(), now() from made),
    attempt as (
      insert into orca.attempts (run, step, partition, attempt, status, owner, started_at, ended_at)
      select id, 'load', key, 1, 'succeeded', gen_random_uuid(), now(), now() from made)
    insert into orca.commits (run, step, partition, attempt, number, dataset, location, snapshot, operation)
    select id, 'load', key, 1, 1, 'lake.raw', '/lake', -id, 'append' from made`);
  await sql("update orca.pipelines set next_fire_at = '2024-05-01', fired_until = '2024-04-30' where name = 'due'");
  await sql("update orca.pipelines set sensed_at = null where is_sensor");
  await sql(
    "update orca.notifications set next_try_at = now() where id in (select id from orca.notifications order by id desc limit 5)",
  );
  const forget = () => readOfHistory(scheduler.test, FORGOTTEN_MAX, () => sql(FORGET_QUEUED));
  await vi.waitFor(async () => expect(await forget()).toEqual([]), { timeout: 60_000 });
}

/** What a scan reads that finds nothing left to drop: what is queued now, and not of a backfill. */
const FORGOTTEN_MAX = 100;
/**
 * A scan of an index drops entries whose rows are gone: without a vacuum, which would have statements planned anew, those of all works before would be
 * counted of the first that comes by. Each of the two indexes of what is queued is scanned where there is no other, which nobody else sees. Entries stay as long as a
 * transaction may see their rows, or, in whichever database of the server, writes something that was begun before: such as those of other tests.
 */
const FORGET_QUEUED = ["runs_queued", "runs_startable"]
  .map(
    (other) => `
  begin;
  set local enable_seqscan to off;
  set local enable_bitmapscan to off;
  drop index orca.${other};
  select count(id) from orca.runs where pipeline = 'raw' and coalesce(backfill, 0) = 0 and status = 'queued' and waits_for is null;
  rollback;`,
  )
  .join("")
  .concat("select pg_stat_force_next_flush();");

const registered = (name: string, database: Database) =>
  registerPipeline(database, {
    description: described(name),
    program: "/programs/x",
    seen: [{ dataset: "lake.raw", snapshot: "1" }],
    notifyUrl: undefined,
    now,
    actor: "me",
  });
const backfilling = {
  pipeline: "raw",
  asked: "x",
  isRerun: false,
  isReversed: false,
  maxRuns: 1,
  actor: "me",
  isDry: false,
};
const days = (from: string) => Array.from({ length: 20 }, (_, i) => `${from}-${String(i + 1).padStart(2, "0")}`);
const settling = { now, retryMs: 60_000, chance: () => 0 };

const works: readonly [string, (database: Database) => Promise<unknown>][] = [
  ["see what there is to do", (d) => readAgenda(d, { now, staleMs, senseMs: 30_000 })],
  ["see whether anything goes on", (d) => isIdle(d, now, staleMs)],
  ["reap runs", async (d) => expect(await reapRuns(d, now, staleMs)).toBe(5)],
  ["settle runs, which start others", async (d) => expect(await settleRuns(d, settling)).toBe(20)],
  ["make fires", async (d) => expect(await makeDueFires(d, now)).toBeGreaterThan(30)],
  ["note which runs wait for others", async (d) => expect(await noteOrder(d, now, staleMs)).toBe(20)],
  [
    "start runs, put one back and reap another",
    async (d) => {
      const [first, second, third] = await takeQueuedRuns(d, { now, staleMs, limit: 10 });
      await reapLaunched(d, first!.token, "x", now);
      await reapLaunched(d, second!.token, "x", now);
      const claim = { owner: randomUUID(), staleMs, allowsNewCode: true, launch: third!.token, check: () => {} };
      await claimRun(d, third!.run, { pipeline: third!.pipeline, version, ...claim });
      expect(await Promise.all([isClaimed(d, third!), isClaimed(d, first!)])).toEqual([true, false]);
      await readRun(d, third!.run, staleMs);
      expect(await processesOf(d, [first!.run, third!.run])).toHaveLength(1);
    },
  ],
  ["list a page of a pipeline's runs", (d) => listRuns(d, { pipeline: "raw", before: 10_000, limit: 50, staleMs })],
  ["see which programs are needed", (d) => withNeededPrograms(d, async () => {})],
  ["register", (d) => registered("other", d)],
  ["register anew", (d) => registered("other", d)],
  ["pause", (d) => pausePipeline(d, "other", true, "me")],
  ["unregister", (d) => unregisterPipeline(d, "other", "me")],
  ["queue a backfill", (d) => queueBackfill(d, { ...backfilling, keys: days("2024-01") })],
  ["queue new keys", (d) => queueNewKeys(d, "raw", { keys: days("2024-02"), changedAt: "2024-01-01" })],
  ["begin a rebuild", (d) => beginRebuild(d, { dataset: "lake.raw", keys: days("2024-03"), actor: "me" })],
  [
    "take what others committed",
    (d) => {
      const said = days("2024-04").map((key, i) => ({
        dataset: "lake.raw",
        snapshot: `${10_000_000 + i}`,
        keys: [key],
        runToken: randomUUID(),
      }));
      return takeSaid(d, "clean", said, now);
    },
  ],
  ["see which sensors to ask", (d) => Promise.all([sensorsToAsk(d, 30_000, 4), sensorsWithNewKeys(d, 60_000, 4)])],
  ["note which runs are late", (d) => noteLateRuns(d)],
  [
    "tell of runs",
    async (d) => {
      for (const { id } of await notificationsToTell(d, 5)) await notificationTold(d, id, undefined);
    },
  ],
];

describe.each<[string, () => Promise<unknown>, () => Database]>([
  ["planned when there was no history", async () => {}, () => kept],
  ["with statistics of before the history", async () => {}, () => planning(scheduler.test, "auto")],
  ["with old statistics, for any value", async () => {}, () => planning(scheduler.test, "force_generic_plan")],
  ["with new statistics", () => scheduler.test.sql("analyze"), () => planning(scheduler.test, "auto")],
  ["with new statistics, for any value", async () => {}, () => planning(scheduler.test, "force_generic_plan")],
])("%s", (_when, begin, connect) => {
  let database: Database;
  beforeAll(async () => {
    await begin();
    database = connect();
  });
  afterEach(prepare);
  afterAll(async () => (database === kept ? undefined : await database[Symbol.asyncDispose]()));

  it.each(works)("to %s", async (_what, work) => {
    await prepare();
    const read = await readOfHistory(scheduler.test, ROWS_MAX, async () => {
      await work(database);
      await flushCounts(database);
    });
    expect(read.join(", ")).toBe("");
  });

  it("to prune", async () => {
    const read = await readOfHistory(scheduler.test, ROWS_MAX, async () => {
      expect(await pruneRuns(database, 0)).toHaveLength(200);
      await flushCounts(database);
    });
    expect(read.join(", ")).toBe("");
  });
});
