import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { testScheduler, type TestScheduler } from "../state/scheduler.fixture.ts";
import { tick } from "./tick.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());

it("a pass is one round trip when nothing is due, whatever is queued and going on", async () => {
  for (const name of ["a", "b", "c"]) await scheduler.register(name, { sensor: name === "c" });
  await scheduler.test.sql(`
    insert into orca.runs (token, pipeline, version, status, trigger, keys)
    select gen_random_uuid(), p.name, p.version, 'queued', 'manual', array['2024-01-01'] from orca.pipelines p, generate_series(1, 100)`);
  const started: number[] = [];
  const scheduling = {
    database: scheduler.database,
    runner: {
      async start({ run }: { readonly run: number }) {
        started.push(run);
        return { kill: () => {} };
      },
    },
    now: () => new Date("2024-06-01T00:00:00Z"),
    staleMs: 30_000,
    retryMs: 60_000,
    senseMs: 60_000,
    uiUrl: undefined,
    env: {},
    chance: () => 0,
    tell: () => {},
  };
  expect(await tick(scheduling)).toMatchObject({ hasDone: true });
  expect(started).toHaveLength(3);
  const roundTrips = vi.spyOn(pg.Client.prototype, "query");
  expect(await tick(scheduling)).toMatchObject({ hasDone: false });
  expect(roundTrips).toHaveBeenCalledTimes(1);
});
