import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askToCancel } from "./cancel.ts";
import { beginRebuild } from "./rebuilds.ts";
import { unregisterPipeline } from "./registration.ts";
import { resumeRun, type ResumeAsked } from "./resume.ts";
import { step } from "../core/described.fixture.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());
beforeEach(() => scheduler.empty());

const resume = (run: number, given: Partial<ResumeAsked> = {}) =>
  resumeRun(scheduler.database, { run, allowsNewCode: false, staleMs: 30_000, actor: "alice", ...given });
/** A run that has ended, of a pipeline that allows as many retries. */
async function ended(status: "failed" | "cancelled" | "succeeded", runRetries = 0): Promise<number> {
  await scheduler.register("lake", { runRetries });
  await scheduler.backfill("lake", ["2024-01-01"]);
  const [launch] = await scheduler.take();
  await scheduler.end(launch!.run, status);
  await scheduler.settle();
  return launch!.run;
}

describe("a run that is to be resumed", () => {
  it.each(["failed", "cancelled"] as const)("after it was %s is queued, started and settled again", async (status) => {
    const run = await ended(status);
    await resume(run);
    expect(await scheduler.runs()).toEqual(["queued backfill lake 2024-01-01"]);
    const [launch] = await scheduler.take();
    expect(launch).toMatchObject({ run, allowsNewCode: false });
    await scheduler.claim({ id: run, owner: "", keys: [] }, { launch: launch!.token });
    await scheduler.end(run, "failed");
    expect(await scheduler.settle()).toBe(1);
    const actions = await scheduler.test.sql(
      "select actor, run::int, detail from orca.actions where action = 'resume'",
    );
    expect(actions).toEqual([{ actor: "alice", run, detail: { allowsNewCode: false } }]);
  });

  it("twice at once is queued once", async () => {
    const run = await ended("failed");
    await Promise.all([resume(run), resume(run), resume(run)]);
    expect(await scheduler.take()).toHaveLength(1);
    expect(await scheduler.take()).toEqual([]);
  });

  it("and waits to be tried again doesn't wait any more", async () => {
    const run = await ended("failed", 1);
    expect(await scheduler.take()).toEqual([]);
    await resume(run);
    expect(await scheduler.take()).toHaveLength(1);
  });

  it("is refused while its process is alive, and taken from one that is gone", async () => {
    const run = await scheduler.begin(["2024-01-01"]);
    await expect(resume(run.id)).rejects.toMatchObject({ code: "unknown-pipeline" });
    await scheduler.register("lake");
    await expect(resume(run.id)).rejects.toMatchObject({ code: "run-owned" });
    await scheduler.test.sql("update orca.heartbeats set at = clock_timestamp() - interval '31 s'");
    await resume(run.id);
    expect(await scheduler.take()).toMatchObject([{ run: run.id }]);
  });

  it("is refused once it has succeeded, was pruned, or if there is none", async () => {
    const run = await ended("succeeded");
    await expect(resume(run)).rejects.toThrow(`run ${run} has succeeded: there is nothing to resume`);
    await scheduler.test.sql("update orca.runs set status = 'failed', pruned_at = now()");
    await expect(resume(run)).rejects.toThrow(`run ${run} was pruned`);
    await expect(resume(999)).rejects.toThrow("there is no run 999");
    await unregisterPipeline(scheduler.database, "lake", "me");
    await expect(resume(run)).rejects.toMatchObject({ code: "unknown-pipeline" });
  });

  it("by other code is refused, unless that is allowed: then its process is told so", async () => {
    const run = await ended("failed");
    await scheduler.register("lake", { hash: "0x2" });
    await expect(resume(run)).rejects.toMatchObject({ code: "other-code" });
    expect(await scheduler.take()).toEqual([]);
    await resume(run, { allowsNewCode: true });
    const [launch] = await scheduler.take();
    expect(launch).toMatchObject({ run, allowsNewCode: true });
    const version = { registryHash: "0x2", stepHashes: {}, repository: null, commit: null, dirty: null };
    await scheduler.claim({ id: run, owner: "", keys: [] }, { launch: launch!.token, version, allowsNewCode: true });
  });

  it("isn't cancelled any more", async () => {
    await scheduler.register("lake");
    await scheduler.backfill("lake", ["2024-01-01"]);
    const [{ id }] = (await scheduler.test.sql("select id::int from orca.runs")) as [{ id: number }];
    await askToCancel(scheduler.database, id, 30_000, "bob");
    await resume(id);
    expect(await scheduler.test.sql("select cancel_asked_at, settled_at, ended_at from orca.runs")).toEqual([
      { cancel_asked_at: null, settled_at: null, ended_at: null },
    ]);
    const actions = await scheduler.test.sql(
      "select actor, action from orca.actions where run is not null order by id",
    );
    expect(actions).toEqual([
      { actor: "bob", action: "cancel" },
      { actor: "alice", action: "resume" },
    ]);
  });

  it("has the rebuild that it had stopped go on with it", async () => {
    const status = async () => (await scheduler.test.sql("select status from orca.rebuilds"))[0]!["status"];
    await scheduler.register("a", { steps: [step(["l.raw"], ["l.a"])] });
    await scheduler.register("b", { steps: [step(["l.a"])] });
    await beginRebuild(scheduler.database, { dataset: "l.raw", keys: ["2024-03-01"], actor: "me" });
    const run = (await scheduler.take())[0]!.run;
    await scheduler.end(run, "failed");
    await scheduler.settle();
    expect(await status()).toBe("stopped");
    await resume(run);
    expect(await status()).toBe("running");
    await scheduler.take();
    await scheduler.end(run);
    await scheduler.settle();
    expect((await scheduler.runs())[1]).toBe("queued rebuild b 2024-03-01");
  });
});
