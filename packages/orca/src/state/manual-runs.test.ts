import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { queueRun } from "./manual-runs.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());
beforeEach(() => scheduler.empty());

const start = (keys: readonly string[], token = randomUUID()) =>
  queueRun(scheduler.database, { pipeline: "lake", keys, actor: "alice", token });

describe("a run that a person asks for", () => {
  it("is one over all the partitions, sorted and each once, done or not, which a scheduler starts", async () => {
    await scheduler.register("lake");
    await scheduler.test.sql("insert into orca.partition_state values ('lake', 'load', '2024-01-01', '0xa', 1)");
    const id = await start(["2024-01-02", "2024-01-01", "2024-01-02"]);
    expect(await scheduler.runs()).toEqual(["queued manual lake 2024-01-01,2024-01-02"]);
    const [launch] = await scheduler.take();
    expect(launch).toMatchObject({ run: id, program: "/programs/x" });
    await scheduler.claim({ id, owner: "", keys: [] }, { launch: launch!.token });
    expect(
      await scheduler.test.sql("select actor, action, pipeline, run::int, detail from orca.actions offset 1"),
    ).toEqual([{ actor: "alice", action: "start", pipeline: "lake", run: id, detail: { keys: 2 } }]);
  });

  it("waits while as many go on as may, and isn't started again when it fails", async () => {
    await scheduler.register("lake", { runRetries: 3, maxRuns: 1 });
    await scheduler.backfill("lake", ["2024-01-01"]);
    const [first] = await scheduler.take();
    const id = await start(["2024-01-02"]);
    expect(await scheduler.take()).toEqual([]);
    await scheduler.end(first!.run);
    expect(await scheduler.take()).toMatchObject([{ run: id }]);
    await scheduler.end(id, "failed");
    await scheduler.settle();
    expect((await scheduler.runs())[1]).toBe("failed manual lake 2024-01-02");
  });

  it("is the same run when it is asked for again with its token", async () => {
    await scheduler.register("lake");
    const token = randomUUID();
    const ids = await Promise.all([start(["2024-01-01"], token), start(["2024-01-01"], token)]);
    expect(new Set(ids).size).toBe(1);
    expect(await scheduler.runs()).toHaveLength(1);
    expect(await scheduler.test.sql("select from orca.actions where action = 'start'")).toHaveLength(1);
  });

  it("is refused of what is no partition of the pipeline's, and of a pipeline that isn't registered", async () => {
    await expect(start(["2024-01-01"])).rejects.toMatchObject({ code: "unknown-pipeline" });
    await scheduler.register("lake");
    for (const [keys, sentence] of [
      [[], "no partitions are given"],
      [["2024-01"], "'2024-01' isn't a day"],
      [["2023-12-31"], "2023-12-31 is before the first partition of 'lake', 2024-01-01"],
    ] as const)
      await expect(start(keys)).rejects.toThrow(sentence);
    expect(await scheduler.runs()).toEqual([]);
  });
});
