import { beforeEach, describe, expect, it } from "vitest";
import { codeOf, CommitTable, pathsOf } from "../commit/commit-table.fixture.ts";
import { commitFiles } from "../commit/commit-files.ts";
import type { FileOfSpec } from "../commit/file-change.ts";
import { IcebergError } from "../errors.ts";
import { createBranch, createTag, setRetention } from "../refs/refs.ts";
import { rollbackTo } from "../refs/rollback.ts";
import { expireSnapshots, type ExpireOptions } from "./expire-snapshots.ts";

const later = () => new Date(Date.now() + 60_000);

let table: CommitTable;
let files: FileOfSpec[];
/** Each appends a file, and takes the one before out. */
let ids: bigint[];
beforeEach(async () => {
  table = await CommitTable.make();
  [files, ids] = [[], []];
  for (let i = 0; i < 4; i++) await replace();
});

async function replace(branch?: string): Promise<void> {
  const [add, remove] = [[await table.file()], files.slice(-1)];
  const change = { operation: "overwrite" as const, add, remove };
  const { snapshot } = await commitFiles(table.operations, change, { branch });
  files.push(...add);
  ids.push(snapshot["snapshot-id"]);
}
const expire = (options: ExpireOptions) => expireSnapshots(table.operations, options);
const left = async () => (await table.load()).metadata.snapshots.map((s) => s["snapshot-id"]);
const dataFiles = async () => (await table.names(".parquet")).map((name) => `${table.location}/${name}`).toSorted();

