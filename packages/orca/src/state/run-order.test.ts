/** Runs of a pipeline that share a key are done in the order in which they were queued: a step reads the same at each retry, and would undo a later run's work. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isIdle, readAgenda } from "./agenda.ts";
import { askToCancel } from "./cancel.ts";
import { queueRun } from "./manual-runs.ts";
import { reapLaunched, reapRuns } from "./reap-runs.ts";
import { queueRerun } from "./rerun.ts";
import { resumeRun } from "./resume.ts";
import { readRun } from "./run-status.ts";
import { testScheduler, type TestScheduler } from "./scheduler.fixture.ts";

let scheduler: TestScheduler;
beforeAll(async () => void (scheduler = await testScheduler()));
afterAll(() => scheduler[Symbol.asyncDispose]());
beforeEach(() => scheduler.empty());

const now = "2024-06-01T00:00:00Z";
/** After any retry. */
const later = "2024-07-01T00:00:00Z";
const KEY = "2024-01-01";
const OTHER = "2024-01-02";

/** Queues runs as sensors do: whatever is queued of their keys. @returns their numbers. */
async function queue(...runs: (readonly string[])[]): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const keys of runs) {
    const id = await queueRun(scheduler.database, { pipeline: "lake", keys, actor: "me" });
    await scheduler.test.sql("update orca.runs set trigger = 'sensor' where id = $1", [id]);
    ids.push(id);
  }
  return ids;
}
/** What starts in a pass. */
async function take(at = now): Promise<readonly number[]> {
  await scheduler.note(at);
  return (await scheduler.take(100, at)).map((launch) => launch.run);
}
const waiting = async () =>
  (
    await scheduler.test.sql("select id::int, waits_for::int from orca.runs where waits_for is not null order by 1")
  ).map((row) => [row["id"], row["waits_for"]]);
const claim = (run: number) =>
  scheduler.test.sql("update orca.runs set owner = gen_random_uuid(), starts = 1 where id = $1", [run]);
const stale = () => scheduler.test.sql("update orca.heartbeats set at = clock_timestamp() - interval '31 s'");
async function endAll(...runs: readonly number[]): Promise<void> {
  for (const run of runs) await scheduler.end(run);
  await scheduler.settle();
}

