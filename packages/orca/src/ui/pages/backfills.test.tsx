/** The pages of backfills and of rebuilds. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { queueBackfill } from "../../state/backfills.ts";
import { beginRebuild } from "../../state/rebuilds.ts";
import { testUi, type TestUi } from "../ui.fixture.ts";

let ui: TestUi;
beforeEach(async () => {
  ui = await testUi();
  const step = (reads: string[], writes: string[]) => [
    { name: "load", kind: "mapped" as const, after: [], hash: "0xa", reads, writes },
  ];
  await ui.register("lake", { maxRuns: 5, steps: step(["faa.raw"], ["lake.clean"]) });
  await ui.register("report", { maxRuns: 5, steps: step(["lake.clean"], []) });
});
afterEach(() => ui[Symbol.asyncDispose]());

const keys = ["2024-01-01", "2024-01-02", "2024-01-03"];
const backfill = async (given: readonly string[] = keys) =>
  (
    await queueBackfill(ui.database, {
      pipeline: "lake",
      asked: "2024-01-01..2024-01-03",
      keys: given,
      isRerun: true,
      isReversed: false,
      maxRuns: 2,
      actor: "demo",
      isDry: false,
    })
  ).id!;

it("show a backfill with what is done of it, its partitions and its runs", async () => {
  const id = await backfill();
  const [first, second] = await ui.take();
  await ui.end(first!.run);
  await ui.end(second!.run, "failed");
  expect(await ui.json(`/backfills/${id}`)).toMatchObject({
    pipeline: "lake",
    kind: "daily",
    done: 1,
    failed: 1,
    running: 0,
    queued: 1,
    runs: 3,
    isMore: false,
    keys: [{ status: "succeeded" }, { status: "failed" }, { status: "queued" }],
    list: [{ first: "2024-01-03" }, { first: "2024-01-02" }, { first: "2024-01-01" }],
  });
  const html = await (await ui.get(`/backfills/${id}`)).text();
  expect(html).toContain("--rerun --max-runs 2");
  expect(html).toMatch(/data-k="2024-01-02" data-s="failed"/);
  expect(html).toContain('data-topics="run:* queue:*"');
});

it("list backfills, the newest first", async () => {
  const ids = [await backfill(keys.slice(0, 1)), await backfill(keys.slice(1, 2))];
  const { backfills, before } = (await ui.json("/backfills")) as { backfills: { id: number }[]; before: null };
  expect(backfills.map((row) => row.id)).toEqual(ids.toReversed());
  expect(before).toBeNull();
  expect(await ui.json(`/backfills?before=${ids[1]}`)).toMatchObject({ backfills: [{ id: ids[0] }] });
});

it("show a rebuild with its levels, and what it goes on with", async () => {
  const { id } = await beginRebuild(ui.database, { dataset: "faa.raw", keys: ["2024-01-01"], actor: "demo" });
  expect(await ui.json(`/rebuilds/${id}`)).toMatchObject({
    status: "running",
    levelRows: [
      { level: 0, pipeline: "lake", runs: 1, queued: 1, stoppedBy: null },
      { level: 1, pipeline: "report", runs: 0, queuedAt: null },
    ],
  });
  const [launch] = await ui.take();
  await ui.end(launch!.run, "failed");
  await ui.settle();
  expect(await ui.json(`/rebuilds/${id}`)).toMatchObject({
    status: "stopped",
    levelRows: [{ stoppedBy: launch!.run }, {}],
  });
  expect(await (await ui.get(`/rebuilds/${id}`)).text()).toContain(`action="/runs/${launch!.run}/resume"`);
  expect(await (await ui.get("/rebuilds")).text()).toContain("Stopped: a run failed");
});

it("refuse what isn't there", async () => {
  for (const path of ["/backfills/9", "/rebuilds/9"]) expect((await ui.get(path)).status).toBe(404);
  expect((await ui.get("/backfills/x")).status).toBe(400);
});
