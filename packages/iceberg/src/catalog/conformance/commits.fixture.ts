import { beforeAll, describe, expect, it } from "vitest";
import type { Snapshot } from "../../metadata/table-metadata.ts";
import type { TableUpdate } from "../../metadata/updates.ts";
import type { Table } from "../../table.ts";
import type { Catalog } from "../catalog.ts";
import type { TableChange, TableState } from "../table-operations.ts";
import { COLUMNS, outcomeOf, type TestCatalog } from "./test-catalog.fixture.ts";

/** The largest id that there can be: other writers' are as large. */
const LARGE_ID = 2n ** 63n - 1n;

export function commitsConform(tested: () => TestCatalog): void {
  let catalog: Catalog;
  beforeAll(async () => {
    ({ catalog } = tested());
    await catalog.createNamespace("commits");
  });
  const create = (name: string) => catalog.createTable(`commits.${name}`, { columns: COLUMNS });
  const load = (name: string) => tested().another().loadTable(`commits.${name}`);

  describe("commits", () => {
    it("change the table for all who load it then, and for others when they refresh", async () => {
      const table = await create("seen");
      const other = await load("seen");
      await table.setProperties({ a: "1", b: "2" });
      await table.removeProperties(["a", "none"]);
      expect(table.properties).toMatchObject({ b: "2" });
      expect(other.properties).not.toHaveProperty("b");
      expect((await other.refresh()).properties).toEqual(table.properties);
      expect(other.state.metadataLocation).toBe(table.state.metadataLocation);
      expect(other.metadata["metadata-log"]).toHaveLength(2);
    });

    it("of schemas, partitions and sort orders are recorded", async () => {
      const table = await create("evolved");
      await table.changeSchema([
        { change: "add", column: "wind", type: "float?" },
        { change: "rename", column: "mm", to: "rain" },
        { change: "move", column: "wind", to: "first" },
      ]);
      await table.changeSchema([{ change: "promote", column: "wind", to: "double" }]);
      await table.changeSpec([{ change: "add", column: "day", transform: "month" }]);
      await table.changeSortOrder(["wind"]);
      const other = await load("evolved");
      expect(other.schema.fields.map((f) => [f.id, f.name])).toEqual([
        [4, "wind"],
        [1, "id"],
        [2, "day"],
        [3, "rain"],
      ]);
      expect(other.spec.fields).toMatchObject([{ name: "day_month", fieldId: 1000 }]);
      expect(other.sortOrder.fields).toMatchObject([{ sourceId: 4 }]);
      expect(other.metadata.schemas).toHaveLength(3);
      await table.changeSpec([{ change: "remove", name: "day_month" }]);
      await table.changeSortOrder([]);
      expect((await other.refresh()).spec.fields).toEqual([]);
      expect(other.sortOrder).toEqual({ id: 0, fields: [] });
    });

    it("that change nothing aren't made", async () => {
      const table = await create("same");
      const before = table.state;
      await table.setProperties({});
      await table.changeSchema([]);
      await table.changeSpec([]);
      await table.changeSortOrder([]);
      await table.upgrade(2);
      expect((await table.refresh()).state.metadataLocation).toBe(before.metadataLocation);
    });

    it("that aren't allowed are refused, and change nothing", async () => {
      const table = await create("refused");
      await expect(table.changeSchema([{ change: "add", column: "x", type: "int" }])).rejects.toMatchObject({
        code: "invalid-change",
        message: expect.stringContaining("column x can't be added as required"),
      });
      expect(await outcomeOf(table.changeSchema([{ change: "drop", column: "none" }]))).toBe("invalid-change");
      expect(await outcomeOf(table.changeSpec([{ change: "add", column: "mm", transform: "hour" }]))).toBe(
        "invalid-change",
      );
      expect((await load("refused")).metadata.schemas).toHaveLength(1);
    });

    it("of properties are made by all of 20 who do it at the same time", async () => {
      const table = await create("properties");
      const tables = await Promise.all(Array.from({ length: 20 }, () => load("properties")));
      await Promise.all(tables.map((t, i) => t.setProperties({ [`p${i}`]: String(i) })));
      await table.refresh();
      expect(table.properties).toMatchObject(Object.fromEntries(tables.map((_, i) => [`p${i}`, String(i)])));
      expect(table.metadata["metadata-log"]).toHaveLength(20);
    });

    it("may be made at the same time through one object, which has the last of them then", async () => {
      const table = await create("parallel");
      const names = Array.from({ length: 10 }, (_, i) => `p${i}`);
      await Promise.all(names.map((name) => table.setProperties({ [name]: "1" })));
      expect(table.properties).toMatchObject(Object.fromEntries(names.map((name) => [name, "1"])));
      expect(table.metadata).toEqual((await load("parallel")).metadata);
    });

    it("of snapshots that are tried again on conflicts are all made, in a row", async () => {
      await create("appended");
      const tables = await Promise.all(Array.from({ length: 20 }, () => load("appended")));
      await Promise.all(tables.map((table, i) => append(table, BigInt(i + 1))));
      const { metadata } = await load("appended");
      expect(metadata.snapshots.map((s) => s["sequence-number"])).toEqual(tables.map((_, i) => i + 1));
      expect(new Set(metadata.snapshots.map((s) => s["snapshot-id"]))).toEqual(
        new Set(tables.map((_, i) => BigInt(i + 1))),
      );
      const parents = metadata.snapshots.map((s) => s["parent-snapshot-id"]);
      expect(parents).toEqual([undefined, ...metadata.snapshots.slice(0, -1).map((s) => s["snapshot-id"])]);
      expect(metadata["current-snapshot-id"]).toBe(metadata.snapshots.at(-1)!["snapshot-id"]);
    });

    it("of schemas are a conflict if others have changed the columns", async () => {
      const table = await create("contended");
      const other = await load("contended");
      await other.setProperties({ a: "1" });
      await table.changeSchema([{ change: "add", column: "x", type: "int?" }]);
      expect(table.properties).toMatchObject({ a: "1" });
      await expect(other.changeSchema([{ change: "add", column: "y", type: "int?" }])).rejects.toMatchObject({
        code: "commit-conflict",
        message: expect.stringContaining("current schema"),
      });
      await other.refresh();
      await other.changeSchema([{ change: "add", column: "y", type: "int?" }]);
      expect((await load("contended")).schema.fields.map((f) => f.name)).toEqual(["id", "day", "mm", "x", "y"]);
    });

    it("keep snapshot ids of 64 bits exact", async () => {
      const table = await create("large");
      const state = await table.operations.commit(table.state, appending(table.state, LARGE_ID));
      expect(state.metadata["current-snapshot-id"]).toBe(LARGE_ID);
      const next = await table.operations.commit(state, appending(state, LARGE_ID - 1n));
      expect(next.metadata.snapshots[1]).toMatchObject({ "parent-snapshot-id": LARGE_ID });
      expect((await load("large")).metadata.snapshots.map((s) => s["snapshot-id"])).toEqual([LARGE_ID, LARGE_ID - 1n]);
    });

    it("on a table that was dropped are refused, also when it was made anew", async () => {
      const table = await create("gone");
      await catalog.dropTable("commits.gone");
      expect(await outcomeOf(table.setProperties({ a: "1" }))).toBe("table-missing");
      expect(await outcomeOf(table.refresh())).toBe("table-missing");
      expect(await catalog.tableExists("commits.gone")).toBe(false);
      const anew = await create("gone");
      expect(await outcomeOf(table.setProperties({ a: "1" }))).toBe("commit-conflict");
      expect((await anew.refresh()).properties).not.toHaveProperty("a");
    });

    it("end with the signal's reason when they are aborted before they begin", async () => {
      const table = await create("aborted");
      const signal = AbortSignal.abort(new Error("enough"));
      await expect(table.setProperties({ a: "1" }, { signal })).rejects.toThrow("enough");
      await expect(catalog.loadTable("commits.aborted", { signal })).rejects.toThrow("enough");
      expect((await load("aborted")).properties).not.toHaveProperty("a");
    });
  });
}

