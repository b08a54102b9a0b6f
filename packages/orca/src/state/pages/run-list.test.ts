import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addHistory, flushCounts, keepStatistics, readOfHistory } from "../history.fixture.ts";
import { testScheduler, type TestScheduler } from "../scheduler.fixture.ts";
import { countEnded, countRuns } from "./run-counts.ts";
import { listRuns, type RunsAsked } from "./run-list.ts";

const NOW = new Date("2024-06-10T12:00:00Z");
const ALL = ["queued", "running", "failed", "succeeded", "cancelled"] as const;

describe("a list of runs", () => {
  let state: TestScheduler;
  beforeAll(async () => {
    state = await testScheduler();
    await state.register("lake", { maxRuns: 1 });
    await state.register("pond");
    await state.test.sql(`
      insert into orca.runs (token, pipeline, version, status, trigger, keys, created_at, started_at, ended_at)
      select gen_random_uuid(), case when n = 3 then 'pond' else 'lake' end, (select min(id) from orca.versions),
        case n when 5 then 'queued' when 4 then 'running' when 2 then 'failed' when 1 then 'cancelled' else 'succeeded' end,
        case when n = 2 then 'schedule' else 'manual' end, array['2024-01-0' || n], timestamptz '2024-06-01' + n * interval '1 day',
        now() - interval '2 s', case when n < 4 then now() - interval '1 s' end
      from generate_series(1, 5) n`);
    await state.test.sql("update orca.runs set owner = gen_random_uuid() where id = 4");
    await state.test.sql(`
      insert into orca.steps (run, step, partition, status, hash, attempts, started_at, ended_at)
      values (2, 'load', '2024-01-02', 'failed', '0xa', 1, now(), now())`);
    await state.test.sql(`
      insert into orca.attempts (run, step, partition, attempt, status, owner, ended_at, error)
      values (2, 'load', '2024-01-02', 1, 'failed', gen_random_uuid(), clock_timestamp() + interval '1 s', 'Error: no such file')`);
  });
  afterAll(() => state[Symbol.asyncDispose]());
  const list = async (asked: Partial<RunsAsked> = {}) => {
    const page = await listRuns(state.database, { states: ALL, limit: 10, now: NOW, staleMs: 30_000, ...asked });
    return { ids: page.runs.map((run) => run.id), before: page.before };
  };

  it("has the newest first, and goes on before the last that was shown", async () => {
    expect(await list({ limit: 2 })).toEqual({ ids: [5, 4], before: 4 });
    expect(await list({ limit: 2, before: 4 })).toEqual({ ids: [3, 2], before: 2 });
    expect(await list({ limit: 2, before: 2 })).toEqual({ ids: [1], before: null });
  });

  it("has those alone that are asked for, whatever is asked for together", async () => {
    for (const [asked, ids] of [
      [{ states: ["queued", "running"] }, [5, 4]],
      [{ states: ["failed"] }, [2]],
      [{ states: ["cancelled"] }, [1]],
      [{ states: ["succeeded"], pipeline: "pond" }, [3]],
      [{ pipeline: "lake" }, [5, 4, 2, 1]],
      [{ trigger: "schedule" }, [2]],
      [{ partition: "2024-01-03" }, [3]],
      [{ partition: "2024-01-03", pipeline: "lake" }, []],
      [{ code: "0x1" }, [5, 4, 3, 2, 1]],
      [{ code: "0x2" }, []],
      [{ from: new Date("2024-06-04T00:00:00Z"), to: new Date("2024-06-06T00:00:00Z") }, [4, 3]],
      [{ from: new Date("2030-01-01T00:00:00Z") }, []],
      [{ to: new Date("2020-01-01T00:00:00Z") }, []],
    ] as const satisfies readonly (readonly [Partial<RunsAsked>, readonly number[]])[])
      expect([asked, (await list(asked)).ids]).toEqual([asked, ids]);
  });

  it("says why one failed, and what one waits for", async () => {
    const { runs } = await listRuns(state.database, { states: ALL, limit: 10, now: NOW, staleMs: 30_000 });
    expect(runs[0]).toMatchObject({ status: "queued", waitsFor: "place", maxRuns: 1 });
    expect(runs[3]).toMatchObject({
      status: "failed",
      failedStep: "load",
      failedPartition: "2024-01-02",
      failedError: "Error: no such file",
    });
    const since = async (change: string) => {
      await state.test.sql(change);
      const { runs: now } = await listRuns(state.database, { states: ["queued"], limit: 1, now: NOW, staleMs: 30_000 });
      return now[0]!.waitsFor;
    };
    expect(await since("update orca.runs set not_before = '2024-06-10T13:00:00Z' where id = 5")).toBe("time");
    expect(await since("update orca.pipelines set paused_at = now() where name = 'lake'")).toBe("unpause");
    expect(
      await since(`update orca.pipelines set program = null, description = null, version = null, registered_at = null, next_fire_at = null
        where name = 'lake'`),
    ).toBe("registration");
  });

  it("counts runs by their state, and those that ended in the last 7 days by their time", async () => {
    expect(await countRuns(state.database)).toEqual({
      all: { count: 5, isMore: false },
      queued: { count: 1, isMore: false },
      running: { count: 1, isMore: false },
      failed: { count: 1, isMore: false },
      succeeded: { count: 1, isMore: false },
      cancelled: { count: 1, isMore: false },
    });
    const { bins, isCut } = await countEnded(state.database, new Date());
    expect(bins).toHaveLength(144);
    expect(bins.reduce((sum, bin) => sum + bin.ended, 0)).toBe(3);
    expect(bins.reduce((sum, bin) => sum + bin.failed, 0)).toBe(1);
    expect(isCut).toBe(false);
    expect((await countEnded(state.database, NOW)).bins.every((bin) => bin.ended === 0)).toBe(true);
  });
});

describe("a long history", () => {
  it("isn't read for a page of runs: no table from end to end, and of no index more than the bounds", async () => {
    await using state = await testScheduler();
    await state.register("lake");
    await keepStatistics(state.test);
    await addHistory(state.test, "lake", 12_000);
    await state.test.sql("vacuum analyze");
    const asked: readonly Partial<RunsAsked>[] = [
      {},
      { before: 20_000 },
      { states: ["failed"] },
      { states: ["queued"] },
      { pipeline: "lake" },
      { partition: "k7" },
      { code: "0x2" },
      { from: new Date("2001-01-01T00:00:00Z") },
    ];
    const read = await readOfHistory(state.test, 10_100, () =>
      state.whileConnected(async (database) => {
        for (const one of asked)
          await listRuns(database, { states: ALL, limit: 50, now: NOW, staleMs: 30_000, ...one });
        await flushCounts(database);
      }),
    );
    expect(read.filter((line) => !line.endsWith(" by runs_pkey"))).toEqual([]);
  });
});
