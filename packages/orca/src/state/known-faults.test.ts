/** Faults that other orchestrators' users met, where the database decides. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askToCancel } from "./cancel.ts";
import { makeDueFires } from "./fires.ts";
import { reapRuns } from "./reap-runs.ts";
import { beginRebuild } from "./rebuilds.ts";
import { step } from "../core/described.fixture.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());
beforeEach(() => scheduler.empty());

const days = (count: number) =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10));
/** Makes the fires of each minute, as schedulers do that know nothing of each other. */
async function fireEachMinute(from: string, to: string): Promise<readonly string[]> {
  for (let at = Date.parse(from); at <= Date.parse(to); at += 60_000)
    await makeDueFires(scheduler.database, new Date(at));
  const rows = await scheduler.test.sql<{ at: Date }>("select at from orca.fires where run is not null order by at");
  return rows.map(({ at }) => at.toISOString().slice(0, 16));
}

describe("known faults", () => {
  it("1: the repeated hour fires once", async () => {
    const schedule = { cron: "30 1 * * *", timeZone: "Europe/London" };
    await scheduler.register("lake", { schedule }, "2026-10-24T23:00:00Z");
    expect(await fireEachMinute("2026-10-25T00:00Z", "2026-10-25T03:00Z")).toEqual(["2026-10-25T00:30"]);
  });

  it("2: the skipped hour fires once", async () => {
    const schedule = { cron: "30 2 * * *", timeZone: "America/New_York" };
    await scheduler.register("lake", { schedule }, "2026-03-08T05:00:00Z");
    expect(await fireEachMinute("2026-03-08T06:00Z", "2026-03-08T09:00Z")).toEqual(["2026-03-08T07:00"]);
  });

  it("3: interval jobs fire in the repeated hour", async () => {
    const schedule = { cron: "*/15 * * * *", timeZone: "Europe/London" };
    await scheduler.register("lake", { schedule }, "2026-10-24T23:59:00Z");
    expect(await fireEachMinute("2026-10-25T00:00Z", "2026-10-25T01:59Z")).toHaveLength(8);
  });

  it("4: zones off the hour fire on their own clock, and fill their own month", async () => {
    const schedule = { cron: "0 0 1 * *", timeZone: "Asia/Kolkata" };
    const given = { schedule, fills: "previous", partitions: { kind: "monthly", start: "2026-01" } } as const;
    await scheduler.register("lake", given, "2026-03-15T00:00:00Z");
    expect(await fireEachMinute("2026-03-31T18:29Z", "2026-03-31T18:31Z")).toEqual(["2026-03-31T18:30"]);
    expect(await scheduler.runs()).toEqual(["queued schedule lake 2026-03"]);
  });

  it("7: partitions that are committed at nearly the same time are all covered once, by one pass", async () => {
    await scheduler.register("ingest", { maxRuns: 4, steps: [step([], ["l.raw"])] });
    await scheduler.register("report", { sensor: true, steps: [step(["l.raw"])] });
    await scheduler.backfill("ingest", days(4));
    for (const { run } of await scheduler.take())
      await scheduler.end(run, "succeeded", { dataset: "l.raw", snapshot: run * 10 });
    await scheduler.settle();
    expect((await scheduler.runs()).slice(4)).toEqual(days(4).map((day) => `queued sensor report ${day}`));
  });

  it("8: what is committed while a run goes on at the limit is run when that has ended", async () => {
    await scheduler.register("ingest", { maxRuns: 9, steps: [step([], ["l.raw"])] });
    await scheduler.register("report", { sensor: true, maxRuns: 1, steps: [step(["l.raw"])] });
    const commit = async (keys: readonly string[]) => {
      await scheduler.backfill("ingest", keys);
      for (const { run, pipeline } of await scheduler.take())
        if (pipeline === "ingest") await scheduler.end(run, "succeeded", { dataset: "l.raw", snapshot: run * 10 });
      await scheduler.settle();
    };
    await commit(["2024-01-01"]);
    const [going] = await scheduler.take();
    for (const day of ["2024-01-02", "2024-01-03", "2024-01-04"]) await commit([day]);
    expect(await scheduler.take()).toEqual([]);
    const ran: unknown[] = [];
    for (let run = going; run !== undefined; run = (await scheduler.take())[0]) {
      await scheduler.end(run.run);
      ran.push(...(await scheduler.test.sql("select keys[1] as key from orca.runs where id = $1", [run.run])));
    }
    expect(ran).toEqual(days(4).map((key) => ({ key })));
  });

  it("9: of two paths to a pipeline a rebuild runs it once, after both", async () => {
    for (const name of ["a", "b"])
      await scheduler.register(name, { sensor: true, steps: [step(["l.raw"], [`l.${name}`])] });
    await scheduler.register("c", { sensor: true, steps: [step(["l.a", "l.b"], ["l.c"])] });
    await beginRebuild(scheduler.database, { dataset: "l.raw", keys: ["2024-03-01"], actor: "me" });
    const [a, b, ...none] = await scheduler.take();
    expect([a!.pipeline, b!.pipeline, ...none]).toEqual(["a", "b"]);
    await scheduler.end(a!.run, "succeeded", { dataset: "l.a", snapshot: 1 });
    await scheduler.settle();
    expect(await scheduler.take()).toEqual([]);
    await scheduler.end(b!.run, "succeeded", { dataset: "l.b", snapshot: 2 });
    await scheduler.settle();
    const [c] = await scheduler.take();
    await scheduler.end(c!.run, "succeeded", { dataset: "l.c", snapshot: 3 });
    await scheduler.settle();
    expect((await scheduler.runs()).map((run) => run.split(" ")[2])).toEqual(["a", "b", "c"]);
    expect(await scheduler.test.sql("select status from orca.rebuilds")).toEqual([{ status: "succeeded" }]);
  });

  it("12: a pipeline with 5,000 queued runs holds up no other", async () => {
    await scheduler.register("a", { maxRuns: 1 });
    await scheduler.register("b", { maxRuns: 1 });
    await scheduler.backfill("a", days(5_000));
    await scheduler.backfill("b", days(1));
    expect((await scheduler.take(2)).map((launch) => launch.pipeline)).toEqual(["a", "b"]);
  });

  it("13: a run that was killed with its scheduler leaves its place to the next at the stale limit", async () => {
    await scheduler.register("lake", { maxRuns: 1 });
    await scheduler.backfill("lake", days(2));
    const [gone] = await scheduler.take();
    await scheduler.test.sql("update orca.runs set owner = gen_random_uuid(), starts = 1 where id = $1", [gone!.run]);
    expect(await scheduler.take()).toEqual([]);
    await scheduler.test.sql("update orca.heartbeats set at = clock_timestamp() - interval '31 s'");
    expect(await reapRuns(scheduler.database, new Date(), 30_000)).toBe(1);
    expect(await scheduler.take()).toHaveLength(1);
    expect(await scheduler.runs()).toEqual(["failed backfill lake 2024-01-01", "running backfill lake 2024-01-02"]);
  });

  it("18: a queued run that is cancelled never starts", async () => {
    await scheduler.register("lake", { runRetries: 3 });
    await scheduler.backfill("lake", days(1));
    const [{ id }] = (await scheduler.test.sql("select id::int from orca.runs")) as [{ id: number }];
    expect(await askToCancel(scheduler.database, id, 30_000, "me")).toBe("cancelled");
    await scheduler.settle();
    await scheduler.register("lake", { runRetries: 3, hash: "0x2" });
    expect(await scheduler.take(100, "2030-01-01T00:00:00Z")).toEqual([]);
    expect(await scheduler.runs()).toEqual(["cancelled backfill lake 2024-01-01"]);
  });
});
