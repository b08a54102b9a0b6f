/** What is known of keys, after runs have ended, been queued and failed. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import pg from "pg";
import { described, step } from "../../core/described.fixture.ts";
import { recordKeys } from "../keys.ts";
import { testScheduler, type TestScheduler } from "../scheduler.fixture.ts";
import { keysBetween, keysNamed } from "./key-facts.ts";
import { listKeys } from "./key-list.ts";
import { datedGroups } from "./key-months.ts";
import { countKeyRanges, readKeyRanges } from "./key-ranges.ts";
import { countsOf, type KeyState } from "./key-states.ts";

let scheduler: TestScheduler;
const keyed = { partitions: { kind: "keyed", dataset: "av2.logs", column: "log_id" }, keysPerRun: 100 } as const;
const labels = described("labels", keyed);

beforeEach(async () => {
  scheduler = await testScheduler();
  await scheduler.register("labels", keyed);
});
afterEach(() => scheduler[Symbol.asyncDispose]());

/** Queues a run; the steps of those that are named are done, or failed, and then it ends. */
async function run(
  pipeline: string,
  keys: readonly string[],
  ended?: { done?: readonly string[]; failed?: readonly string[] },
) {
  const [row] = await scheduler.test.sql<{ id: number }>(
    `insert into orca.runs (token, pipeline, version, status, trigger, keys, started_at)
     select gen_random_uuid(), name, version, $3, 'manual', $2, clock_timestamp()
     from orca.pipelines where name = $1 returning id::int as id`,
    [pipeline, keys, ended === undefined ? "queued" : "running"],
  );
  const { id } = row!;
  if (ended === undefined) return id;
  const { done = [], failed = [] } = ended;
  await scheduler.test.sql(
    `insert into orca.partition_state select $1, 'load', k, '0xa', $2 from unnest($3::text[]) k
     on conflict (pipeline, step, key) do update set hash = '0xa', run = excluded.run`,
    [pipeline, id, done],
  );
  await scheduler.test.sql(
    `insert into orca.steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
     select $1, 'load', k, case when k = any ($3) then 'failed' else 'succeeded' end, '0xa', case when k = any ($3) then null else '1' end,
       1, clock_timestamp(), clock_timestamp() from unnest($2::text[]) k`,
    [id, [...done, ...failed], failed],
  );
  await scheduler.test.sql(
    `insert into orca.attempts (run, step, partition, attempt, status, owner, error, ended_at)
     select $1, 'load', k, 2, 'failed', gen_random_uuid(), E'no lidar\\nat label', clock_timestamp() + interval '1 s'
     from unnest($2::text[]) k`,
    [id, failed],
  );
  await scheduler.end(id, failed.length === 0 ? "succeeded" : "failed");
  return id;
}

async function states(keys: readonly string[], step?: string): Promise<readonly string[]> {
  const rows = await keysNamed(scheduler.database, labels, keys, step);
  return rows.map((row) => `${row.key} ${row.state}`);
}

describe("keys", () => {
  it("are in the state that their last run left them in, or in that of the run they are in", async () => {
    await run("labels", ["a", "b", "c", "d"], { done: ["a", "c"], failed: ["b", "d"] });
    const live = await run("labels", ["c", "d"]);
    expect(await states(["a", "b", "c", "d", "e"])).toEqual([
      "a done",
      "b failed",
      "c queued",
      "d queued",
      "e missing",
    ]);
    await scheduler.test.sql("update orca.runs set status = 'running', starts = 1 where id = $1", [live]);
    expect(await states(["c"])).toEqual(["c running"]);
  });

  it("say which run, step and error they failed by, without what follows the first line", async () => {
    const id = await run("labels", ["a"], { failed: ["a"] });
    expect(await keysNamed(scheduler.database, labels, ["a"])).toMatchObject([
      { key: "a", state: "failed", run: id, step: "load", error: "no lidar", attempts: 2 },
    ]);
  });

  it("are stale once the code of a step is another", async () => {
    const id = await run("labels", ["a"], { done: ["a"] });
    const changed = { ...labels, steps: [{ ...labels.steps[0]!, hash: "0xnew" }] };
    expect(await keysNamed(scheduler.database, changed, ["a"])).toMatchObject([
      { state: "stale", step: "load", run: id },
    ]);
  });

  it("are listed by state, and paged by key", async () => {
    await run("labels", ["a1", "a2", "a3", "b1"], { done: ["a1", "b1"], failed: ["a2", "a3"] });
    await run("labels", ["a3"]);
    await scheduler.database.transaction((client) => recordKeys(client, "labels", ["a1", "a2", "a3", "b1", "c1"]));
    await countKeyRanges(scheduler.database, "labels");
    const list = async (state: KeyState | undefined, more = {}) => {
      const page = await listKeys(scheduler.database, {
        description: labels,
        state,
        begins: "",
        after: "",
        limit: 2,
        ...more,
      });
      return [page.keys.map((row) => row.key).join(" "), page.after];
    };
    expect(await list("done")).toEqual(["a1 b1", null]);
    expect(await list("failed")).toEqual(["a2", null]);
    expect(await list("queued")).toEqual(["a3", null]);
    expect(await list("missing")).toEqual(["c1", null]);
    expect(await list("stale")).toEqual(["", null]);
    expect(await list(undefined)).toEqual(["a1 a2", "a2"]);
    expect(await list(undefined, { after: "a2" })).toEqual(["a3 b1", "b1"]);
    expect(await list(undefined, { begins: "b" })).toEqual(["b1", null]);
    expect(await list("done", { from: "a2" })).toEqual(["b1", null]);
  });

  it("that a program doesn't say any more are forgotten, if no run ever had them", async () => {
    await run("labels", ["a"], { done: ["a"] });
    const record = (keys: readonly string[]) =>
      scheduler.database.transaction((client) => recordKeys(client, "labels", keys));
    await record(["a", "b"]);
    await record(["c"]);
    const rows = await scheduler.test.sql("select key from orca.keys order by key");
    expect(rows).toEqual([{ key: "a" }, { key: "c" }]);
  });
});

