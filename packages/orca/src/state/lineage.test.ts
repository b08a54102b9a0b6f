import { afterAll, beforeAll, expect, it } from "vitest";
import { walk } from "../core/lineage.ts";
import { locationOf, madeFromSnapshots, madeSnapshots, newestSnapshot } from "./lineage.ts";
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

it("a snapshot was made by the attempt that succeeded, of what it read", async () => {
  await attempt("a", 1, "failed", { "x.raw": 1n }, { "x.clean": 10n });
  const run = await attempt("a", 2, "succeeded", { "x.raw": 1n, "x.names": undefined }, { "x.clean": 10n });
  expect(await madeSnapshots(state.database, [{ dataset: "x.clean", snapshot: 10n }])).toEqual([
    {
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
  expect(await madeSnapshots(state.database, [{ dataset: "x.raw", snapshot: 1n }])).toEqual([]);
  expect(
    (await madeFromSnapshots(state.database, [{ dataset: "x.raw", snapshot: 1n }])).map((m) => m.snapshot),
  ).toEqual([10n]);
});

it("a snapshot that a run's old code made, and its new code found, was made by the old code, wherever that is", async () => {
  const run = await attempt("old", 1, "succeeded", {}, { "x.old": 40n });
  await state.test.sql("update orca.commits set code = '0x01d' where run = $1", [run]);
  const [made] = await madeSnapshots(state.database, [{ dataset: "x.old", snapshot: 40n }]);
  expect(made!.by).toMatchObject({ run, code: "0x01d", repository: null, commit: null });
});

it("the newest snapshot of a dataset is the last that was made, and its table is where it was last", async () => {
  expect(await newestSnapshot(state.database, "y.t")).toBeUndefined();
  await attempt("b", 1, "succeeded", { "y.source": 3n }, { "y.t": 30n });
  await attempt("c", 1, "succeeded", {}, { "y.t": 20n });
  expect(await newestSnapshot(state.database, "y.t")).toBe(20n);
  expect(await locationOf(state.database, "y.source")).toBe("/lake/y.source");
});

it("a walk asks once a step, and reads no more than what it finds, however much else is on record", async () => {
  await state.test.sql(`
    insert into orca.commits (run, step, partition, attempt, number, dataset, location, snapshot, operation)
    select 1000000 + n, 'load', '', 1, 1, 'big.d' || n % 20, '/lake', n, 'append' from generate_series(1, 10000) n`);
  await state.test.sql("analyze orca.commits");
  for (let n = 0; n < 25; n++)
    await attempt(`p${n}`, 1, "succeeded", n === 0 ? {} : { [`big.d${n - 1}`]: BigInt(20_000 + n - 1) }, {
      [`big.d${n}`]: BigInt(20_000 + n),
    });
  let asked = 0;
  const start = { dataset: "big.d24", snapshot: 20_024n };
  const walked = await walk(
    [start],
    (snapshots) => {
      asked++;
      return madeSnapshots(state.database, snapshots);
    },
    (made) => made.from,
  );
  expect(walked.map((made) => [made.distance, made.dataset])).toEqual(
    Array.from({ length: 20 }, (_, i) => [i, `big.d${24 - i}`]),
  );
  expect(asked).toBe(20);
});
