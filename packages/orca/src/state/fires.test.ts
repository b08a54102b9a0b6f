import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeDueFires } from "./fires.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());
beforeEach(() => scheduler.empty());

const hourly = { cron: "0 * * * *", timeZone: "UTC" };
const fire = (at: string) => makeDueFires(scheduler.database, new Date(at));
const fires = async () =>
  (await scheduler.test.sql("select at, partition, run is not null as has_run from orca.fires order by at")).map(
    (row) => {
      const { at, partition, has_run } = row as { at: Date; partition: string | null; has_run: boolean };
      return `${at.toISOString().slice(0, 16)} ${partition} ${has_run}`;
    },
  );

describe("fires", () => {
  it("are made from when the schedule was registered, each with a run", async () => {
    await scheduler.register("lake", { schedule: { cron: "30 2 * * *", timeZone: "UTC" } }, "2024-06-01T03:00:00Z");
    expect(await fire("2024-06-02T02:29:59Z")).toBe(0);
    expect(await fire("2024-06-03T02:30:00Z")).toBe(2);
    expect(await fires()).toEqual(["2024-06-02T02:30 2024-06-02 true", "2024-06-03T02:30 2024-06-03 true"]);
    expect(await scheduler.runs()).toEqual(["queued schedule lake 2024-06-02", "queued schedule lake 2024-06-03"]);
  });

  it("are made once by any number of schedulers, also with a clock that steps back", async () => {
    await scheduler.register("lake", { schedule: hourly }, "2024-06-01T00:05:00Z");
    await Promise.all(Array.from({ length: 6 }, () => fire("2024-06-01T06:30:00Z")));
    expect(await fires()).toHaveLength(6);
    expect(await fire("2024-06-01T03:30:00Z")).toBe(0);
    expect(await fire("2024-06-01T06:59:00Z")).toBe(0);
    expect(await fire("2024-06-01T07:00:00Z")).toBe(1);
    expect(await scheduler.runs()).toHaveLength(7);
  });

  it("that were missed are all made, or only the latest", async () => {
    await scheduler.register("all", { schedule: hourly }, "2024-06-01T00:05:00Z");
    await scheduler.register("latest", { schedule: hourly, catchup: false }, "2024-06-01T00:05:00Z");
    await fire("2024-06-01T06:30:00Z");
    const rows = await scheduler.test.sql(
      "select pipeline, count(*)::int as fires from orca.fires group by 1 order by 1",
    );
    expect(rows).toEqual([
      { pipeline: "all", fires: 6 },
      { pipeline: "latest", fires: 1 },
    ]);
  });

  it("of a changed schedule are made from its registration on", async () => {
    await scheduler.register("lake", { schedule: { cron: "0 0 1 1 *", timeZone: "UTC" } }, "2024-06-01T00:05:00Z");
    await scheduler.register("lake", { schedule: hourly }, "2024-06-01T06:05:00Z");
    await fire("2024-06-01T07:30:00Z");
    expect(await fires()).toEqual(["2024-06-01T07:00 2024-06-01 true"]);
    await scheduler.register("lake", { schedule: hourly, maxRuns: 2 }, "2024-06-01T09:05:00Z"); // the same one goes on
    await fire("2024-06-01T09:30:00Z");
    expect(await fires()).toHaveLength(3);
  });

  it("before the pipeline's first partition have no run", async () => {
    await scheduler.register(
      "lake",
      { schedule: hourly, fills: "previous", partitions: { kind: "monthly", start: "2024-06" } },
      "2024-06-01T00:05:00Z",
    );
    await fire("2024-06-01T01:30:00Z");
    expect(await fires()).toEqual(["2024-06-01T01:00 null false"]);
    expect(await scheduler.runs()).toEqual([]);
  });

  it("that are many are made some at a time", async () => {
    await scheduler.register("lake", { schedule: { cron: "* * * * *", timeZone: "UTC" } }, "2024-06-01T00:00:00Z");
    expect(await fire("2024-06-02T00:00:00Z")).toBe(1_000);
    expect(await fire("2024-06-02T00:00:00Z")).toBe(440);
    expect(await fire("2024-06-02T00:00:00Z")).toBe(0);
  });

  it("aren't made of a pipeline that isn't registered any more", async () => {
    await scheduler.register("lake", { schedule: hourly });
    await scheduler.test.sql(
      "update orca.pipelines set program = null, description = null, version = null, registered_at = null, next_fire_at = null",
    );
    expect(await fire("2024-07-01T00:00:00Z")).toBe(0);
  });
});
