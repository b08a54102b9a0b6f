import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { beginRebuild } from "./rebuilds.ts";
import { step } from "../core/described.fixture.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";
import { queueNewKeys, sensorsWithNewKeys, takeSaid } from "./sensing.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());
beforeEach(() => scheduler.empty());

/** Runs all that is queued of a pipeline, with a commit of each partition. */
async function runAll(dataset?: string, status: "succeeded" | "failed" = "succeeded"): Promise<readonly string[]> {
  const launches = await scheduler.take();
  for (const { run } of launches)
    await scheduler.end(run, status, dataset === undefined ? undefined : { dataset, snapshot: run * 1_000 });
  return launches.map((l) => l.pipeline);
}
const causes = async () =>
  (await scheduler.test.sql("select dataset || '@' || snapshot as cause from orca.run_causes order by 1")).map(
    (r) => r["cause"],
  );

describe("a run that failed", () => {
  it("is queued again after twice the wait before, as often as its pipeline says, and then settled", async () => {
    await scheduler.register("lake", { runRetries: 2 });
    await scheduler.backfill("lake", ["2024-01-01"]);
    const waits: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      await scheduler.end((await scheduler.take(1, "2025-01-01T00:00:00Z"))[0]!.run, "failed");
      expect(await scheduler.settle()).toBe(1);
      waits.push((await scheduler.test.sql("select not_before, status from orca.runs"))[0]);
    }
    const [one, two, three] = waits as { not_before: Date; status: string }[];
    expect(one).toEqual({ not_before: new Date("2024-06-01T00:01:00Z"), status: "queued" });
    expect(two).toEqual({ not_before: new Date("2024-06-01T00:02:00Z"), status: "queued" });
    expect(three!.status).toBe("failed");
    expect(await scheduler.settle()).toBe(0);
  });

  it("isn't started again if a person started it, or it was cancelled", async () => {
    await scheduler.register("lake", { runRetries: 2 });
    const { id } = await scheduler.begin(["2024-01-01"]);
    await scheduler.end(id, "failed");
    await scheduler.backfill("lake", ["2024-01-02"]);
    await scheduler.end((await scheduler.take())[0]!.run, "cancelled");
    expect(await scheduler.settle()).toBe(2);
    expect(await scheduler.runs()).toEqual(["failed manual lake 2024-01-01", "cancelled backfill lake 2024-01-02"]);
  });
});

