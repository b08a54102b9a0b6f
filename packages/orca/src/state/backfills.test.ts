import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BackfillAsked } from "./backfills.ts";
import { endRun } from "./runs.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());
beforeEach(() => scheduler.empty());

const days = ["2024-01-01", "2024-01-02", "2024-01-03"];
const steps = [
  { name: "load", kind: "mapped", after: [], hash: "0xa", reads: [], writes: [] },
  { name: "sum", kind: "mapped", after: [], hash: "0xb", reads: [], writes: [] },
] as const;
const backfill = (given: Partial<BackfillAsked> = {}) => scheduler.backfill("lake", days, given);
const done = (step: string, key: string, hash: string) =>
  scheduler.test.sql("insert into orca.partition_state values ('lake', $1, $2, $3, 1)", [step, key, hash]);

describe("a backfill", () => {
  it("queues a run for each partition, and those of a keyed pipeline as many together as it says", async () => {
    await scheduler.register("lake");
    expect(await backfill()).toMatchObject({ asked: 3, live: 0, done: 0, queued: 3, runs: 3 });
    await scheduler.register("labels", {
      keysPerRun: 2,
      partitions: { kind: "keyed", dataset: "a.b", column: "c" },
    });
    await backfill({ pipeline: "labels", keys: ["a", "b", "c"] });
    expect((await scheduler.runs()).slice(3)).toEqual(["queued backfill labels a,b", "queued backfill labels c"]);
  });

  it("leaves out what is done: all mapped steps, with the code that they have now", async () => {
    await scheduler.register("lake", { steps });
    await done("load", "2024-01-01", "0xa");
    await done("sum", "2024-01-01", "0xb");
    await done("load", "2024-01-02", "0xa");
    await done("load", "2024-01-03", "0xa");
    await done("sum", "2024-01-03", "0xold");
    expect(await backfill()).toMatchObject({ done: 1, queued: 2 });
    expect(await scheduler.runs()).toEqual(["queued backfill lake 2024-01-02", "queued backfill lake 2024-01-03"]);
  });

  it("of a pipeline without mapped steps leaves out what a run has succeeded for, with the code that it has now", async () => {
    const gathering = [{ ...steps[0], kind: "gather" }] as const;
    await scheduler.register("lake", { steps: gathering, maxRuns: 9 });
    await backfill();
    for (const [i, { run, token }] of (await scheduler.take()).entries()) {
      const owned = await scheduler.claim({ id: run, owner: "", keys: [] }, { launch: token });
      expect(await endRun(scheduler.database, owned, i === 2 ? "failed" : "succeeded", null)).toBe(true);
    }
    expect(await backfill()).toMatchObject({ done: 2, queued: 1 });
    await scheduler.register("lake", { steps: gathering, maxRuns: 9, hash: "0x2" });
    expect(await backfill()).toMatchObject({ live: 1, done: 0, queued: 2 });
  });

  it("may run what is done again, but nothing that is queued or going on", async () => {
    await scheduler.register("lake");
    await backfill({ keys: days.slice(0, 1) });
    for (const day of days) await done("load", day, "0xa");
    expect(await backfill({ isRerun: true })).toMatchObject({ live: 1, done: 0, queued: 2 });
    await scheduler.end((await scheduler.take())[0]!.run, "failed");
    expect(await backfill({ isRerun: true })).toMatchObject({ live: 2, queued: 1 });
  });

  it("leaves out what is in a failed run that is going to be tried again, before that is decided and after", async () => {
    await scheduler.register("lake", { runRetries: 1 });
    await backfill({ keys: days.slice(0, 1) });
    const fail = async () => await scheduler.end((await scheduler.take(1, "2025-01-01T00:00:00Z"))[0]!.run, "failed");
    await fail();
    expect(await backfill({ keys: days.slice(0, 1) })).toMatchObject({ live: 1, queued: 0 });
    await scheduler.settle();
    expect(await backfill({ keys: days.slice(0, 1) })).toMatchObject({ live: 1, queued: 0 });
    await fail(); // its retries are used up
    expect(await backfill({ keys: days.slice(0, 1) })).toMatchObject({ live: 0, queued: 1 });
  });

  it("is queued once if it is asked for twice at once", async () => {
    await scheduler.register("lake");
    const both = await Promise.all([backfill(), backfill(), backfill()]);
    expect(both.map((b) => b.queued).toSorted((a, b) => a - b)).toEqual([0, 0, 3]);
    expect(await scheduler.runs()).toHaveLength(3);
  });

  it("runs the last partition first if it is asked to, and queues nothing if it is dry", async () => {
    await scheduler.register("lake", { maxRuns: 3 });
    expect(await backfill({ isDry: true })).toEqual({ id: undefined, asked: 3, live: 0, done: 0, queued: 3, runs: 3 });
    expect(await scheduler.runs()).toEqual([]);
    await backfill({ isReversed: true });
    expect(await scheduler.runs()).toEqual(days.toReversed().map((day) => `queued backfill lake ${day}`));
  });

  it("of a pipeline that isn't registered is refused", async () => {
    await expect(backfill()).rejects.toMatchObject({ code: "unknown-pipeline" });
  });
});
