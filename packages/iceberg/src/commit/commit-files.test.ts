import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { IcebergError } from "../errors.ts";
import { schemaChange, specChange } from "../metadata/metadata-changes.ts";
import { writeManifestList } from "../manifest/manifest-list.ts";
import { snapshotOfRef } from "../metadata/table-metadata.ts";
import { createBranch, createTag, setRetention } from "../refs/refs.ts";
import { codeOf, CommitTable, pathsOf } from "./commit-table.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { findCommit } from "./find-commit.ts";

const append = async (table: CommitTable, count = 1) => {
  const add = await Promise.all(Array.from({ length: count }, () => table.file()));
  await commitFiles(table.operations, { operation: "append", add });
  return add;
};

describe("a commit of files", () => {
  it("counts what it adds, what it removes and what there is then", async () => {
    const table = await CommitTable.make({ partitionBy: ["day"] });
    const [a, b] = [await table.file({ day: 1 }), await table.file({ day: 2, records: 5 })];
    await commitFiles(table.operations, { operation: "append", add: [a, b] });
    const [c, deletes] = [
      await table.file({ day: 1, records: 7, sizeBytes: 70 }),
      await table.file({ day: 2, records: 2, content: "equality-deletes" }),
    ];
    const { snapshot } = await commitFiles(table.operations, {
      operation: "overwrite",
      add: [c, deletes],
      remove: [a],
      properties: { "job.id": "7" },
    });
    expect(snapshot.summary).toEqual({
      operation: "overwrite",
      "added-data-files": "1",
      "deleted-data-files": "1",
      "total-data-files": "2",
      "added-records": "7",
      "deleted-records": "10",
      "total-records": "12",
      "added-files-size": "170",
      "removed-files-size": "100",
      "total-files-size": "270",
      "added-delete-files": "1",
      "total-delete-files": "1",
      "added-equality-delete-files": "1",
      "added-equality-deletes": "2",
      "total-equality-deletes": "2",
      "total-position-deletes": "0",
      "changed-partition-count": "2",
      "manifests-created": "3",
      "manifests-kept": "0",
      "job.id": "7",
    });
    expect(snapshot["snapshot-id"]).toBeLessThan(2n ** 53n);
    expect((await table.manifests()).map((m) => [m.content, m.addedFiles, m.existingFiles, m.deletedFiles])).toEqual([
      ["data", 1, 0, 0],
      ["deletes", 1, 0, 0],
      ["data", 0, 1, 1],
    ]);
  });

  it("writes only the manifests anew that have removed files, and keeps the others' sequence numbers", async () => {
    const table = await CommitTable.make();
    const [[a], [b, c]] = [await append(table), await append(table, 2)];
    const before = await table.manifests();
    await commitFiles(table.operations, { operation: "delete", remove: [b!] });
    const after = await table.manifests();
    expect(after.map(({ path }) => path)).toContain(before.at(-1)!.path);
    const changed = after.find((m) => m.deletedFiles === 1)!;
    expect(changed).toMatchObject({ sequenceNumber: 3, minSequenceNumber: 2, existingFiles: 1, addedFiles: 0 });
    expect(await table.entries(changed)).toMatchObject([
      { status: "existing", sequenceNumber: 2, fileSequenceNumber: 2, file: { path: c!.file.path } },
    ]);
    expect(await table.paths()).toEqual(pathsOf([a!, c!]));
    // a manifest without files isn't carried on
    await commitFiles(table.operations, { operation: "delete", remove: [a!, c!] });
    await append(table);
    expect(await table.manifests()).toHaveLength(1);
  });

  it("has a manifest for each partition spec and content", async () => {
    const table = await CommitTable.make({ partitionBy: ["day"] });
    const state = await table.load();
    await table.operations.commit(state, specChange(state.metadata, [{ change: "remove", name: "day" }]));
    const add = [
      await table.file({ day: 1 }),
      await table.file({ specId: 1 }),
      await table.file({ specId: 1, content: "position-deletes" }),
      await table.file({ day: 2 }),
    ];
    await commitFiles(table.operations, { operation: "append", add });
    expect((await table.manifests()).map((m) => [m.content, m.specId, m.addedFiles])).toEqual([
      ["data", 0, 2],
      ["data", 1, 1],
      ["deletes", 1, 1],
    ]);
  });

  it("is made to tables of version 1, but for deletes", async () => {
    const table = await CommitTable.make({ formatVersion: 1 });
    const [a, b] = await append(table, 2);
    await commitFiles(table.operations, { operation: "overwrite", add: [await table.file()], remove: [a!] });
    expect(await table.paths()).toHaveLength(2);
    expect(await table.paths()).toContain(b!.file.path);
    const deletes = await table.file({ content: "position-deletes" });
    expect(await codeOf(commitFiles(table.operations, { operation: "append", add: [deletes] }))).toBe("invalid-change");
  });

  it("refuses what isn't or can't be in the table, and leaves nothing of itself", async () => {
    const table = await CommitTable.make();
    const [a] = await append(table);
    const [b, partitioned, other] = [await table.file(), await table.file({ day: 1 }), await table.file({ specId: 9 })];
    const before = await table.names(".avro");
    const { operations } = table;
    const operation = "overwrite";
    expect(await codeOf(commitFiles(operations, { operation, remove: [b], add: [await table.file()] }))).toBe(
      "invalid-change",
    );
    for (const add of [[b, b], [partitioned], [other]])
      expect(await codeOf(commitFiles(operations, { operation, add }))).toBe("invalid-change");
    expect(await codeOf(commitFiles(operations, { operation, add: [a!], remove: [a!] }))).toBe("invalid-change");
    for (const name of ["total-records", "operation", "removed-dvs", "manifests-kept"])
      expect(await codeOf(commitFiles(operations, { operation, properties: { [name]: "1" } }))).toBe("invalid-change");
    expect(await table.names(".avro")).toEqual(before);
  });

  it("is put into write.metadata.path", async () => {
    const table = await CommitTable.make();
    const folder = `${table.location}/elsewhere`;
    const state = await table.load();
    await table.operations.commit(state, {
      requirements: [],
      updates: [{ action: "set-properties", updates: { "write.metadata.path": `${folder}/` } }],
    });
    await append(table);
    expect(await table.names(".avro")).toEqual([
      expect.stringMatching(/^elsewhere\/[^/]+$/),
      expect.stringMatching(/^elsewhere\/snap-\d+-1-[^/]+$/),
    ]);
    expect(await table.paths()).toHaveLength(1);
  });

  it("goes to a branch that is there, and leaves how long that is kept", async () => {
    const table = await CommitTable.make();
    const [a] = await append(table);
    const { operations } = table;
    const add = [await table.file()];
    const commit = (branch: string) => commitFiles(operations, { operation: "append", add }, { branch });
    expect(await codeOf(commit("test"))).toBe("snapshot-missing");
    await createBranch(operations, "test", { minSnapshotsToKeep: 3 });
    await createTag(operations, "v1");
    expect(await codeOf(commit("v1"))).toBe("invalid-change");
    await setRetention(operations, "main", { maxSnapshotAgeMs: 1000 });
    await commit("test");
    const [b] = await append(table);
    expect(await table.paths("test")).toEqual(pathsOf([a!, ...add]));
    expect(await table.paths()).toEqual(pathsOf([a!, b!]));
    const { refs } = (await table.load()).metadata;
    expect(refs).toMatchObject({ test: { "min-snapshots-to-keep": 3 }, main: { "max-snapshot-age-ms": 1000 } });
  });

  it("is found by its properties, the newest first", async () => {
    const table = await CommitTable.make();
    const commit = async (properties: Record<string, string>) =>
      (await commitFiles(table.operations, { operation: "append", properties })).snapshot["snapshot-id"];
    expect(findCommit(await table.load(), { run: "1" })).toBeUndefined();
    const [first, , third] = [
      await commit({ run: "1" }),
      await commit({ run: "2" }),
      await commit({ run: "1", n: "2" }),
    ];
    const state = await table.load();
    table.files.reads = [];
    expect(findCommit(state, { run: "1" })?.["snapshot-id"]).toBe(third);
    expect(findCommit(state, { run: "3" })).toBeUndefined();
    expect(findCommit(state, { run: "2", n: "2" })).toBeUndefined();
    expect(findCommit(state, { run: "1" }, "none")).toBeUndefined();
    expect(first).not.toBe(third);
    expect(table.files.reads).toEqual([]);
  });

  it("names a manifest that is corrupt or isn't there any more", async () => {
    const table = await CommitTable.make();
    const [a] = await append(table);
    const { path } = (await table.manifests())[0]!;
    const bytes = await table.files.read(path);
    const remove = () => {
      const { operations } = table.another();
      return commitFiles(operations, { operation: "delete", remove: [a!] });
    };
    await table.files.delete([path]);
    await expect(remove()).rejects.toMatchObject({ code: "file-missing", message: expect.stringContaining(path) });
    await table.files.write(path, bytes.subarray(0, -20));
    await expect(remove()).rejects.toMatchObject({ code: "invalid-manifest", message: expect.stringContaining(path) });
  });
});

