import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reapLaunched } from "./reap-runs.ts";
import { unregisterPipeline } from "./registration.ts";
import { step } from "../core/described.fixture.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());
beforeEach(() => scheduler.empty());

const hashes = async () =>
  (
    await scheduler.test.sql(
      "select r.status || ' ' || v.registry_hash as run from orca.runs r join orca.versions v on v.id = r.version order by r.id",
    )
  ).map((row) => row["run"]);

describe("registering", () => {
  it("moves what is queued to the new code, and leaves what is going on with its own", async () => {
    await scheduler.register("lake", { hash: "0xold" });
    await scheduler.backfill("lake", ["2024-01-01", "2024-01-02"]);
    await scheduler.take();
    await scheduler.register("lake", { hash: "0xnew" });
    expect(await hashes()).toEqual(["running 0xold", "queued 0xnew"]);
  });

  it("gives its new code also to a run that was to be started meanwhile, and couldn't", async () => {
    await scheduler.register("lake", { hash: "0xold" });
    await scheduler.backfill("lake", ["2024-01-01", "2024-01-02"]);
    const [first] = await scheduler.take();
    await scheduler.register("lake", { hash: "0xnew", maxRuns: 2 });
    await reapLaunched(scheduler.database, first!.token, "it couldn't", new Date("2024-05-01T00:00:00Z"));
    const again = await scheduler.take(1);
    await scheduler.register("lake", { hash: "0xnewer" });
    await reapLaunched(scheduler.database, again[0]!.token, "it ended", new Date());
    expect(await hashes()).toEqual(["queued 0xnewer", "queued 0xnewer"]);
  });

  it("refuses what would close a cycle with what is registered, also two of which each closes it with the other", async () => {
    await scheduler.register("a", { steps: [step(["l.x"], ["l.y"])] });
    await expect(scheduler.register("b", { steps: [step(["l.y"], ["l.x"])] })).rejects.toMatchObject({
      code: "dataset-cycle",
    });
    await scheduler.empty();
    const both = await Promise.allSettled([
      scheduler.register("a", { steps: [step(["l.x"], ["l.y"])] }),
      scheduler.register("b", { steps: [step(["l.y"], ["l.x"])] }),
    ]);
    expect(both.map((b) => b.status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const registered = await scheduler.test.sql("select name from orca.pipelines where program is not null");
    expect(registered).toHaveLength(1);
  });

  it("many times across a fire makes one run of it", async () => {
    const { makeDueFires } = await import("./fires.ts");
    const schedule = { cron: "0 * * * *", timeZone: "UTC" };
    await scheduler.register("lake", { schedule }, "2024-06-01T00:30:00Z");
    const work = Array.from({ length: 60 }, (_, i) =>
      i % 3 === 0
        ? makeDueFires(scheduler.database, new Date("2024-06-01T01:00:00Z"))
        : scheduler.register("lake", { schedule, hash: `0x${i}` }, "2024-06-01T01:00:00Z"),
    );
    await Promise.all(work);
    expect(await scheduler.runs()).toEqual(["queued schedule lake 2024-06-01"]);
  });

  it("keeps the URL that is told of failures, until another is given, or none", async () => {
    const urls: unknown[] = [];
    for (const notifyUrl of ["https://a.b/", undefined, "https://c.d/", false, undefined] as const) {
      await scheduler.register("lake", {}, undefined, { notifyUrl });
      urls.push((await scheduler.test.sql("select notify_url from orca.pipelines"))[0]!["notify_url"]);
    }
    expect(urls).toEqual(["https://a.b/", "https://a.b/", "https://c.d/", null, null]);
  });

  it("undone cancels what is queued, and can be done again", async () => {
    await scheduler.register("lake");
    await scheduler.backfill("lake", ["2024-01-01"]);
    await unregisterPipeline(scheduler.database, "lake", "me");
    expect(await scheduler.runs()).toEqual(["cancelled backfill lake 2024-01-01"]);
    await expect(unregisterPipeline(scheduler.database, "lake", "me")).rejects.toMatchObject({
      code: "unknown-pipeline",
    });
    await scheduler.register("lake");
    await scheduler.backfill("lake", ["2024-01-01"]);
    expect(await scheduler.take()).toHaveLength(1);
  });

  it("and all else that people do is on record, with who did it", async () => {
    await scheduler.register("lake");
    await scheduler.backfill("lake", ["2024-01-01"]);
    await unregisterPipeline(scheduler.database, "lake", "you");
    const actions = await scheduler.test.sql(
      "select actor || ' ' || action || ' ' || pipeline as did from orca.actions order by id",
    );
    expect(actions.map((row) => row["did"])).toEqual(["me register lake", "me backfill lake", "you unregister lake"]);
  });
});
