import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pausePipeline } from "./registration.ts";
import { isIdle, readAgenda } from "./agenda.ts";
import { reapRuns, reapLaunched } from "./reap-runs.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());
beforeEach(() => scheduler.empty());

const days = (count: number) =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10));
const agenda = () =>
  readAgenda(scheduler.database, { now: new Date("2024-06-01T00:00:00Z"), staleMs: 30_000, senseMs: 60_000 });

describe("queued runs", () => {
  it("are started, the oldest first, as many as may be live, whoever starts them", async () => {
    await scheduler.register("lake", { maxRuns: 3 });
    await scheduler.backfill("lake", days(10));
    const taken = (await Promise.all(Array.from({ length: 5 }, () => scheduler.take()))).flat();
    expect(taken).toHaveLength(3);
    expect(await scheduler.take()).toEqual([]);
    expect((await agenda()).start).toBe(false);
    await scheduler.end(taken[0]!.run);
    expect((await agenda()).start).toBe(true);
    expect(await scheduler.take()).toHaveLength(1);
    expect((await scheduler.runs()).slice(0, 5)).toEqual([
      "succeeded backfill lake 2024-01-01",
      "running backfill lake 2024-01-02",
      "running backfill lake 2024-01-03",
      "running backfill lake 2024-01-04",
      "queued backfill lake 2024-01-05",
    ]);
  });

  it("of one pipeline never wait for those of another", async () => {
    await scheduler.register("a");
    await scheduler.register("b");
    await scheduler.backfill("a", days(200));
    await scheduler.take();
    await scheduler.backfill("b", days(1));
    expect((await scheduler.take()).map((l) => l.pipeline)).toEqual(["b"]);
  });

  it("of backfills that may have no more go on leave their turn to other pipelines' and to other backfills'", async () => {
    for (const name of ["a", "b", "c"]) {
      await scheduler.register(name, { maxRuns: 5 });
      await scheduler.backfill(name, days(3), { maxRuns: 1 });
    }
    expect(await scheduler.take()).toHaveLength(3);
    expect((await agenda()).start).toBe(false);
    await scheduler.register("d");
    await scheduler.backfill("d", days(1));
    await scheduler.backfill("a", ["2024-03-01"]);
    expect((await scheduler.take(2)).map((l) => l.pipeline).toSorted()).toEqual(["a", "d"]);
  });

  it("that are cancelled as they are taken stay cancelled", async () => {
    await scheduler.register("lake", { maxRuns: 2 });
    await scheduler.backfill("lake", days(2));
    const cancel =
      "update orca.runs set status = 'cancelled', ended_at = clock_timestamp() where keys = '{2024-01-01}'";
    const taken = await scheduler.whileOpen(
      (client) => client.query(cancel),
      1,
      () => scheduler.take(),
    );
    expect(taken).toHaveLength(1);
    expect(await scheduler.runs()).toEqual(["cancelled backfill lake 2024-01-01", "running backfill lake 2024-01-02"]);
  });

  it("that a person has gone on with by hand are left to that process, and queued again when it is gone", async () => {
    await scheduler.register("lake", { runRetries: 1 });
    await scheduler.backfill("lake", days(1));
    const [queued] = await scheduler.test.sql<{ id: number }>("select id::int as id from orca.runs");
    await scheduler.claim({ id: queued!.id, owner: "", keys: days(1) }, { allowsNewCode: true });
    expect(await scheduler.take()).toEqual([]);
    await scheduler.test.sql("update orca.heartbeats set at = clock_timestamp() - interval '31 s'");
    expect(await reapRuns(scheduler.database, new Date("2024-06-01T00:00:00Z"), 30_000)).toBe(1);
    expect(await scheduler.runs()).toEqual(["queued backfill lake 2024-01-01"]);
    expect(await scheduler.take()).toHaveLength(1);
  });

  it("are started while something is recorded of their pipeline", async () => {
    await scheduler.register("lake");
    await scheduler.backfill("lake", days(1));
    const record = "insert into orca.partition_state values ('lake', 'load', '2024-01-01', '0xa', 1)";
    let taken: readonly unknown[] = [];
    await scheduler.whileOpen(
      async (client) => {
        await client.query(record);
        taken = await scheduler.take();
      },
      0,
      async () => {},
    );
    expect(taken).toHaveLength(1);
  });

  it("are started of each pipeline before the second of any", async () => {
    await scheduler.register("a", { maxRuns: 10 });
    await scheduler.register("b", { maxRuns: 10 });
    await scheduler.backfill("a", days(10));
    await scheduler.backfill("b", days(10));
    expect((await scheduler.take(5)).map((l) => l.pipeline)).toEqual(["a", "b", "a", "b", "a"]);
  });

  it("stay queued while their pipeline is paused, or until they may start", async () => {
    await scheduler.register("lake");
    await scheduler.backfill("lake", days(2));
    await pausePipeline(scheduler.database, "lake", true, "me");
    expect(await scheduler.take()).toEqual([]);
    await pausePipeline(scheduler.database, "lake", false, "me");
    await scheduler.test.sql(
      "update orca.runs set not_before = '2024-06-01T00:00:01Z' where id = (select min(id) from orca.runs)",
    );
    expect(await scheduler.take()).toHaveLength(1); // the second: the first waits
    await scheduler.end((await scheduler.test.sql("select max(id)::int as id from orca.runs"))[0]!["id"] as number);
    expect(await scheduler.take(100, "2024-06-01T00:00:00Z")).toEqual([]);
    expect(await scheduler.take(100, "2024-06-01T00:00:02Z")).toHaveLength(1);
  });

  it("of a backfill are no more at once than it allows itself", async () => {
    await scheduler.register("lake", { maxRuns: 10 });
    await scheduler.backfill("lake", days(5), { maxRuns: 2 });
    expect(await scheduler.take()).toHaveLength(2);
    expect(await scheduler.take()).toHaveLength(0);
  });

  it("whose process can't start are queued again, with the reason, and no retry is charged", async () => {
    await scheduler.register("lake");
    await scheduler.backfill("lake", days(1));
    const [launch] = await scheduler.take();
    await reapLaunched(scheduler.database, launch!.token, "there is no such file", new Date("2024-06-01T00:00:00Z"));
    const [run] = await scheduler.test.sql("select status, held_back, retries, started_at from orca.runs");
    expect(run).toEqual({ status: "queued", held_back: "there is no such file", retries: 0, started_at: null });
    expect(await scheduler.take()).toEqual([]);
    expect(await scheduler.take(10, "2024-06-01T00:00:10Z")).toHaveLength(1);
  });
});