describe("ranges of keys", () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `k${String(n).padStart(5, "0")}`);
  async function counted() {
    let passes = 1;
    while (await countKeyRanges(scheduler.database, "labels")) passes++;
    const ranges = await readKeyRanges(scheduler.database, "labels");
    const counts = countsOf(
      ranges.flatMap((range) => range.groups),
      labels,
    );
    return { passes, ranges: ranges.length, counts };
  }

  it("count all, and anew those alone whose keys a run has changed", async () => {
    await scheduler.database.transaction((client) => recordKeys(client, "labels", names(3_000)));
    const first = await counted();
    expect(first).toMatchObject({ ranges: 5, counts: { missing: 3_000 } });
    expect(await countKeyRanges(scheduler.database, "labels")).toBe(false);
    await run("labels", ["k00001", "k00002"], { done: ["k00001"], failed: ["k00002"] });
    await run("labels", ["k00003"]);
    await scheduler.test.sql("update orca.key_ranges set counts = '[]' where first > 'k00600'");
    expect((await counted()).counts).toEqual({ done: 1, failed: 1, queued: 1, missing: 1_197 });
  });

  it("are told of by few rows, however many runs there are, whether anybody counts them or not", async () => {
    const noted = () => scheduler.test.sql("select pipeline, run from orca.key_changes");
    const all = [{ pipeline: "labels", run: null }];
    await run("labels", ["a"], { done: ["a"] });
    await run("labels", ["b", "c"], { done: ["b"], failed: ["c"] });
    expect(await noted()).toEqual(all);
    expect((await counted()).counts).toEqual({ done: 2, failed: 1 });
    expect(await noted()).toEqual([]);
    await scheduler.test.sql(
      `select orca.note_key_changes_of(array_fill('labels'::text, array[100]), array(select generate_series(n, n + 99)::bigint))
       from generate_series(1, 24901, 100) n`,
    );
    expect((await noted()).length).toBeLessThan(10_200);
    expect((await noted()).filter((row) => row["run"] === null)).toEqual(all);
    expect((await counted()).counts).toEqual({ done: 2, failed: 1 });
    expect(await noted()).toEqual([]);
  });

  it("are counted with what a run that ends meanwhile has done", async () => {
    await run("labels", ["a"], { done: ["a"] });
    await using other = new AsyncDisposableStack();
    const client = new pg.Client({ connectionString: scheduler.test.url });
    await client.connect();
    other.defer(() => client.end());
    const id = await run("labels", ["b"]);
    await client.query("begin");
    await client.query(
      "update orca.runs set status = 'cancelled', ended_at = clock_timestamp(), settled_at = clock_timestamp() where id = $1",
      [id],
    );
    await countKeyRanges(scheduler.database, "labels");
    await client.query("commit");
    expect((await counted()).counts).toEqual({ done: 1, cancelled: 1 });
  });

  it("are counted anew once the pipeline has other steps", async () => {
    await scheduler.register("labels", { ...keyed, steps: [step([])] });
    await scheduler.test.sql("insert into orca.partition_state select 'labels', 'other', 'a', '0xa', 1");
    await run("labels", ["a"], { done: ["a"] });
    await counted();
    const other = { ...keyed, hash: "0x2", steps: [{ ...step([]), name: "other" }] };
    await scheduler.register("labels", other);
    while (await countKeyRanges(scheduler.database, "labels"));
    const ranges = await readKeyRanges(scheduler.database, "labels");
    const groups = ranges.flatMap((range) => range.groups);
    expect(countsOf(groups, described("labels", other))).toEqual({ done: 1 });
  });

  it("are split where keys are added", async () => {
    await scheduler.database.transaction((client) => recordKeys(client, "labels", names(100)));
    expect((await counted()).ranges).toBe(1);
    await run("labels", names(2_500), { done: names(2_500) });
    expect(await counted()).toMatchObject({ counts: { done: 2_500 } });
    expect((await readKeyRanges(scheduler.database, "labels")).length).toBeGreaterThan(2);
  });
});

it("counts days by month, also those that are in runs or failed", async () => {
  const days = { partitions: { kind: "daily", start: "2024-01-01" } } as const;
  await scheduler.register("lake", days);
  const lake = described("lake", days);
  await run("lake", ["2024-01-01", "2024-01-02", "2024-02-01"], {
    done: ["2024-01-01", "2024-02-01"],
    failed: ["2024-01-02"],
  });
  await run("lake", ["2024-02-01", "2024-02-02"]);
  await countKeyRanges(scheduler.database, "lake");
  const groups = await datedGroups(scheduler.database, {
    pipeline: "lake",
    first: "2024-01-01",
    until: "2024-03",
    by: "month",
  });
  const of = (month: string) =>
    countsOf(
      groups.filter((group) => group.of === month),
      lake,
    );
  expect(of("2024-01")).toEqual({ done: 1, failed: 1 });
  expect(of("2024-02")).toEqual({ queued: 2 });
  const rows = await keysBetween(scheduler.database, lake, { first: "2024-01-02", last: "2024-02-01", limit: 9 });
  expect(rows.map((row) => `${row.key} ${row.state}`)).toEqual(["2024-01-02 failed", "2024-02-01 queued"]);
});
