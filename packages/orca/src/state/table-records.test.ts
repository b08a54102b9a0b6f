import { afterAll, beforeAll, expect, it } from "vitest";
import type { AttemptId } from "../core/journal.ts";
import type { OwnedRun } from "./runs.ts";
import { testState, type TestState } from "./state.fixture.ts";
import { PostgresTableRecords } from "./table-records.ts";

let state: TestState;
let run: OwnedRun;
beforeAll(async () => {
  state = await testState();
  run = await state.begin();
});
afterAll(async () => await state[Symbol.asyncDispose]());

const at = (partition: string, attempt = 1): AttemptId => ({ step: "load", partition, attempt });
const raw = { dataset: "lake.raw", location: "/lake/raw" };
const LARGEST = 2n ** 63n - 1n;

it("a step's attempts are given the snapshot that its first one read, also in another process", async () => {
  const records = new PostgresTableRecords(state.database, run);
  expect(await records.read(at("a"), { ...raw, snapshot: LARGEST })).toBe(LARGEST);
  expect(await records.read(at("a", 2), { ...raw, snapshot: 5n })).toBe(LARGEST);
  expect(await records.read(at("b"), { ...raw, snapshot: 5n })).toBe(5n);
  const other = new PostgresTableRecords(state.database, run);
  expect(await other.read(at("a", 3), { ...raw, snapshot: undefined })).toBe(LARGEST);
  expect(await other.read(at("a", 3), { ...raw, dataset: "lake.other", snapshot: 1n })).toBe(1n);
  expect(
    await state.test.sql(
      "select attempt, snapshot::text from orca.reads where partition = 'a' and dataset = 'lake.raw'",
    ),
  ).toEqual([1, 2, 3].map((attempt) => ({ attempt, snapshot: String(LARGEST) })));
});

it("a table that had no snapshot stays without one, and a gather step has no partition", async () => {
  const records = new PostgresTableRecords(state.database, run);
  const id = { step: "report", partition: undefined, attempt: 1 };
  expect(await records.read(id, { ...raw, snapshot: undefined })).toBeUndefined();
  expect(await records.read({ ...id, attempt: 2 }, { ...raw, snapshot: 5n })).toBeUndefined();
});

it("a commit is recorded once for each attempt that made or found it, however often that is sent", async () => {
  const records = new PostgresTableRecords(state.database, run);
  const commit = { number: 1, ...raw, snapshot: 7n, operation: "append", code: "0xa" };
  for (const attempt of [1, 1, 2]) await records.committed(at("c", attempt), commit);
  const rows = await state.test.sql(
    "select attempt, number, snapshot::text, operation, code from orca.commits order by 1",
  );
  expect(rows).toEqual(
    [1, 2].map((attempt) => ({ attempt, number: 1, snapshot: "7", operation: "append", code: "0xa" })),
  );
});

it("nothing is recorded for a process that has lost the run", async () => {
  const lost = new PostgresTableRecords(state.database, { ...run, owner: "00000000-0000-4000-8000-000000000000" });
  const refused = { code: "run-lost" };
  await expect(lost.read(at("d"), { ...raw, snapshot: 1n })).rejects.toMatchObject(refused);
  const commit = { number: 1, ...raw, snapshot: 7n, operation: "append" };
  await expect(lost.committed(at("d"), commit)).rejects.toMatchObject(refused);
  expect(await state.test.sql("select from orca.commits where partition = 'd'")).toEqual([]);
});
