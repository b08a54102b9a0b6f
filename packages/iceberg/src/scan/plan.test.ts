import { afterAll, describe, expect, it } from "vitest";
import { Engine } from "../engine/engine.ts";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import { specOf } from "../metadata/table-metadata.ts";
import { and, eq, gt, isNull, lt, type Predicate } from "../predicate/predicate.ts";
import type { Field } from "../schema/type.ts";
import { planFiles, type PlanOptions } from "./plan.ts";
import { TestTable } from "./table.fixture.ts";

const engine = new Engine({ threads: 1 });
afterAll(() => engine[Symbol.asyncDispose]());

const fields: readonly Field[] = [
  { id: 1, name: "day", required: false, type: { kind: "date" } },
  { id: 2, name: "n", required: false, type: { kind: "int" } },
];
const byDay = { fields, partitionBy: [{ column: "day", transform: "identity" }] };

/** A file of a partition: two rows with `n` and `n + 1`. */
const file = (table: TestTable, day: number | null, n: number) =>
  table.file({
    partition: specOf(table.metadata, 0).fields.map(() => day),
    rows: [
      { day, n },
      { day, n: n + 1 },
    ],
  });

/** The files that were read while something was done. */
async function readsOf(files: TableFiles, work: () => Promise<unknown>): Promise<readonly string[]> {
  const read: string[] = [];
  const original = files.read.bind(files);
  files.read = async (uri, options) => {
    read.push(uri.replace(/^.*\//, ""));
    return await original(uri, options);
  };
  await work();
  files.read = original;
  return read;
}

const planned = async (table: TestTable, options: PlanOptions = {}) =>
  (await planFiles(table, options)).tasks.map(({ file: { file } }) => [...file.partition, file.recordCount]);
const where = (table: TestTable, filter: Predicate) => planned(table, { where: filter });

describe("a plan", () => {
  it("has the files whose partition and bounds may have rows of the filter", async () => {
    await using table = await TestTable.make(byDay, engine);
    await table.commit([await file(table, 1, 10), await file(table, 2, 20), await file(table, null, 30)]);
    expect(await planned(table)).toEqual([
      [1, 2],
      [2, 2],
      [null, 2],
    ]);
    expect(await where(table, eq("day", 2))).toEqual([[2, 2]]);
    expect(await where(table, isNull("day"))).toEqual([[null, 2]]);
    expect(await where(table, gt("n", 20))).toEqual([
      [2, 2],
      [null, 2],
    ]);
    expect(await where(table, and(lt("day", 2), gt("n", 10)))).toEqual([[1, 2]]);
    expect(await where(table, isNull("n"))).toEqual([]);
  });

  it("reads no manifest whose partitions the filter rules out, and none twice", async () => {
    await using table = await TestTable.make(byDay, engine);
    for (const day of [1, 2, 3]) await table.commit([await file(table, day, 0)]);
    const reads = await readsOf(table.files, () => where(table, eq("day", 2)));
    expect(reads).toHaveLength(2);
    expect(await readsOf(table.files, () => where(table, eq("day", 3)))).toHaveLength(1);
    expect(await readsOf(table.files, () => planned(table))).toHaveLength(1);
    expect(await readsOf(table.files, () => planned(table))).toEqual([]);
  });

  it("prunes files of each spec by that spec", async () => {
    await using table = await TestTable.make(byDay, engine);
    await table.commit([await file(table, 1, 0), await file(table, 2, 0)]);
    table.update(
      {
        action: "add-spec",
        spec: {
          "spec-id": 1,
          fields: [{ "source-id": 2, "field-id": 1001, name: "n_bucket", transform: "truncate[10]" }],
        },
      },
      { action: "set-default-spec", "spec-id": -1 },
    );
    await table.commit([
      await table.file({ partition: [0], rows: [{ day: 1, n: 5 }], hasStatistics: false }),
      await table.file({ partition: [10], rows: [{ day: 2, n: 15 }], hasStatistics: false }),
    ]);
    expect(await where(table, eq("day", 1))).toEqual([
      [1, 2],
      [0, 1],
      [10, 1],
    ]);
    expect(await where(table, gt("n", 9))).toEqual([[10, 1]]);
    expect(await table.scan({ where: eq("day", 1), columns: ["n"] }).toArray()).toEqual([{ n: 0 }, { n: 1 }, { n: 5 }]);
  });

  it("says which files the filter selects whole, and leaves out those that were removed", async () => {
    await using table = await TestTable.make(byDay, engine);
    const [a, b] = [await file(table, 1, 0), await file(table, 2, 0)];
    await table.commit([a, b]);
    const whole = async (filter: Predicate) =>
      (await table.scan({ where: filter }).files()).map((task) => task.isWhole);
    expect(await whole(lt("n", 1))).toEqual([false, false]);
    expect(await whole(lt("n", 9))).toEqual([true, true]);
    expect(await whole(eq("day", 1))).toEqual([true]);
    table.metadata = { ...table.metadata, refs: {}, "current-snapshot-id": undefined };
    await table.commit([
      { status: "deleted", snapshotId: 1n, sequenceNumber: 1, file: a },
      { status: "existing", snapshotId: 1n, sequenceNumber: 1, file: b },
    ]);
    expect(await planned(table)).toEqual([[2, 2]]);
  });

  it("of a table without snapshots, or whose only manifest has nothing, is empty", async () => {
    await using table = await TestTable.make({ fields }, engine);
    expect(await planned(table)).toEqual([]);
    expect(await table.scan({ columns: ["n"] }).toArray()).toEqual([]);
    expect(await engine.sql`select count(*) as rows, sum(n) as n from ${table.scan()}`.toArray()).toEqual([
      { rows: 0n, n: null },
    ]);
    await table.commit([]);
    expect(await table.scan().toArray()).toEqual([]);
  });

  it("of version 1 has files without sequence numbers", async () => {
    await using table = await TestTable.make({ fields, formatVersion: 1 }, engine);
    await table.commit([await file(table, 1, 10)]);
    await table.commit([await file(table, 1, 20)]);
    expect(await table.scan({ columns: ["n"] }).toArray()).toEqual([10, 11, 20, 21].map((n) => ({ n })));
  });

  it("of a filter that doesn't fit is an error", async () => {
    await using table = await TestTable.make({ fields }, engine);
    await table.commit([await file(table, 1, 10)]);
    await expect(table.scan({ where: eq("m", 1) }).toArray()).rejects.toMatchObject({ code: "invalid-predicate" });
    await expect(table.scan({ where: eq("n", "x") }).toArray()).rejects.toMatchObject({ code: "invalid-value" });
    expect(() => table.scan({ columns: ["m"] })).toThrow("there is no column m: there are day, n");
  });
});

describe("a snapshot", () => {
  async function history(): Promise<TestTable> {
    const table = await TestTable.make({ fields }, engine);
    for (const n of [10, 20, 30]) await table.commit([await file(table, 1, n)], { nowMs: n * 1000 });
    return table;
  }
  const firsts = async (table: TestTable, options: PlanOptions) =>
    (await table.scan<{ n: number }>({ ...options, columns: ["n"] }).toArray())
      .map((row) => row.n)
      .filter((n) => n % 10 === 0);

  it("is read by its id, as it was at a time, and by branch or tag", async () => {
    await using table = await history();
    const [first, second] = table.metadata.snapshots.map((s) => s["snapshot-id"]) as [bigint, bigint];
    expect(await firsts(table, { snapshot: { id: first } })).toEqual([10]);
    expect(await firsts(table, { snapshot: { at: new Date(29_999) } })).toEqual([10, 20]);
    expect(await firsts(table, { snapshot: { at: new Date(30_000) } })).toEqual([10, 20, 30]);
    table.update({ action: "set-snapshot-ref", "ref-name": "audited", type: "tag", "snapshot-id": second });
    expect(await firsts(table, { snapshot: { ref: "audited" } })).toEqual([10, 20]);
    expect(await firsts(table, { snapshot: { ref: "main" } })).toEqual([10, 20, 30]);
  });

  it("that is missing is an error that names it", async () => {
    await using table = await history();
    const [first] = table.metadata.snapshots.map((s) => s["snapshot-id"]) as [bigint];
    const missing = (message: string) => new IcebergError("snapshot-missing", message);
    const scan = (snapshot: PlanOptions["snapshot"]) => () => table.scan({ snapshot });
    expect(scan({ id: 99n })).toThrow(missing("the table has no snapshot 99"));
    expect(scan({ ref: "nope" })).toThrow(missing("the table has no branch or tag nope: there are main"));
    expect(scan({ at: new Date(9999) })).toThrow(
      missing("the table had no snapshot at 1970-01-01T00:00:09.999Z, or it isn't known now"),
    );
    const snapshots = table.metadata.snapshots.slice(1);
    table.metadata = { ...table.metadata, snapshots };
    expect(scan({ id: first })).toThrow(missing(`snapshot ${first} was expired: its rows can't be read any more`));
    expect(scan({ at: new Date(10_000) })).toThrow(
      missing(`snapshot ${first} was expired: its rows can't be read any more`),
    );
  });

  it("gives what was appended since another", async () => {
    await using table = await history();
    const [first, second, third] = table.metadata.snapshots.map((s) => s["snapshot-id"]) as [bigint, bigint, bigint];
    expect(await firsts(table, { changes: { from: first } })).toEqual([20, 30]);
    expect(await firsts(table, { changes: { from: first, to: second } })).toEqual([20]);
    expect(await firsts(table, { changes: { from: third } })).toEqual([]);
    expect(await firsts(table, { changes: { from: first }, where: gt("n", 25) })).toEqual([30]);
    await expect(firsts(table, { changes: { from: third, to: first } })).rejects.toMatchObject({
      code: "snapshot-missing",
      message: `snapshot ${third} isn't one of those that snapshot ${first} follows on`,
    });
    const overwrite = await table.commit([await file(table, 1, 40)], { operation: "overwrite" });
    await table.commit([await file(table, 1, 50)]);
    await expect(firsts(table, { changes: { from: second } })).rejects.toMatchObject({
      code: "unsupported",
      message: `snapshot ${overwrite} isn't an append but overwrite: read all rows, or set ignoreOverwrites to leave out what it did`,
    });
    expect(await firsts(table, { changes: { from: second, ignoreOverwrites: true } })).toEqual([30, 50]);
    table.metadata = {
      ...table.metadata,
      snapshots: table.metadata.snapshots.filter((s) => s["snapshot-id"] !== second),
    };
    expect(await firsts(table, { changes: { from: second, ignoreOverwrites: true } })).toEqual([30, 50]);
    await expect(firsts(table, { changes: { from: first, ignoreOverwrites: true } })).rejects.toMatchObject({
      code: "snapshot-missing",
    });
  });
});
