import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { step } from "../core/described.fixture.ts";
import { cancelBackfill, cancelRebuild } from "./cancel-many.ts";
import { beginRebuild } from "./rebuilds.ts";
import { resumeRun } from "./resume.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
beforeEach(() => scheduler.empty());
afterAll(() => scheduler[Symbol.asyncDispose]());

const by = { staleMs: 30_000, actor: "alice" };
const states = async () => (await scheduler.runs()).map((run) => run.split(" ")[0]);
const askedToStop = async () =>
  (await scheduler.test.sql("select id::int from orca.runs where cancel_asked_at is not null order by id")).map(
    (row) => row["id"] as number,
  );
const actions = async () =>
  await scheduler.test.sql("select actor, pipeline, detail from orca.actions where action = 'cancel' order by id");
const days = (count: number) =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10));
const resume = (run: number) =>
  resumeRun(scheduler.database, { run, allowsNewCode: false, staleMs: 30_000, actor: "alice" });

describe("a backfill that is cancelled", () => {
  const cancel = (id = 1) => cancelBackfill(scheduler.database, { id, ...by });

  it("has its queued runs cancelled and its running ones asked to stop, on record once; no other run is touched", async () => {
    await scheduler.register("lake", { maxRuns: 2 });
    await scheduler.backfill("lake", days(4));
    await scheduler.backfill("lake", ["2025-01-01"]);
    await scheduler.take();
    expect(await cancel()).toEqual({ queued: 2, running: 2 });
    expect(await states()).toEqual(["running", "running", "cancelled", "cancelled", "queued"]);
    expect(await askedToStop()).toEqual([1, 2, 3, 4]);
    expect(await actions()).toEqual([{ actor: "alice", pipeline: "lake", detail: { backfill: 1 } }]);
  });

  it("has those cancelled that no process has any more, with their steps and attempts", async () => {
    await scheduler.register("lake");
    await scheduler.backfill("lake", ["2024-01-01"]);
    await scheduler.take();
    await scheduler.test.sql("update orca.heartbeats set at = at - interval '1 hour'");
    await scheduler.test.sql(
      `insert into orca.steps (run, step, partition, status, hash, attempts, started_at) values (1, 'load', '2024-01-01', 'running', '0xa', 1, now())`,
    );
    expect(await cancel()).toEqual({ queued: 1, running: 0 });
    expect(await states()).toEqual(["cancelled"]);
    expect(await scheduler.test.sql("select status from orca.steps")).toEqual([{ status: "cancelled" }]);
  });

  it("has what failed not tried again", async () => {
    await scheduler.register("lake", { runRetries: 3 });
    await scheduler.backfill("lake", days(2));
    await scheduler.take();
    await scheduler.end(1, "failed");
    await cancel();
    await scheduler.end(2, "failed");
    await scheduler.settle();
    expect(await states()).toEqual(["failed", "failed"]);
    await resume(1);
    await scheduler.take();
    await scheduler.end(1, "failed");
    await scheduler.settle();
    expect(await states()).toEqual(["queued", "failed"]);
  });

  it("and all of whose runs have ended stays as it is, and nothing is on record", async () => {
    await scheduler.register("lake");
    await scheduler.backfill("lake", days(2));
    await scheduler.take();
    for (const run of [1, 2]) await scheduler.end(run);
    expect(await cancel()).toEqual({ queued: 0, running: 0 });
    expect(await states()).toEqual(["succeeded", "succeeded"]);
    expect([await askedToStop(), await actions()]).toEqual([[], []]);
  });

  it("and doesn't exist is an error", async () => {
    await expect(cancel(7)).rejects.toMatchObject({ code: "unknown-backfill" });
  });

  it("by two at once has each of its runs cancelled once, while a scheduler takes and settles", async () => {
    await scheduler.register("lake", { maxRuns: 20 });
    await scheduler.backfill("lake", days(300));
    const [one, two] = await Promise.all([
      cancel(),
      cancel(),
      scheduler.take(),
      scheduler.settle(),
      scheduler.note(),
      scheduler.settle(),
    ]);
    const isStopped = (state: string | undefined) => state === "cancelled" || state === "running";
    expect((await states()).every(isStopped)).toBe(true);
    expect(await askedToStop()).toHaveLength(300);
    const cancelled = (await states()).filter((state) => state === "cancelled").length;
    expect(one.queued + two.queued).toBeGreaterThanOrEqual(cancelled);
    expect(await cancel()).toEqual({ queued: 0, running: 300 - cancelled });
  });

  it("has more than 10,000 queued runs cancelled, a thousand in a transaction", async () => {
    await scheduler.register("lake");
    await scheduler.backfill("lake", days(10_500));
    expect(await cancel()).toEqual({ queued: 10_500, running: 0 });
    expect(
      await scheduler.test.sql(
        "select max(n)::int as most from (select count(*) as n from orca.runs where status = 'cancelled' group by xmin::text) t",
      ),
    ).toEqual([{ most: 1_000 }]);
    expect(await actions()).toHaveLength(1);
  });
});

