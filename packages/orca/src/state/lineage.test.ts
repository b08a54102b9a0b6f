import { afterAll, beforeAll, expect, it } from "vitest";
import type { DatasetSnapshot } from "../core/lineage.ts";
import { locationOf, madeByRuns, newestSnapshot, readOfOthers, walkBack, walkForward } from "./lineage.ts";
import { testState, type TestState } from "./state.fixture.ts";
import { PostgresTableRecords } from "./table-records.ts";

let state: TestState;
beforeAll(async () => {
  state = await testState();
});
afterAll(async () => await state[Symbol.asyncDispose]());

/** An attempt that reads and makes snapshots, and ends so. */
async function attempt(
  partition: string,
  number: number,
  status: "succeeded" | "failed",
  reads: Readonly<Record<string, bigint | undefined>>,
  makes: Readonly<Record<string, bigint>>,
): Promise<number> {
  const run = number === 1 ? await state.begin([partition]) : last!;
  last = run;
  const [journal, records] = [await state.journal(run), new PostgresTableRecords(state.database, run)];
  const id = { step: "load", partition, attempt: number };
  await journal.attemptStarts(id, "1");
  for (const [dataset, snapshot] of Object.entries(reads))
    await records.read(id, { dataset, location: `/lake/${dataset}`, snapshot });
  for (const [i, [dataset, snapshot]] of Object.entries(makes).entries())
    await records.committed(id, {
      number: i + 1,
      dataset,
      location: `/lake/${dataset}`,
      snapshot,
      operation: "append",
    });
  const isSuccess = status === "succeeded";
  const outcome = isSuccess ? ({ status, output: "1" } as const) : ({ status, error: new Error("no") } as const);
  await journal.attemptEnded(id, outcome, isSuccess ? "succeeded" : undefined);
  return run.id;
}
let last: Awaited<ReturnType<TestState["begin"]>> | undefined;

const back = (...from: readonly DatasetSnapshot[]) =>
  walkBack(
    state.database,
    from.map((one) => ({ ...one, distance: 0 })),
  );
const forward = (dataset: string, snapshot: bigint, distance = 0) =>
  walkForward(state.database, [{ dataset, snapshot, distance }]);

it("a snapshot was made by the attempt that succeeded, of what it read", async () => {
  await attempt("a", 1, "failed", { "x.raw": 1n }, { "x.clean": 10n });
  const run = await attempt("a", 2, "succeeded", { "x.raw": 1n, "x.names": undefined }, { "x.clean": 10n });
  expect(await back({ dataset: "x.clean", snapshot: 10n })).toEqual([
    {
      distance: 0,
      dataset: "x.clean",
      snapshot: 10n,
      by: {
        pipeline: "lake",
        run,
        step: "load",
        partition: "a",
        attempt: 2,
        code: "0xa",
        repository: "https://example.com/lake",
        commit: "c".repeat(40),
      },
      from: [
        { dataset: "x.names", snapshot: undefined },
        { dataset: "x.raw", snapshot: 1n },
      ],
    },
  ]);
  expect(await back({ dataset: "x.raw", snapshot: 1n })).toEqual([]);
  expect((await forward("x.raw", 1n)).map(({ snapshot, by }) => [snapshot, by.attempt])).toEqual([[10n, 2]]);
});

it("a snapshot that a run's old code made, and its new code found, was made by the old code, wherever that is", async () => {
  const run = await attempt("old", 1, "succeeded", {}, { "x.old": 40n });
  await state.test.sql("update orca.commits set code = '0x01d' where run = $1", [run]);
  const [made] = await back({ dataset: "x.old", snapshot: 40n });
  expect(made!.by).toMatchObject({ run, code: "0x01d", repository: null, commit: null });
});

it("a snapshot of a step that a resume with new code didn't run again isn't said to be of the new code's commit", async () => {
  const run = await attempt("resumed", 1, "succeeded", {}, { "x.resumed": 50n });
  await state.test.sql(`
    with v as (
      insert into orca.versions (pipeline, digest, registry_hash, step_hashes, repository, commit)
      values ('lake', 'new', '0xnew', '{"load": "0xnew"}', 'https://example.com/lake', 'new') returning id)
    update orca.runs set version = v.id from v where runs.id = ${run}`);
  const [made] = await back({ dataset: "x.resumed", snapshot: 50n });
  expect(made!.by).toMatchObject({ run, code: "0xa", repository: null, commit: null });
});

it("the newest snapshot of a dataset is the last that was made, and its table is where it was last", async () => {
  expect(await newestSnapshot(state.database, "y.t")).toBeUndefined();
  await attempt("b", 1, "succeeded", { "y.source": 3n }, { "y.t": 30n });
  await attempt("c", 1, "succeeded", {}, { "y.t": 20n });
  expect(await newestSnapshot(state.database, "y.t")).toBe(20n);
  expect(await locationOf(state.database, "y.source")).toBe("/lake/y.source");
});

it("a walk asks once, and goes no further than twenty steps", async () => {
  for (let n = 0; n < 25; n++)
    await attempt(`p${n}`, 1, "succeeded", n === 0 ? {} : { [`long.d${n - 1}`]: BigInt(n - 1) }, {
      [`long.d${n}`]: BigInt(n),
    });
  const steps = (count: number, datasetAt: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => [i, `long.d${datasetAt(i)}`]);
  const linksOf = (links: Awaited<ReturnType<typeof back>>) => links.map((made) => [made.distance, made.dataset]);
  expect(linksOf(await back({ dataset: "long.d24", snapshot: 24n }))).toEqual(steps(20, (i) => 24 - i));
  expect(linksOf(await forward("long.d0", 0n))).toEqual(steps(20, (i) => 1 + i));
  // further from where it began, so many fewer
  expect(await forward("long.d0", 0n, 17)).toHaveLength(3);
});

it("what is reached by ways of several lengths comes once, by the shortest", async () => {
  await attempt("short", 1, "succeeded", {}, { "w.a": 1n });
  await attempt("mid", 1, "succeeded", { "w.a": 1n }, { "w.b": 2n });
  await attempt("long", 1, "succeeded", { "w.a": 1n, "w.b": 2n }, { "w.c": 3n });
  const links = (made: Awaited<ReturnType<typeof back>>) => made.map((m) => [m.distance, m.dataset]);
  const backward = [
    [0, "w.c"],
    [1, "w.a"],
    [1, "w.b"],
  ];
  expect(links(await back({ dataset: "w.c", snapshot: 3n }))).toEqual(backward);
  expect(links(await forward("w.a", 1n))).toEqual([
    [0, "w.b"],
    [0, "w.c"],
  ]);
});

it("what runs have read and others have made is told from what runs have made", async () => {
  await attempt("theirs", 1, "succeeded", { "o.raw": 70n, "o.none": undefined }, { "o.clean": 71n });
  await attempt("ours", 1, "succeeded", { "o.clean": 71n }, { "o.report": 72n });
  const datasets = ["o.raw", "o.none", "o.clean"];
  expect(await readOfOthers(state.database, datasets)).toEqual([{ dataset: "o.raw", snapshot: 70n }]);
  expect(await madeByRuns(state.database, "o.clean", [70n, 71n, 72n])).toEqual(new Set([71n]));
});
