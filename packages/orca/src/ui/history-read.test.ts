/** What pages read doesn't grow with the history: rows are counted, whatever the statistics, and with plans from before there was one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { step } from "../core/described.fixture.ts";
import type { Database } from "../state/database.ts";
import { addHistory, flushCounts, keepStatistics, planning, readOfHistory } from "../state/history.fixture.ts";
import { countKeyRanges } from "../state/pages/key-ranges.ts";
import { makeUi } from "./app.ts";
import { testUi, type TestUi } from "./ui.fixture.ts";

const HISTORY_RUNS = 20_000;
/** A page reads no more of an index, by all of its statements together. */
const ROWS_MAX = 7_500;
const RUN = 10_000;

const PAGES = [
  "/",
  "/pipelines/raw",
  "/pipelines/keyed",
  "/pipelines/keyed?state=failed",
  "/pipelines/keyed?state=missing",
  "/pipelines/keyed?begins=k1",
  "/runs",
  `/runs?before=${RUN}`,
  "/runs?state=failed",
  "/runs?state=cancelled",
  "/runs?pipeline=keyed",
  "/runs?partition=k1",
  `/runs/${RUN}`,
  `/runs/${RUN}/steps/load/k1/1`,
  "/datasets",
  "/datasets/lake.raw",
  "/backfills",
  "/rebuilds",
  "/search?q=k1",
];

let ui: TestUi;
let kept: Database;
beforeAll(async () => {
  ui = await testUi();
  await keepStatistics(ui.test);
  const writing = { steps: [step([], ["lake.raw"])] };
  await ui.register("raw", writing);
  await ui.register("keyed", { partitions: { kind: "keyed", dataset: "lake.raw", column: "key" } });
  await ui.register("clean", { steps: [step(["lake.raw"], ["lake.clean"])], sensor: true });
  kept = planning(ui.test, "force_generic_plan");
  await ui.test.sql("analyze");
  await read(kept, PAGES);
  await addHistory(ui.test, "keyed", HISTORY_RUNS);
  await addHistory(ui.test, "raw", HISTORY_RUNS);
  for (const pipeline of ["raw", "keyed"]) await counted(pipeline);
  await flushCounts(ui.database);
}, 120_000);
afterAll(async () => {
  await kept[Symbol.asyncDispose]();
  await ui[Symbol.asyncDispose]();
});

async function counted(pipeline: string): Promise<void> {
  while (await countKeyRanges(ui.database, pipeline));
}

/** Reads pages by a connection whose counts are flushed. */
async function read(database: Database, paths: readonly string[]): Promise<void> {
  await using of = makeUi({ ...ui.options, database });
  for (const path of paths) {
    const answer = await of.app.request(path, { headers: { host: "127.0.0.1:8270" } });
    expect([200, 404], `${path}: ${await answer.text()}`).toContain(answer.status);
  }
  await flushCounts(database);
}

describe.each<[string, () => Promise<unknown>, () => Database]>([
  ["planned when there was no history", async () => {}, () => kept],
  ["with statistics of before the history", async () => {}, () => planning(ui.test, "auto")],
  ["with new statistics", () => ui.test.sql("analyze"), () => planning(ui.test, "auto")],
  ["with new statistics, for any value", async () => {}, () => planning(ui.test, "force_generic_plan")],
])("%s", (_when, begin, connect) => {
  let database: Database;
  beforeAll(async () => {
    await begin();
    database = connect();
  });
  afterAll(async () => (database === kept ? undefined : await database[Symbol.asyncDispose]()));

  it.each(PAGES)("%s", async (path) => {
    const found = await readOfHistory(ui.test, ROWS_MAX, () => read(database, [path]));
    expect(found.join(", ")).toBe("");
  });
});