describe("a rebuild that is cancelled", () => {
  const cancel = () => cancelRebuild(scheduler.database, { id: 1, ...by });
  const begin = async () => {
    await scheduler.register("a", { maxRuns: 5, steps: [step(["l.raw"], ["l.a"])] });
    await scheduler.register("b", { maxRuns: 5, steps: [step(["l.a"], ["l.b"])] });
    await beginRebuild(scheduler.database, { dataset: "l.raw", keys: days(2), actor: "me" });
  };
  const status = async () => (await scheduler.test.sql("select status from orca.rebuilds"))[0]!["status"];
  const run = async () => {
    const taken = await scheduler.take();
    for (const { run: id } of taken) await scheduler.end(id);
    await scheduler.settle();
    return taken.map(({ pipeline }) => pipeline);
  };

  it("has its runs stopped, and no further level queued", async () => {
    await begin();
    await scheduler.take(1);
    expect(await cancel()).toEqual({ queued: 1, running: 1 });
    await scheduler.end(1); // it had succeeded before it heard
    await scheduler.settle();
    expect([await status(), await states()]).toEqual(["cancelled", ["succeeded", "cancelled"]]);
    expect(await actions()).toEqual([{ actor: "alice", pipeline: null, detail: { rebuild: 1 } }]);
    expect(await cancel()).toEqual({ queued: 0, running: 0 });
    expect(await actions()).toHaveLength(1);
  });

  it("between two levels has the next not queued", async () => {
    await begin();
    for (const { run: id } of await scheduler.take()) await scheduler.end(id);
    expect(await cancel()).toEqual({ queued: 0, running: 0 });
    await scheduler.settle();
    expect([await status(), await states()]).toEqual(["cancelled", ["succeeded", "succeeded"]]);
  });

  it("goes on when what was cancelled of it is resumed and has succeeded, as one that was stopped does", async () => {
    await begin();
    await cancel();
    await scheduler.settle();
    await resume(1);
    await run();
    expect(await status()).toBe("stopped");
    await resume(2);
    await run();
    expect(await status()).toBe("running");
    expect(await run()).toEqual(["b", "b"]);
    expect(await status()).toBe("succeeded");
  });

  it("when it has succeeded is left as it is", async () => {
    await begin();
    await run();
    await run();
    expect(await cancel()).toBeUndefined();
    expect([await status(), await actions()]).toEqual(["succeeded", []]);
  });

  it("by two at once, while its level ends, is cancelled once", async () => {
    await begin();
    for (const { run: id } of await scheduler.take()) await scheduler.end(id);
    await Promise.all([cancel(), scheduler.settle(), cancel()]);
    expect(await status()).toBe("cancelled");
    expect((await states()).filter((state) => state === "queued" || state === "running")).toEqual([]);
    expect(await actions()).toHaveLength(1);
  });

  it("and doesn't exist is an error", async () => {
    await expect(cancel()).rejects.toMatchObject({ code: "unknown-rebuild" });
  });
});