describe.each([
  ["manifest", /-m\d+\.avro$/],
  ["manifest list", /snap-/],
])("a commit whose %s can't be written", (_, failing) => {
  it("fails by that and leaves nothing, also of what is written at the same time and later", async () => {
    const table = await CommitTable.make();
    await append(table);
    const before = [await table.names(".avro"), await table.paths()];
    const [add, { files }] = [await table.file(), table];
    const write = files.write.bind(files);
    const failed = Promise.withResolvers<void>();
    const others: Promise<void>[] = [];
    files.write = async (uri, body, options) => {
      if (failing.test(uri)) {
        failed.resolve();
        throw new Error("the disk is full");
      }
      others.push(failed.promise.then(() => setImmediate()).then(() => write(uri, body, options)));
      await others.at(-1);
    };
    await expect(commitFiles(table.operations, { operation: "append", add: [add] })).rejects.toThrow("disk is full");
    await Promise.all(others);
    expect([await table.names(".avro"), await table.paths()]).toEqual(before);
  });
});

describe("a commit that meets others", () => {
  it("writes only a manifest list anew, and deletes those of the tries that came to nothing", async () => {
    const table = await CommitTable.make();
    const [a] = await append(table);
    const other = table.another();
    let left = 3;
    const operations = table.with(async (next) => {
      if (left-- > 0) await append(other);
      return await next();
    });
    const before = await table.names(".avro");
    table.files.writes = [];
    const { state, snapshot } = await commitFiles(operations, { operation: "delete", remove: [a!] });
    expect(table.files.writes.filter((uri) => /-m\d+\.avro$/.test(uri))).toHaveLength(1);
    expect(table.files.writes.filter((uri) => /snap-/.test(uri))).toHaveLength(4);
    // three appends of others, and one manifest and one list of its own
    expect(await table.names(".avro")).toHaveLength(before.length + 3 * 2 + 2);
    expect(snapshotOfRef(state.metadata)).toEqual(snapshot);
    expect((await table.manifests())[0]).toMatchObject({ sequenceNumber: 5, deletedFiles: 1 });
    expect(await table.paths()).toHaveLength(3);
  });

  it("counts the entries of manifests whose list has no counts, as version 1 may leave them out", async () => {
    const table = await CommitTable.make({ formatVersion: 1 });
    await commitFiles(table.operations, { operation: "append", add: [await table.file(), await table.file()] });
    const { metadata } = await table.load();
    const { "manifest-list": list, "snapshot-id": snapshotId } = snapshotOfRef(metadata)!;
    const without = { addedFiles: undefined, existingFiles: undefined, addedRows: undefined, existingRows: undefined };
    const manifests = (await table.manifests()).map((manifest) => ({ ...manifest, ...without }));
    const sync = new Uint8Array(16);
    await table.files.delete([list!]);
    await table.files.write(
      list!,
      writeManifestList({
        formatVersion: 1,
        snapshotId,
        parentSnapshotId: undefined,
        sequenceNumber: 0,
        manifests,
        sync,
      }),
    );
    const { operations } = table.another();
    const state = await operations.load();
    await operations.commit(state, {
      requirements: [],
      updates: [{ action: "upgrade-format-version", "format-version": 2 }],
    });
    await commitFiles(operations, { operation: "append", add: [await table.file()] });
    expect(await table.another().manifests()).toMatchObject([
      { addedFiles: 1, addedRows: 10 },
      { addedFiles: 2, existingFiles: 0, deletedFiles: 0, addedRows: 20 },
    ]);
    expect(await table.another().paths()).toHaveLength(3);
  });

  it("is tried as often as the table says, and leaves nothing then", async () => {
    const table = await CommitTable.make({
      properties: { "commit.retry.num-retries": "2", "commit.retry.min-wait-ms": "1" },
    });
    let tries = 0;
    const operations = table.with(() => {
      tries++;
      return Promise.reject(new IcebergError("commit-conflict", "no"));
    });
    const add = [await table.file()];
    expect(await codeOf(commitFiles(operations, { operation: "append", add }))).toBe("commit-conflict");
    expect(tries).toBe(3);
    expect(await table.names(".avro")).toEqual([]);
    expect(await table.names(".parquet")).toHaveLength(1);
    const options = { deletesAddedOnFailure: true };
    expect(await codeOf(commitFiles(operations, { operation: "append", add }, options))).toBe("commit-conflict");
    expect(await table.names(".parquet")).toEqual([]);
  });

  it("ends with the signal's reason while it waits, and leaves nothing", async () => {
    const table = await CommitTable.make({ properties: { "commit.retry.min-wait-ms": "20000" } });
    const controller = new AbortController();
    const operations = table.with(() => {
      queueMicrotask(() => controller.abort(new Error("enough")));
      return Promise.reject(new IcebergError("commit-conflict", "no"));
    });
    const { signal } = controller;
    const add = [await table.file()];
    await expect(commitFiles(operations, { operation: "append", add }, { signal })).rejects.toThrow("enough");
    expect(await table.names(".avro")).toEqual([]);
  });

  it("keeps all files if whether it was applied isn't known, and fails for good otherwise", async () => {
    const table = await CommitTable.make();
    const add = [await table.file()];
    const commit = (error: Error, isApplied: boolean) =>
      codeOf(
        commitFiles(
          table.with(async (next) => {
            if (isApplied) await next();
            throw error;
          }),
          { operation: "append", add },
          { deletesAddedOnFailure: true },
        ),
      );
    await commit(new IcebergError("commit-unknown", "?"), true);
    expect(await table.names(".avro")).toHaveLength(2);
    expect(await table.paths()).toEqual(pathsOf(add));
    // an error of another kind says nothing of whether it was applied
    await commit(new Error("socket hang up"), false);
    expect(await table.names(".avro")).toHaveLength(4);
    await commit(new IcebergError("table-missing", "no"), false);
    expect(await table.names(".avro")).toHaveLength(4);
  });

  it("is a conflict if the columns were changed, but not for what only removes", async () => {
    const table = await CommitTable.make();
    const [a] = await append(table);
    const base = await table.load();
    await table.operations.commit(
      base,
      schemaChange(base.metadata, [{ change: "add", column: "rain", type: "double?" }]),
    );
    const add = [await table.file()];
    await expect(commitFiles(table.operations, { operation: "append", add }, { base })).rejects.toMatchObject({
      code: "commit-conflict",
      message: expect.stringContaining("columns"),
    });
    await commitFiles(table.operations, { operation: "delete", remove: [a!] }, { base });
    expect(await table.paths()).toEqual([]);
  });

  it("loses and doubles nothing of twenty writers", async () => {
    const table = await CommitTable.make();
    const committed = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const writer = table.another();
        const own = [];
        for (let i = 0; i < 5; i++) own.push(...(await append(writer)));
        return own;
      }),
    );
    expect(await table.paths()).toEqual(pathsOf(committed.flat()));
    const { snapshots } = (await table.load()).metadata;
    expect(snapshots).toHaveLength(100);
    expect(snapshots.at(-1)!.summary).toMatchObject({ "total-data-files": "100", "total-records": "1000" });
    expect(await table.names(".avro")).toHaveLength(200 + (await mergedOf(table)));
  });
});