describe("a sensor", () => {
  const source = () => scheduler.register("ingest", { maxRuns: 50, steps: [step([], ["l.raw"])] });
  const sensor = (name = "report", given = {}) =>
    scheduler.register(name, { sensor: true, steps: [step(["l.raw"], ["l.out"])], ...given });

  it("runs the partitions that a succeeded run committed, once each, by any number of schedulers", async () => {
    await source();
    await sensor();
    await scheduler.backfill("ingest", ["2024-01-01", "2024-01-02"]);
    await runAll("l.raw");
    await Promise.all(Array.from({ length: 4 }, () => scheduler.settle()));
    expect((await scheduler.runs()).filter((r) => r.includes("report"))).toEqual([
      "queued sensor report 2024-01-01",
      "queued sensor report 2024-01-02",
    ]);
    expect(await causes()).toHaveLength(2);
  });

  it("takes days for their months, and a month for its days", async () => {
    await source();
    await sensor("monthly", { partitions: { kind: "monthly", start: "2024-01" } });
    await scheduler.backfill("ingest", ["2024-01-01", "2024-01-02", "2024-02-01"]);
    await runAll("l.raw");
    await scheduler.settle();
    expect((await scheduler.runs()).slice(3)).toEqual([
      "queued sensor monthly 2024-01",
      "queued sensor monthly 2024-02",
    ]);
    expect(await causes()).toHaveLength(3);
    await sensor("days", { steps: [step(["l.month"])] });
    await scheduler.register("months", {
      partitions: { kind: "monthly", start: "2024-01" },
      steps: [step([], ["l.month"])],
    });
    await scheduler.backfill("months", ["2024-02"]);
    await runAll("l.month");
    await scheduler.settle();
    expect((await scheduler.runs()).at(-1)).toMatch(/^queued sensor days 2024-02-01,.*,2024-02-29$/);
  });

  it("that is going on is run again for what is committed meanwhile, and a queued run takes it in", async () => {
    await source();
    await sensor();
    for (let commit = 0; commit < 3; commit++) {
      await scheduler.backfill("ingest", ["2024-01-01"]);
      const launches = await scheduler.take();
      for (const { run, pipeline } of launches)
        if (pipeline === "ingest") await scheduler.end(run, "succeeded", { dataset: "l.raw", snapshot: run * 1_000 });
      await scheduler.settle();
    }
    expect((await scheduler.runs()).filter((r) => r.includes("report"))).toEqual([
      "running sensor report 2024-01-01",
      "queued sensor report 2024-01-01",
    ]);
    expect(await causes()).toHaveLength(3);
  });

  it("isn't run by what was there before it, by failed runs, nor by what it writes itself", async () => {
    await source();
    await scheduler.backfill("ingest", ["2024-01-01"]);
    await runAll("l.raw");
    await sensor();
    await scheduler.register("own", { sensor: true, steps: [step(["l.raw"], ["l.raw"])] });
    await scheduler.backfill("ingest", ["2024-01-02"]);
    await runAll("l.raw", "failed");
    await scheduler.settle();
    expect((await scheduler.runs()).filter((r) => !r.includes("ingest"))).toEqual([]);
  });

  it("runs what others committed: the partitions that they say, or those of now", async () => {
    await sensor();
    const say = (snapshot: string, keys?: string[]) =>
      takeSaid(
        scheduler.database,
        "report",
        [{ dataset: "l.raw", snapshot, keys, runToken: undefined }],
        new Date("2024-06-07T00:00:00Z"),
      );
    await say("1", ["2024-03-01", "2024-03-02"]);
    await say("1", ["2024-03-01", "2024-03-02"]);
    await say("2");
    expect(await scheduler.runs()).toEqual([
      "queued sensor report 2024-03-01,2024-03-02",
      "queued sensor report 2024-06-07",
    ]);
  });

  it("leaves what a recorded run commits to that run's success", async () => {
    await source();
    await sensor();
    const { id, owner } = await scheduler.begin(["2024-01-01"]);
    const said = { dataset: "l.raw", snapshot: String(id * 1_000), keys: undefined, runToken: owner };
    await takeSaid(scheduler.database, "report", [said], new Date());
    expect((await scheduler.runs()).filter((r) => r.includes("report"))).toEqual([]);
    await scheduler.end(id, "succeeded", { dataset: "l.raw", snapshot: id * 1_000 });
    await scheduler.settle();
    expect((await scheduler.runs()).filter((r) => r.includes("report"))).toEqual(["queued sensor report 2024-01-01"]);
  });

  it("with keys runs those that aren't done, when their dataset changes", async () => {
    await scheduler.register("labels", {
      sensor: true,
      keysPerRun: 2,
      partitions: { kind: "keyed", dataset: "l.keys", column: "id" },
    });
    const said = { dataset: "l.keys", snapshot: "7", keys: undefined, runToken: undefined };
    await takeSaid(scheduler.database, "labels", [said], new Date());
    expect(await scheduler.runs()).toEqual([]);
    const { pipeline, changedAt } = (await sensorsWithNewKeys(scheduler.database, 60_000, 10))[0]!;
    expect(pipeline).toBe("labels");
    await scheduler.test.sql("insert into orca.partition_state values ('labels', 'load', 'b', '0xa', 1)");
    expect(await queueNewKeys(scheduler.database, "labels", { keys: ["a", "b", "c", "d"], changedAt })).toBe(2);
    expect(await scheduler.runs()).toEqual(["queued sensor labels a,c", "queued sensor labels d"]);
    expect(await sensorsWithNewKeys(scheduler.database, 60_000, 10)).toEqual([]);
  });

  it("whose program can't say its keys is asked again after a while, and holds up no other", async () => {
    const partitions = { kind: "keyed", dataset: "l.keys", column: "id" } as const;
    for (const name of ["a", "b", "c"]) await scheduler.register(name, { sensor: true, partitions });
    const said = { dataset: "l.keys", snapshot: "7", keys: undefined, runToken: undefined };
    for (const name of ["a", "b", "c"]) await takeSaid(scheduler.database, name, [said], new Date());
    const asked = async (everyMs: number, limit: number) =>
      (await sensorsWithNewKeys(scheduler.database, everyMs, limit)).map((sensor) => sensor.pipeline).toSorted();
    expect(await asked(60_000, 2)).toEqual(["a", "b"]); // neither answers
    expect(await asked(60_000, 2)).toEqual(["c"]);
    expect(await asked(60_000, 2)).toEqual([]);
    await takeSaid(scheduler.database, "b", [{ ...said, snapshot: "8" }], new Date());
    expect(await asked(60_000, 2)).toEqual(["b"]); // they have changed since
    expect(await asked(0, 9)).toEqual(["a", "b", "c"]);
  });

  it("that is changed to read another dataset isn't run by what that has", async () => {
    await sensor("report");
    const changed = (snapshot: string) =>
      takeSaid(
        scheduler.database,
        "report",
        [{ dataset: "l.more", snapshot, keys: ["2024-01-01"], runToken: undefined }],
        new Date(),
      );
    const seen = [{ dataset: "l.more", snapshot: "5" }];
    await scheduler.register("report", { sensor: true, steps: [step(["l.raw", "l.more"])] }, undefined, { seen });
    await changed("5");
    expect(await scheduler.runs()).toEqual([]);
    await changed("6");
    expect(await scheduler.runs()).toEqual(["queued sensor report 2024-01-01"]);
    // what came to a dataset while it was registered anew isn't lost
    await scheduler.register("report", { sensor: true, steps: [step(["l.more"])] }, undefined, {
      seen: [{ dataset: "l.more", snapshot: "7" }],
    });
    await changed("7");
    expect(await scheduler.test.sql("select count(*)::int as causes from orca.run_causes")).toEqual([{ causes: 2 }]);
  });

  it("takes a thousand snapshots in one pass", async () => {
    await source();
    await sensor("report", { maxRuns: 5 });
    const keys = Array.from({ length: 1_000 }, (_, i) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10));
    const { id } = await scheduler.begin(keys);
    await scheduler.test.sql("update orca.runs set pipeline = 'ingest'");
    await scheduler.end(id, "succeeded", { dataset: "l.raw", snapshot: 1 });
    await scheduler.settle();
    expect(await scheduler.runs()).toHaveLength(1_001);
    expect(await causes()).toHaveLength(1_000);
  });
});