/** A commit of a snapshot without files, tried again on conflicts as one with files is. */
async function append(table: Table, id: bigint): Promise<void> {
  for (let state = table.state; ; state = await table.operations.load())
    if ((await outcomeOf(table.operations.commit(state, appending(state, id)))) !== "commit-conflict") return;
}

/** A snapshot on `main`, after the one that is there. */
export function appending({ metadata }: TableState, id: bigint): TableChange {
  const parent = metadata["current-snapshot-id"];
  const snapshot: Snapshot = {
    "snapshot-id": id,
    ...(parent !== undefined && { "parent-snapshot-id": parent }),
    "sequence-number": metadata["last-sequence-number"] + 1,
    "timestamp-ms": metadata["last-updated-ms"],
    "manifest-list": `${metadata.location}/metadata/snap-${id}.avro`,
    summary: { operation: "append" },
    "schema-id": 0,
  };
  const updates: readonly TableUpdate[] = [
    { action: "add-snapshot", snapshot },
    { action: "set-snapshot-ref", "ref-name": "main", type: "branch", "snapshot-id": id },
  ];
  return {
    requirements: [
      { type: "assert-table-uuid", uuid: metadata["table-uuid"]! },
      { type: "assert-ref-snapshot-id", ref: "main", "snapshot-id": parent ?? null },
    ],
    updates,
  };
}
