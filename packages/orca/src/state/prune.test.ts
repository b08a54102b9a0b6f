import { afterAll, beforeAll, expect, it } from "vitest";
import { walkBack } from "./lineage.ts";
import { countPrunable, pruneRuns } from "./prune.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());

const DAY_MS = 86_400_000;

it("pruning removes old runs, and keeps what lineage and backfills need", async () => {
  await scheduler.register("lake", { maxRuns: 10 });
  const backfill = () => scheduler.backfill("lake", ["2024-01-01", "2024-01-02", "2024-01-03"]);
  await backfill();
  const [committed, failed, young] = (await scheduler.take()).map((launch) => launch.run) as [number, number, number];
  await scheduler.end(committed, "succeeded", { dataset: "l.raw", snapshot: 7 });
  await scheduler.end(failed, "failed");
  await scheduler.end(young, "failed");
  await scheduler.test.sql("insert into orca.partition_state values ('lake', 'load', '2024-01-01', '0xa', $1)", [
    committed,
  ]);
  await scheduler.test.sql("update orca.runs set ended_at = now() - interval '91 days' where id <> $1", [young]);
  const lineage = () => walkBack(scheduler.database, [{ dataset: "l.raw", snapshot: 7n, distance: 0 }]);
  const before = await lineage();
  expect(before).toHaveLength(1);

  expect(await countPrunable(scheduler.database, 90 * DAY_MS)).toBe(2);
  expect((await pruneRuns(scheduler.database, 90 * DAY_MS)).map((run) => run.id)).toEqual([committed, failed]);
  expect(await pruneRuns(scheduler.database, 90 * DAY_MS)).toEqual([]);

  expect(await lineage()).toEqual(before);
  const left = await scheduler.test.sql("select id::int from orca.runs order by id");
  expect(left).toEqual([{ id: committed }, { id: young }]);
  expect(await backfill()).toMatchObject({ done: 1, queued: 2 });
  await expect(scheduler.claim({ id: committed, owner: "", keys: [] })).rejects.toThrow(/succeeded|pruned/);
});