describe("a rebuild", () => {
  const pipelines = async () => {
    await scheduler.register("a", { steps: [step(["l.raw"], ["l.a"])] });
    await scheduler.register("b", { sensor: true, steps: [step(["l.raw", "l.a"], ["l.b"])] });
    await scheduler.register("c", { sensor: true, steps: [step(["l.a", "l.b"], ["l.c"])] });
  };
  const rebuild = () => beginRebuild(scheduler.database, { dataset: "l.raw", keys: ["2024-03-01"], actor: "me" });
  const status = async () => (await scheduler.test.sql("select status from orca.rebuilds"))[0]!["status"];

  it("runs each pipeline once, after all that it reads from, and starts no sensors besides", async () => {
    await pipelines();
    await rebuild();
    for (const [pipeline, dataset] of [
      ["a", "l.a"],
      ["b", "l.b"],
      ["c", "l.c"],
    ] as const) {
      expect(await status()).toBe("running");
      expect(await runAll(dataset)).toEqual([pipeline]);
      await scheduler.settle();
    }
    expect(await status()).toBe("succeeded");
    expect(await scheduler.runs()).toHaveLength(3);
  });

  it("is stopped by a run that failed, and goes on when that has succeeded after all", async () => {
    await pipelines();
    await rebuild();
    await runAll("l.a", "failed");
    await scheduler.settle();
    expect(await status()).toBe("stopped");
    await scheduler.test.sql("update orca.runs set status = 'running', ended_at = null, settled_at = null");
    await scheduler.end((await scheduler.test.sql("select id::int from orca.runs"))[0]!["id"] as number);
    await scheduler.settle();
    expect(await status()).toBe("running");
    expect(await runAll("l.b")).toEqual(["b"]);
  });

  it("of what nothing is made from is refused", async () => {
    await pipelines();
    await expect(
      beginRebuild(scheduler.database, { dataset: "l.none", keys: ["2024-03-01"], actor: "me" }),
    ).rejects.toThrow("no registered pipeline makes anything from 2024-03-01 of l.none");
  });
});