it("nothing is idle while a run that has ended isn't settled, a fire is due, or a run's process is gone", async () => {
  const idle = (at = "2024-06-01T00:00:00Z") => isIdle(scheduler.database, new Date(at), 30_000);
  await scheduler.register("lake", { schedule: { cron: "0 12 * * *", timeZone: "UTC" } });
  expect([await idle(), await idle("2024-06-01T12:00:00Z")]).toEqual([true, false]);
  await scheduler.backfill("lake", days(1));
  expect(await idle()).toBe(false);
  const [launch] = await scheduler.take();
  expect(await idle()).toBe(false);
  await scheduler.test.sql("update orca.heartbeats set at = clock_timestamp() - interval '31 s'");
  expect(await idle()).toBe(false);
  await scheduler.end(launch!.run);
  expect(await idle()).toBe(false);
  await scheduler.settle();
  expect(await idle()).toBe(true);
});

describe("a run whose process is gone", () => {
  it("counts as going on until it is reaped: its process may only have stalled", async () => {
    await scheduler.register("lake", { runRetries: 1 });
    await scheduler.backfill("lake", days(2));
    await scheduler.take();
    await claim();
    await stale();
    expect(await scheduler.take()).toEqual([]);
    await reap();
    expect((await scheduler.take()).length).toBe(1);
  });

  const stale = () => scheduler.test.sql("update orca.heartbeats set at = clock_timestamp() - interval '31 s'");
  const claim = () =>
    scheduler.test.sql("update orca.runs set owner = gen_random_uuid(), starts = 1 where status = 'running'");
  const reap = () => reapRuns(scheduler.database, new Date("2024-06-01T00:00:00Z"), 30_000);

  it("leaves its place to the next, and is started again within its retries, then fails", async () => {
    await scheduler.register("lake", { runRetries: 1 });
    await scheduler.backfill("lake", days(1));
    for (const left of ["queued backfill lake 2024-01-01", "failed backfill lake 2024-01-01"]) {
      expect(await scheduler.take()).toHaveLength(1);
      await claim();
      expect(await reap()).toBe(0);
      await stale();
      expect(await reap()).toBe(1);
      expect(await scheduler.runs()).toEqual([left]);
    }
  });

  it("is reaped once by any number of schedulers", async () => {
    await scheduler.register("lake", { runRetries: 5 });
    await scheduler.backfill("lake", days(1));
    await scheduler.take();
    await claim();
    await stale();
    const reaped = await Promise.all(Array.from({ length: 5 }, reap));
    expect(reaped.reduce((sum, n) => sum + n)).toBe(1);
    expect(await scheduler.test.sql("select retries from orca.runs")).toEqual([{ retries: 1 }]);
  });

  it("is cancelled if that was asked for", async () => {
    await scheduler.register("lake", { runRetries: 5 });
    await scheduler.backfill("lake", days(1));
    await scheduler.take();
    await claim();
    await scheduler.test.sql("update orca.runs set cancel_asked_at = now()");
    await stale();
    await reap();
    expect(await scheduler.runs()).toEqual(["cancelled backfill lake 2024-01-01"]);
  });

  it("is known at once where a scheduler saw it end; a stall after its success changes nothing", async () => {
    await scheduler.register("lake", { runRetries: 5 });
    await scheduler.backfill("lake", days(2));
    const [launch] = await scheduler.take();
    await claim();
    const ended = (token: string) =>
      reapLaunched(scheduler.database, token, "its process was ended by SIGKILL", new Date());
    expect(await ended(launch!.token)).toBe(true);
    expect(await scheduler.runs()).toEqual(["queued backfill lake 2024-01-01", "queued backfill lake 2024-01-02"]);
    const [again] = await scheduler.take();
    await claim();
    await scheduler.end(again!.run);
    expect(await ended(again!.token)).toBe(false);
    expect((await scheduler.runs())[0]).toBe("succeeded backfill lake 2024-01-01");
  });

  it("that nobody but a person started is left to the person", async () => {
    await scheduler.begin(["2024-01-01"]);
    await stale();
    expect(await reap()).toBe(0);
  });
});