describe("expired snapshots", () => {
  it("take the files with them that nothing else reaches", async () => {
    const { deleted, snapshots } = await expire({ olderThan: later(), keepLast: 2 });
    expect(snapshots.map((s) => s["snapshot-id"])).toEqual(ids.slice(0, 2));
    expect(await left()).toEqual(ids.slice(2));
    expect(await dataFiles()).toEqual(pathsOf(files.slice(2)));
    expect(deleted).toEqual({ dataFiles: 2, deleteFiles: 0, manifests: 3, manifestLists: 2, statisticsFiles: 0 });
    const reader = table.another();
    expect(await reader.paths()).toEqual(pathsOf(files.slice(3)));
    await rollbackTo(table.operations, { id: ids[2]! });
    expect(await reader.paths()).toEqual(pathsOf(files.slice(2, 3)));
  });

  it("are none while they are young, and never the last of a branch", async () => {
    expect((await expire({})).snapshots).toEqual([]);
    expect((await expire({ olderThan: new Date(0) })).snapshots).toEqual([]);
    await expire({ olderThan: later() });
    expect(await left()).toEqual(ids.slice(3));
    expect(await codeOf(expire({ keepLast: 0 }))).toBe("invalid-change");
    expect(await codeOf(expire({ olderThan: new Date(Number.NaN) }))).toBe("invalid-change");
  });

  it("are as many as the table and its branches say", async () => {
    const { operations } = table;
    await createBranch(operations, "audit", { snapshotId: ids[2]!, minSnapshotsToKeep: 2 });
    await createTag(operations, "v1", { snapshotId: ids[0]! });
    await expire({ olderThan: later() });
    expect(await left()).toEqual([ids[0], ids[1], ids[2], ids[3]]);
    await setRetention(operations, "audit", {});
    await expire({ olderThan: later() });
    expect(await left()).toEqual([ids[0], ids[2], ids[3]]);
    expect(await dataFiles()).toEqual(pathsOf([files[0]!, files[2]!, files[3]!]));
    const state = await table.load();
    const updates = { "history.expire.max-ref-age-ms": "1", "history.expire.min-snapshots-to-keep": "2" };
    await operations.commit(state, { requirements: [], updates: [{ action: "set-properties", updates }] });
    await setRetention(operations, "audit", { maxRefAgeMs: 1_000_000 });
    const { refs } = await expire({ olderThan: later() });
    expect(refs).toEqual(["v1"]);
    expect(await left()).toEqual([ids[2], ids[3]]);
  });

  it("are those of no branch by their age alone", async () => {
    await rollbackTo(table.operations, { id: ids[1]! });
    await expire({ olderThan: new Date(0), keepLast: 1 });
    expect(await left()).toEqual(ids);
    await expire({ olderThan: later() });
    expect(await left()).toEqual([ids[1]]);
    expect(await dataFiles()).toEqual(pathsOf(files.slice(1, 2)));
  });

  it("are only those that are given, if none else are asked for", async () => {
    const { operations } = table;
    await expire({ snapshotIds: [ids[1]!] });
    expect(await left()).toEqual([ids[0], ids[2], ids[3]]);
    expect(await dataFiles()).toEqual(pathsOf([files[0]!, files[2]!, files[3]!]));
    expect(await codeOf(expire({ snapshotIds: [ids[1]!] }))).toBe("snapshot-missing");
    expect(await codeOf(expire({ snapshotIds: [ids[3]!] }))).toBe("invalid-change");
    await createTag(operations, "v1", { snapshotId: ids[0]! });
    expect(await codeOf(expire({ snapshotIds: [ids[0]!] }))).toBe("invalid-change");
  });

  it("take their statistics with them", async () => {
    const uris = [0, 3].map((i) => `${table.location}/metadata/${i}.puffin`);
    for (const [i, uri] of uris.entries()) {
      await table.files.write(uri, "x");
      const statistics = {
        "snapshot-id": ids[i * 3]!,
        "statistics-path": uri,
        "file-size-in-bytes": 1,
        "file-footer-size-in-bytes": 1,
        "blob-metadata": [],
      };
      const update = { action: "set-statistics" as const, statistics };
      await table.operations.commit(await table.load(), { requirements: [], updates: [update] });
    }
    expect((await expire({ olderThan: later() })).deleted.statisticsFiles).toBe(1);
    expect(await table.names(".puffin")).toEqual(["metadata/3.puffin"]);
  });

  it("leave their files if that is wanted, and refuse to delete what others may have", async () => {
    await expire({ olderThan: later(), keepLast: 3, deletesFiles: false });
    expect(await left()).toHaveLength(3);
    expect(await dataFiles()).toHaveLength(4);
    const update = { action: "set-properties" as const, updates: { "gc.enabled": "false" } };
    await table.operations.commit(await table.load(), { requirements: [], updates: [update] });
    expect(await codeOf(expire({ olderThan: later() }))).toBe("invalid-change");
    expect(await left()).toHaveLength(3);
  });

  it("leave all files if whether they were expired isn't known", async () => {
    const operations = table.with(async (next) => {
      await next();
      throw new IcebergError("commit-unknown", "?");
    });
    expect(await codeOf(expireSnapshots(operations, { olderThan: later() }))).toBe("commit-unknown");
    expect(await left()).toHaveLength(1);
    expect(await dataFiles()).toHaveLength(4);
  });

  it("delete nothing if what is left can't be read", async () => {
    const [manifest] = await table.manifests();
    await table.files.delete([manifest!.path]);
    const { operations } = table.another();
    await expect(expireSnapshots(operations, { olderThan: later() })).rejects.toMatchObject({
      code: "file-missing",
      message: expect.stringContaining(manifest!.path),
    });
    expect(await dataFiles()).toHaveLength(4);
  });

  it("are decided anew if others were quicker, and nothing that they committed is missed", async () => {
    let isFirst = true;
    const operations = table.with(async (next) => {
      if (isFirst) {
        isFirst = false;
        await createTag(table.another().operations, "v1", { snapshotId: ids[2]! });
        await replace();
      }
      return await next();
    });
    await expireSnapshots(operations, { olderThan: later() });
    expect(await left()).toEqual([ids[2], ids[4]]);
    expect(await dataFiles()).toEqual(pathsOf([files[2]!, files[4]!]));
  });

  it("aren't missed by a commit that was decided before", async () => {
    const base = await table.load();
    await expire({ olderThan: later() });
    const add = [await table.file()];
    await commitFiles(table.operations, { operation: "append", add }, { base });
    expect(await table.another().paths()).toEqual(pathsOf([files[3]!, ...add]));
  });

  it("may have lost files already", async () => {
    const lists = (await table.load()).metadata.snapshots.map((s) => s["manifest-list"]!);
    await table.files.delete([lists[0]!]);
    await expireSnapshots(table.another().operations, { olderThan: later() });
    expect(await left()).toEqual(ids.slice(3));
  });
});