describe("a run", () => {
  it("isn't overtaken by a later one of its key while it waits for its retry", async () => {
    await scheduler.register("lake", { maxRuns: 5, runRetries: 1 });
    const [first] = await queue([KEY]);
    expect(await take()).toEqual([first]);
    await claim(first!);
    const [second, other] = await queue([KEY], [OTHER]);
    expect(await take()).toEqual([other]); // it goes on
    await scheduler.end(first!, "failed");
    expect(await take()).toEqual([]); // it has failed, and is going to be queued again
    await scheduler.settle();
    expect(await take()).toEqual([]); // it is queued
    expect(await take(later)).toEqual([first]);
    expect(await take(later)).toEqual([]);
    await endAll(first!);
    expect(await take(later)).toEqual([second]);
  });

  it("isn't held by one whose failure wasn't looked at yet, though no pass has noted that it waits", async () => {
    await scheduler.register("lake", { runRetries: 1 });
    const [first, second] = await queue([KEY], [KEY]);
    await scheduler.take();
    await scheduler.end(first!, "failed");
    expect(await scheduler.take()).toEqual([]);
    await scheduler.test.sql("update orca.runs set retries = 1 where id = $1", [first]);
    expect((await scheduler.take()).map(({ run }) => run)).toEqual([second]);
  });

  it("is the only one of its key that goes on, however many may", async () => {
    await scheduler.register("lake", { maxRuns: 5 });
    const runs = await queue([KEY], [KEY], [KEY], [OTHER], [OTHER]);
    expect(await scheduler.take()).toMatchObject([{ run: runs[0] }, { run: runs[3] }]);
    expect(await scheduler.take()).toEqual([]);
    await endAll(runs[0]!);
    expect(await take()).toEqual([runs[1]]);
    await endAll(runs[1]!, runs[3]!);
    expect(await take()).toEqual([runs[2], runs[4]]);
  });

  it("over many keys waits for all earlier ones of these, and holds all later ones", async () => {
    await scheduler.register("lake", { maxRuns: 9 });
    const keys = ["2024-02-01", "2024-02-02", "2024-02-03"] as const;
    const [a, b, wide, c, d] = await queue([keys[0]], [keys[1]], keys, [keys[2]], ["2024-03-01"]);
    expect(await take()).toEqual([a, b, d]);
    expect(await take()).toEqual([]);
    expect(await waiting()).toEqual([
      [wide, b],
      [c, wide],
    ]);
    await endAll(b!);
    expect(await take()).toEqual([]);
    expect(await waiting()).toEqual([
      [wide, a],
      [c, wide],
    ]);
    await endAll(a!);
    expect(await take()).toEqual([wide]);
    await endAll(wide!);
    expect(await take()).toEqual([c]);
  });

  it("is held by no other pipeline's", async () => {
    await scheduler.register("lake");
    await scheduler.register("pond");
    await queue([KEY]);
    await queueRun(scheduler.database, { pipeline: "pond", keys: [KEY], actor: "me" });
    expect(await take()).toHaveLength(2);
  });

  it("isn't held by one that is cancelled, waiting or going on, nor by one that failed for good", async () => {
    await scheduler.register("lake", { maxRuns: 5 });
    const [first, second, third, fourth] = await queue([KEY], [KEY], [KEY], [KEY]);
    const cancel = (run: number) => askToCancel(scheduler.database, run, 30_000, "me");
    expect(await take()).toEqual([first]);
    await cancel(second!);
    await scheduler.settle();
    expect(await take()).toEqual([]);
    expect(await waiting()).toEqual([
      [third, first],
      [fourth, third],
    ]);
    await cancel(first!);
    await scheduler.end(first!, "cancelled");
    await scheduler.settle();
    expect(await take()).toEqual([third]);
    await scheduler.end(third!, "failed");
    await scheduler.settle();
    expect(await take()).toEqual([fourth]);
  });

  it("that runs again what failed for good starts, and the one that failed waits for it when it is resumed", async () => {
    await scheduler.register("lake", { maxRuns: 5 });
    const [failed] = await queue([KEY]);
    await take();
    await scheduler.end(failed!, "failed");
    await scheduler.settle();
    const again = await queueRerun(scheduler.database, { run: failed!, allowsNewCode: true, actor: "me" });
    expect(await take()).toEqual([again]);
    await resumeRun(scheduler.database, { run: failed!, allowsNewCode: true, staleMs: 30_000, actor: "me" });
    const [last, other] = await queue([KEY], [OTHER]);
    expect(await take()).toEqual([other]);
    expect(await waiting()).toEqual([[last, again]]);
    await endAll(again);
    expect(await take()).toEqual([failed]);
    await endAll(failed!);
    expect(await take()).toEqual([last]);
  });

  it("waits for one that was reaped, and is started again", async () => {
    await scheduler.register("lake", { maxRuns: 5, runRetries: 1 });
    const [first, second] = await queue([KEY], [KEY]);
    await take();
    await claim(first!);
    await stale();
    expect(await take()).toEqual([]);
    await reapRuns(scheduler.database, new Date(now), 30_000);
    expect(await take()).toEqual([first]);
    await stale();
    await claim(first!);
    await reapRuns(scheduler.database, new Date(now), 30_000);
    await scheduler.settle(); // it has no retry left
    expect(await take()).toEqual([second]);
  });

  it("says which it waits for, such as one whose program can't be started; others go on, and nothing is awaited", async () => {
    await scheduler.register("lake", { maxRuns: 5 });
    const [first, second, other] = await queue([KEY], [KEY], [OTHER]);
    const launches = await scheduler.take();
    expect(launches.map(({ run }) => run)).toEqual([first, other]);
    await reapLaunched(scheduler.database, launches[0]!.token, "there is no such file", new Date(now));
    await endAll(other!);
    expect(await take()).toEqual([]);
    expect((await readRun(scheduler.database, second!, 30_000)).heldBack).toBe(
      `run ${first} was queued before it, over a partition of its own`,
    );
    expect(await isIdle(scheduler.database, new Date(now), 30_000)).toBe(true);
    expect(await take(later)).toEqual([first]);
  });

  it("of a command line waits for none; others wait for it while it is alive", async () => {
    await scheduler.register("lake", { maxRuns: 5, steps: [] });
    const [first] = await queue([KEY]);
    const { id: byHand } = await scheduler.begin([KEY, OTHER]);
    const [second, other] = await queue([OTHER], ["2024-03-01"]);
    expect(await take()).toEqual([other]);
    expect(await waiting()).toEqual([]);
    await stale();
    expect(await take()).toEqual([first, second]);
    await endAll(byHand);
  });

  it("that a person takes out of the queue holds others only while it is alive", async () => {
    await scheduler.register("lake", { maxRuns: 5 });
    const first = await queueRun(scheduler.database, { pipeline: "lake", keys: [KEY], actor: "me" });
    const [second] = await queue([KEY]);
    await scheduler.test.sql("update orca.runs set not_before = $2 where id = $1", [first, later]);
    expect(await take()).toEqual([]);
    expect(await waiting()).toEqual([[second, first]]);
    await scheduler.claim({ id: first, owner: "", keys: [KEY] }, { allowsNewCode: true });
    expect(await take()).toEqual([]);
    await stale();
    expect(await take()).toEqual([second]);
  });
});

it("a pass that starts runs while it is noted what waits loses none", async () => {
  await scheduler.register("lake", { maxRuns: 3 });
  const runs = await queue(...Array.from({ length: 30 }, (_, i) => [i % 2 === 0 ? KEY : OTHER]));
  for (let left = runs.length; left > 0;) {
    const pass = async () => {
      await scheduler.note();
      const launches = await scheduler.take();
      for (const { run } of launches) await scheduler.end(run);
      await scheduler.settle();
      return launches.length;
    };
    for (const started of await Promise.all([pass(), pass(), pass()])) left -= started;
  }
  expect(new Set(await scheduler.runs())).toEqual(
    new Set([`succeeded sensor lake ${KEY}`, `succeeded sensor lake ${OTHER}`]),
  );
  expect(await waiting()).toEqual([]);
});

it("of a long queue of one key those behind it start, and what was noted isn't looked at again", async () => {
  await scheduler.register("lake", { maxRuns: 2 });
  await queue([KEY]);
  await scheduler.test.sql(
    `insert into orca.runs (token, pipeline, version, status, trigger, keys)
     select gen_random_uuid(), 'lake', version, 'queued', 'sensor', keys from orca.runs, generate_series(1, 1200) n`,
  );
  const [other] = await queue([OTHER]);
  const passes: number[][] = [];
  while (passes.flat().length < 2) passes.push([...(await take())]);
  expect(passes.at(-1)).toEqual([other]);
  expect(passes.length).toBeLessThan(6);
  await endAll(other!);
  expect(await scheduler.note()).toBe(0);
  const agenda = await readAgenda(scheduler.database, { now: new Date(now), staleMs: 30_000, senseMs: 60_000 });
  expect(agenda.start).toBe(false);
  await endAll(passes[0]![0]!);
  expect(await take()).toHaveLength(1);
  expect(await waiting()).toHaveLength(1199);
});