describe("manifests", () => {
  it("are merged when there are as many as the table says, with what their entries inherited", async () => {
    const table = await CommitTable.make({ properties: { "commit.manifest.min-count-to-merge": "5" } });
    const files = [];
    for (let i = 0; i < 12; i++) {
      files.push(...(await append(table)));
      expect((await table.manifests()).length).toBeLessThanOrEqual(6);
    }
    expect(await table.paths()).toEqual(pathsOf(files));
    const entries = (await Promise.all((await table.manifests()).map((m) => table.entries(m)))).flat();
    for (const [i, { file }] of files.entries())
      expect(entries.find((entry) => entry.file.path === file.path)).toMatchObject({
        sequenceNumber: i + 1,
        fileSequenceNumber: i + 1,
      });
  });

  it("are merged up to a size, and not where the table says so", async () => {
    const table = await CommitTable.make({
      properties: { "commit.manifest.min-count-to-merge": "2", "commit.manifest.target-size-bytes": "1" },
    });
    for (let i = 0; i < 4; i++) await append(table);
    expect(await table.manifests()).toHaveLength(4);
    const unmerged = await CommitTable.make({
      properties: { "commit.manifest.min-count-to-merge": "2", "commit.manifest-merge.enabled": "false" },
    });
    for (let i = 0; i < 4; i++) await append(unmerged);
    expect(await unmerged.manifests()).toHaveLength(4);
  });

  it("and manifest lists are written once a commit, and read not at all by who commits again, however many there are", async () => {
    const table = await CommitTable.make();
    for (let i = 0; i < 250; i++) {
      table.files.reads = [];
      table.files.writes = [];
      await append(table);
      const isMerging = i > 0 && table.files.writes.filter((uri) => /-m\d+\.avro$/.test(uri)).length > 1;
      expect(table.files.writes.filter((uri) => uri.endsWith(".avro"))).toHaveLength(isMerging ? 3 : 2);
      expect(table.files.reads.filter((uri) => uri.endsWith(".avro"))).toEqual([]);
      expect((await table.manifests()).length).toBeLessThanOrEqual(102);
    }
    const other = table.another();
    await append(other);
    expect(other.files.reads.filter((uri) => uri.endsWith(".avro"))).toHaveLength(1);
  });
});

/** How many of the manifests are merged ones, which no append added of its own. */
async function mergedOf(table: CommitTable): Promise<number> {
  return (await table.names(".avro")).filter((name) => !/-m0\.avro$|snap-/.test(name)).length;
}
