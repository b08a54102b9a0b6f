/** A pipeline's page, and what is asked on it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { queueBackfill } from "../../state/backfills.ts";
import { recordAsked } from "../../state/sensing.ts";
import { testUi, type TestUi } from "../ui.fixture.ts";

let ui: TestUi;
beforeEach(async () => {
  ui = await testUi();
  await ui.register("lake", {
    partitions: { kind: "daily", start: "2024-05-20" },
    schedule: { cron: "10 6 * * *", timeZone: "America/New_York" },
    fills: "previous",
    maxRuns: 2,
    steps: [
      { name: "load", kind: "mapped", after: [], hash: "0xa", reads: ["faa.ontime"], writes: ["flights.raw"] },
      { name: "report", kind: "gather", after: ["load"], hash: "0xb", reads: [], writes: [] },
    ],
  });
});
afterEach(() => ui[Symbol.asyncDispose]());

const done = async (...days: string[]) => {
  await ui.test.sql("insert into orca.partition_state select 'lake', 'load', k, '0xa', 1 from unnest($1::text[]) k", [
    days,
  ]);
  await ui.test.sql(
    `insert into orca.runs (token, pipeline, version, status, trigger, keys, started_at)
     select gen_random_uuid(), name, version, 'running', 'manual', $1, clock_timestamp() from orca.pipelines where name = 'lake'`,
    [days],
  );
  const [run] = await ui.test.sql<{ id: number }>("select max(id)::int as id from orca.runs");
  await ui.test.sql(
    `insert into orca.steps (run, step, partition, status, hash, output, attempts, started_at, ended_at)
     select $1, 'load', k, 'succeeded', '0xa', '1', 1, clock_timestamp(), clock_timestamp() from unnest($2::text[]) k`,
    [run!.id, days],
  );
  await ui.end(run!.id);
};
const queue = (keys: readonly string[]) =>
  queueBackfill(ui.database, {
    pipeline: "lake",
    asked: "x",
    keys,
    isRerun: false,
    isReversed: false,
    maxRuns: undefined,
    actor: "me",
    isDry: false,
  });
const page = async (path: string) => await (await ui.get(path)).text();

describe("a pipeline's page", () => {
  it("shows each day that is due by its state, and the others not", async () => {
    await done("2024-05-20", "2024-05-21");
    await queue(["2024-05-22"]);
    const html = await page("/pipelines/lake");
    const stateOf = (day: string) => new RegExp(`data-k="${day}" data-s="(\\w+)"`).exec(html)?.[1];
    expect(["2024-05-19", "2024-05-20", "2024-05-22", "2024-05-31", "2024-06-01"].map(stateOf)).toEqual([
      undefined,
      "ok",
      "queued",
      "missing",
      undefined, // due from 10:10 UTC of the day after
    ]);
    expect(html).toContain("Every day at 06:10, New York time");
    expect(html).toContain("Daily since 20 May 2024");
    expect(html).toMatch(/12 due, 2 done/);
  });

  it("counts what is done before it is due by itself", async () => {
    await done("2024-05-20");
    await done("2024-06-01");
    expect(await ui.page("/pipelines/lake")).toContain("12 due, 1 done, and 1 before due");
  });

  it("is JSON from the same rows", async () => {
    await done("2024-05-20");
    expect(await ui.json("/pipelines/lake")).toMatchObject({
      name: "lake",
      total: 12,
      counts: { done: 1, missing: 11 },
      steps: [
        { name: "load", after: [], counts: { done: 1, missing: 11 } },
        { name: "report", after: ["load"], counts: null },
      ],
      dated: { kind: "daily", due: { first: "2024-05-20", last: "2024-05-31" }, from: "2024-05", to: "2024-05" },
      fires: [{ at: "2024-06-02T10:10:00.000Z", partition: "2024-06-01" }, {}, {}, {}, {}],
      versions: [{ isCurrent: true, changed: null, runs: 1 }],
    });
  });

  it("has what is selected by its address, also without a script", async () => {
    await done("2024-05-20");
    expect(await page("/pipelines/lake?select=2024-05-20..2024-05-22")).toContain("3 days selected");
    expect(await page("/pipelines/lake?state=missing")).toContain('value="2024-05-21..2024-05-31"');
    expect((await ui.get("/pipelines/lake?select=2024-05")).status).toBe(400);
  });

  it("tells earlier days by month", async () => {
    await ui.register("old", { partitions: { kind: "daily", start: "2022-01-10" } });
    const { dated } = (await ui.json("/pipelines/old")) as { dated: { from: string; periods: object[] } };
    expect(dated.from).toBe("2023-06");
    expect(dated.periods).toHaveLength(17);
    expect(dated.periods[0]).toEqual({ of: "2022-01", counts: { missing: 22 } });
    expect(await ui.json("/pipelines/old?year=2022")).toMatchObject({ dated: { from: "2022-01", to: "2022-12" } });
  });

  it("tells earlier days by year where they are very many", async () => {
    await ui.register("old", { partitions: { kind: "daily", start: "1942-01-01" } });
    const text = await page("/pipelines/old");
    expect(text.length).toBeLessThan(200_000);
    const { dated, counts } = (await ui.json("/pipelines/old")) as {
      dated: { periods: { of: string }[]; due: { count: number } };
      counts: { missing: number };
    };
    expect(dated.periods.map((period) => period.of)).toHaveLength(82);
    expect(counts.missing).toBe(dated.due.count);
  });

  it("is refused for a pipeline that isn't there, and for a step that it hasn't", async () => {
    expect((await ui.get("/pipelines/laek")).status).toBe(404);
    expect(await page("/pipelines/laek")).toContain("did you mean");
    expect((await ui.get("/pipelines/lake?step=report")).status).toBe(400);
    expect((await ui.get("/pipelines/lake?year=20244")).status).toBe(400);
  });

  it("says which step is meant only of that one", async () => {
    await done("2024-05-20");
    expect(await ui.json("/pipelines/lake?step=load")).toMatchObject({ step: "load", counts: { done: 1 } });
  });
});

describe("a keyed pipeline's page", () => {
  beforeEach(() =>
    ui.register("labels", { partitions: { kind: "keyed", dataset: "av2.logs", column: "log_id" }, keysPerRun: 2 }),
  );

  it("says what its program couldn't say, until it can", async () => {
    const error = "/programs/labels can't say its keys: 'a b' can't be a key";
    await recordAsked(ui.database, { pipeline: "labels", program: "/programs/x" }, "keys", error);
    const failure = "<b>New names start no run</b>";
    expect(await page("/pipelines/labels")).toContain(failure);
    expect(await page("/pipelines/labels")).not.toContain("Never run");
    expect(await page("/pipelines/labels")).toContain(error.replaceAll("'", "&#39;"));
    await recordAsked(ui.database, { pipeline: "labels", program: "/programs/x" }, "keys", undefined);
    expect(await page("/pipelines/labels")).not.toContain(failure);
  });

  it("has a strip over the keys, and a list of those that one looks for", async () => {
    await queueBackfill(ui.database, {
      pipeline: "labels",
      asked: "x",
      keys: ["a", "b", "c"],
      isRerun: false,
      isReversed: false,
      maxRuns: undefined,
      actor: "me",
      isDry: false,
    });
    const [run] = await ui.take(1);
    await ui.end(run!.run, "failed");
    expect(await ui.json("/pipelines/labels")).toMatchObject({
      total: 3,
      counts: { failed: 2, queued: 1 },
      keyed: { bins: [{ counts: { failed: 2, queued: 1 } }], isCounted: true, state: "failed" },
      keyList: { keys: [{ key: "a", state: "failed" }, { key: "b" }], after: null },
    });
    expect(await ui.json("/pipelines/labels?state=any&begins=c")).toMatchObject({
      keyList: { keys: [{ key: "c", state: "queued" }] },
    });
    const html = await page("/pipelines/labels");
    expect(html).toContain('name="key" value="a"');
    expect(html).toContain("Backfill all 2 failed");
  });
});

describe("what a backfill will do", () => {
  it("is said of each partition, and nothing is queued", async () => {
    await done("2024-05-20");
    await queue(["2024-05-21"]);
    const path = "/pipelines/lake/backfill?keys=2024-05-20..2024-05-23";
    expect(await ui.json(path)).toMatchObject({ asked: 4, done: 1, live: 1, queued: 2, runs: 2, isRerun: false });
    const html = await page(path);
    expect(html).toContain("Backfill 4 days of lake");
    expect(html).toContain("not be run: done with this code");
    expect(html).toContain("Queue 2 runs");
    expect(await ui.json(`${path}&rerun=1`)).toMatchObject({ done: 0, queued: 3 });
    expect(await ui.runs()).toHaveLength(2);
  });

  it("is said of all keys of a state by their number, without each", async () => {
    await ui.register("labels", {
      partitions: { kind: "keyed", dataset: "av2.logs", column: "log_id" },
      keysPerRun: 2,
    });
    await queueBackfill(ui.database, {
      pipeline: "labels",
      asked: "x",
      keys: ["a", "b", "c"],
      isRerun: false,
      isReversed: false,
      maxRuns: undefined,
      actor: "me",
      isDry: false,
    });
    const [run] = await ui.take(1);
    await ui.end(run!.run, "failed");
    await ui.get("/pipelines/labels");
    expect(await ui.json("/pipelines/labels/backfill?state=failed")).toMatchObject({ asked: 2, queued: 2, runs: 1 });
    expect(await ui.json("/pipelines/labels/backfill?keys=@all")).toMatchObject({ asked: 3, live: 1, queued: 2 });
    expect(await ui.json("/pipelines/labels/backfill?key=a&key=b")).toMatchObject({ asked: 2, queued: 2 });
    expect((await ui.get("/pipelines/labels/backfill?keys=nope")).status).toBe(400);
    expect((await ui.get("/pipelines/labels/backfill")).status).toBe(400);
  });
});

it("asks over what a run is to be started, with what is due filled in", async () => {
  expect(await page("/pipelines/lake/start")).toContain('value="2024-05-31"');
});
