import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createTable, eq } from "@orcajs/iceberg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { textOfSnapshot } from "../core/lineage.ts";
import { testState, type TestState } from "../state/state.fixture.ts";
import { PostgresTableRecords } from "../state/table-records.ts";
import { lineageOf } from "./lineage-of.ts";
import { linesOfRows, rowsOf } from "./lineage-rows.ts";

let state: TestState;
let folder: string;
beforeAll(async () => {
  state = await testState();
  folder = await mkdtemp(path.join(tmpdir(), "orca-lineage-"));
});
afterAll(async () => {
  await state[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A table with some snapshots, each on the one before. */
async function tableOf(name: string, count: number): Promise<readonly bigint[]> {
  await using table = await createTable(path.join(folder, name), { columns: { n: "long" } });
  for (let n = 0; n < count; n++) await table.append([{ n }]);
  return table.snapshots().map((one) => one["snapshot-id"]);
}

type Of = readonly [dataset: string, snapshot: bigint];

/** An attempt of a run of its own, which succeeds. */
async function attempt(reads: readonly Of[], makes: readonly Of[]): Promise<void> {
  const run = await state.begin(["a"]);
  const [journal, records] = [await state.journal(run), new PostgresTableRecords(state.database, run)];
  const id = { step: "load", partition: "a", attempt: 1 };
  await journal.attemptStarts(id, "1");
  const at = (dataset: string) => ({ dataset, location: path.join(folder, dataset) });
  for (const [dataset, snapshot] of reads) await records.read(id, { ...at(dataset), snapshot });
  for (const [i, [dataset, snapshot]] of makes.entries())
    await records.committed(id, { ...at(dataset), number: i + 1, snapshot, operation: "append" });
  await journal.attemptEnded(id, { status: "succeeded", output: "1" }, "succeeded");
}

/** Each link as `1 x.raw@4 on x.raw@3`, or without what it is on if a run has made it. */
async function textsOf(dataset: string, snapshot: bigint) {
  const { madeFrom, madeOfIt } = await lineageOf(state.database, { dataset, snapshot });
  const textOf = (link: (typeof madeFrom)[number]) =>
    `${link.distance} ${textOfSnapshot(link)}${"by" in link ? "" : ` on ${textOfSnapshot(link.on)}`}`;
  return { back: madeFrom.map(textOf), forward: madeOfIt.map(textOf) };
}

it("goes both ways through what others have made between two runs", async () => {
  const [ours, first, second, again, last] = await tableOf("x.raw", 5);
  await attempt([], [["x.raw", ours!]]);
  await attempt([["x.raw", second!]], [["x.clean", 7n]]);
  await attempt([["x.raw", second!]], [["x.raw", again!]]);
  await attempt([["x.clean", 7n]], [["x.report", 8n]]);
  await attempt([["x.raw", last!]], [["x.late", 9n]]);
  expect(await textsOf("x.report", 8n)).toEqual({
    back: ["0 x.report@8", "1 x.clean@7", `2 x.raw@${second} on x.raw@${ours}`, `3 x.raw@${ours}`],
    forward: [],
  });
  const forward = [
    `0 x.raw@${second} on x.raw@${ours}`,
    `1 x.clean@7`,
    `1 x.raw@${again}`,
    `2 x.raw@${last} on x.raw@${again}`,
    `2 x.report@8`,
    `3 x.late@9`,
  ];
  expect((await textsOf("x.raw", ours!)).forward.toSorted()).toEqual(forward);
  // from what another made, which nobody has read: on by what another made of it
  const { back, forward: onward } = await textsOf("x.raw", first!);
  expect(back).toEqual([`0 x.raw@${first} on x.raw@${ours}`, `1 x.raw@${ours}`]);
  expect(onward.toSorted()).toEqual([`0 x.raw@${second} on x.raw@${first}`, ...forward.slice(1)]);
});

it("ends at what another made of a table that isn't there any more", async () => {
  await attempt([["none.raw", 5n]], [["none.clean", 6n]]);
  expect((await textsOf("none.clean", 6n)).back).toEqual(["0 none.clean@6"]);
  expect((await textsOf("none.raw", 5n)).forward).toEqual(["0 none.clean@6"]);
});

it("the rows of a snapshot are of those that are said to have made them, and of those that others have", async () => {
  await using table = await createTable(path.join(folder, "r.days"), { columns: { day: "int" } });
  const made: bigint[] = [];
  for (let day = 1; day <= 6; day++) {
    const snapshot = (await table.append([{ day }]))["snapshot-id"];
    if (day !== 3) await attempt([["r.raw", BigInt(day)]], [["r.days", snapshot]]);
    made.push(snapshot);
  }
  const again = (await table.overwrite([{ day: 2 }], { where: eq("day", 2) }))["snapshot-id"];
  await attempt([], [["r.days", again]]);
  const start = { dataset: "r.days", snapshot: again };
  const found = await rowsOf(state.database, start);
  const [, replaced] = made;
  expect(new Set(found.rowsOf.map((one) => one.snapshot))).toEqual(
    new Set([...made.filter((one) => one !== replaced), again]),
  );
  const first = found.rowsOf.find((one) => one.snapshot === made[0]);
  expect(first).toMatchObject({
    files: 1,
    rows: 1,
    isCertain: true,
    made: { from: [{ dataset: "r.raw", snapshot: 1n }] },
  });
  expect(found.rowsOf.find((one) => one.snapshot === made[2])).toMatchObject({ isCertain: true, made: undefined });
  const run = first!.made!.by.run;
  expect(linesOfRows(start, found)).toEqual([
    `r.days@${again}`,
    "has rows of:",
    `  5 snapshots with 5 rows by lake load code 0xa: run ${run} a, run ${run + 2} a, run ${run + 3} a, … run ${run + 5} a`,
    `  1 snapshot with 1 row by other writers: ${made[2]}`,
  ]);
});

it("the rows of a snapshot can't be told without its table, or when it has expired", async () => {
  const of = (dataset: string, snapshot: bigint) => rowsOf(state.database, { dataset, snapshot });
  await tableOf("e.there", 1);
  await attempt([], [["e.gone", 6n]]);
  await attempt([], [["e.there", 1n]]);
  await expect(of("never", 1n)).rejects.toMatchObject({ code: "unknown-snapshot" });
  await expect(of("e.gone", 6n)).rejects.toMatchObject({ code: "table-missing" });
  await expect(of("e.there", 1n)).rejects.toMatchObject({ code: "snapshot-expired" });
});
