import { expect, it } from "vitest";
import type { Runner } from "../runners/runner.ts";
import { queueBackfill } from "../state/backfills.ts";
import { testScheduler } from "../state/scheduler.fixture.ts";
import { tick } from "./tick.ts";

it("a process that doesn't claim its run in time is ended, and no other", async () => {
  await using scheduler = await testScheduler();
  const { database, test } = scheduler;
  const keys = ["2024-01-01", "2024-01-02"];
  const asked = { asked: "x", keys, isRerun: false, isReversed: false, maxRuns: undefined, actor: "me", isDry: false };
  await scheduler.register("lake", { maxRuns: 2 });
  await queueBackfill(database, { pipeline: "lake", ...asked });
  const killed: number[] = [];
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  const [claiming] = await test.sql<{ id: number }>("select min(id)::int as id from orca.runs");
  const runner: Runner = {
    async start({ run }) {
      if (run === claiming!.id)
        await test.sql("update orca.runs set owner = gen_random_uuid(), starts = 1 where id = $1", [run]);
      return {
        kill() {
          killed.push(run);
          resolve();
        },
      };
    },
  };
  const given = { retryMs: 0, senseMs: 60_000, uiUrl: undefined, env: {}, chance: () => 0, tell: () => {} };
  await tick({ database, runner, now: () => new Date(), staleMs: 200, ...given });
  await isOver;
  expect(killed).toEqual([claiming!.id + 1]);
});
