import { randomUUID } from "node:crypto";
import path from "node:path";
import { eq } from "@orcajs/iceberg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call, callOrca, workFolder } from "../../e2e/programs.ts";
import { testDatabase } from "../../postgres.ts";
import { built } from "../steps.ts";
import { Lake } from "./lake.ts";
import { brokenRecords } from "./records.ts";
import { rowsOf } from "./rows.ts";
import type { StoreGate } from "./store.ts";
import { STORES, storeOf } from "./subject.ts";

/** A machine at work takes its time. */
const HANGS_MS = 120_000;

const RUNS = 3;
const DAYS = ["2024-01-01", "2024-01-02"];

const work = workFolder();
let program: string;
beforeAll(async () => {
  program = await built("lake/days.ts", path.join(work.path, "days"));
});
afterAll(() => work[Symbol.dispose]());

/** Settles for all of them once so many have come. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let come = 0;
  return async () => {
    if (++come === count) resolve();
    await promise;
  };
}

async function run(lake: Lake, url: string, days: string, gate: StoreGate = async () => undefined): Promise<void> {
  await using guard = await lake.guard(gate);
  const env = { ...guard.env, ORCA_DATABASE_URL: url };
  const { code, stderr } = await call(program, ["run", "--partitions", days], { env });
  expect(stderr).toBe("");
  expect(code).toBe(0);
}

it.each(STORES)(
  "runs that overwrite the same days of a table in a %s, and append to another, at the same time leave a day's rows of one of them, and those of all",
  async (kind) => {
    await using store = await storeOf(kind, path.join(work.path, kind));
    await using database = await testDatabase();
    await using lake = await Lake.create(store, randomUUID());
    const met = barrier(RUNS);
    const atOnce = () => {
      let isFirst = true;
      return async (request: string) => {
        if (isFirst && request === "store put data file") {
          isFirst = false;
          await met();
        }
        return undefined;
      };
    };
    await Promise.all(Array.from({ length: RUNS }, () => run(lake, database.url, `${DAYS[0]}..${DAYS[1]}`, atOnce())));

    const copied = await rowsOf(lake.catalog, "lake.clean");
    const writers = DAYS.map(
      (day) => new Set(copied.filter((row) => row.startsWith(day)).map((row) => row.split(" ")[2])),
    );
    expect(writers.map((runs) => runs.size)).toEqual([1, 1]);
    expect(copied.map((row) => row.split(" ")[1])).toEqual(["0", "1", "2", "3", "0", "1", "2", "3"]);
    const appended = DAYS.flatMap((day) => [1, 2].flatMap((n) => [1, 2, 3].map((id) => `${day} ${n} ${id}`)));
    expect(await rowsOf(lake.catalog, "lake.raw")).toEqual(appended);
    const [first, second] = await Promise.all(
      ["lake.raw", "lake.clean"].map(async (name) => (await lake.catalog.loadTable(name)).snapshots().length),
    );
    expect([first, second]).toEqual([RUNS * DAYS.length * 2, RUNS * DAYS.length]);
    expect(await brokenRecords(lake.catalog, database)).toEqual([]);
  },
  HANGS_MS,
);

it(
  "a day that is run again after its source has changed has the new rows alone, and says what they were made from",
  async () => {
    await using store = await storeOf("folder", path.join(work.path, "rerun"));
    await using database = await testDatabase();
    await using lake = await Lake.create(store, randomUUID());
    const [day, other] = DAYS as [string, string];
    const source = await lake.catalog.loadTable("lake.source");
    const old = source.scan().snapshot!["snapshot-id"];
    await run(lake, database.url, `${day},${other}`);
    const changed = await source.overwrite([{ day, n: 7 }], { where: eq("day", day) });
    await run(lake, database.url, day);

    const rows = await rowsOf(lake.catalog, "lake.clean");
    expect(rows).toEqual([`${day} 7 2`, ...[0, 1, 2, 3].map((n) => `${other} ${n} 1`)]);
    expect(await brokenRecords(lake.catalog, database)).toEqual([]);
    const lineage = async (snapshot: bigint) => {
      const words = ["lineage", `lake.clean@${snapshot}`, "--json"];
      const { stdout } = await callOrca(words, { env: { ORCA_DATABASE_URL: database.url } });
      const { madeFrom } = JSON.parse(stdout) as { readonly madeFrom: readonly { readonly from: unknown }[] };
      return madeFrom[0]!.from;
    };
    const made = (await lake.catalog.loadTable("lake.clean")).snapshots();
    expect(await lineage(made.at(-1)!["snapshot-id"])).toEqual([
      { dataset: "lake.source", snapshot: String(changed["snapshot-id"]) },
    ]);
    expect(await lineage(made[0]!["snapshot-id"])).toEqual([{ dataset: "lake.source", snapshot: String(old) }]);
  },
  HANGS_MS,
);
