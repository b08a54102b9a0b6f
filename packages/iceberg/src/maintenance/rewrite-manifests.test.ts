import { expect, it } from "vitest";
import { codeOf, CommitTable, pathsOf } from "../commit/commit-table.fixture.ts";
import { commitFiles } from "../commit/commit-files.ts";
import type { FileOfSpec } from "../commit/file-change.ts";
import { rewriteManifests } from "./rewrite-manifests.ts";

async function filledTable(days: readonly number[]) {
  const table = await CommitTable.make({ partitionBy: ["day"] });
  const files: FileOfSpec[] = [];
  for (const day of days) {
    files.push(await table.file({ day }));
    await commitFiles(table.operations, { operation: "append", add: files.slice(-1) });
  }
  return { table, files };
}

it("manifests are rewritten in the order of partitions, up to a size, with all that their entries say", async () => {
  const { table, files } = await filledTable([3, 1, 2, 1, 3, 2]);
  // manifests differ by some bytes, as their paths are random
  const sizeBytes = (await table.manifests()).reduce((sum, { length }) => sum + length, 0);
  const targetSizeBytes = Math.ceil(sizeBytes / 2);
  const committed = await rewriteManifests(table.operations, { targetSizeBytes, properties: { job: "1" } });
  expect(committed!.snapshot.summary).toMatchObject({
    operation: "replace",
    "manifests-created": "2",
    "manifests-replaced": "6",
    "manifests-kept": "0",
    "entries-processed": "6",
    "total-data-files": "6",
    job: "1",
  });
  const manifests = await table.manifests();
  const entries = await Promise.all(manifests.map((m) => table.entries(m)));
  expect(entries.map((of) => of.map(({ file }) => file.partition[0]))).toEqual([
    [1, 1, 2],
    [2, 3, 3],
  ]);
  for (const { file, sequenceNumber, fileSequenceNumber, status } of entries.flat()) {
    const added = files.findIndex((f) => f.file.path === file.path) + 1;
    expect({ sequenceNumber, fileSequenceNumber, status }).toEqual({
      sequenceNumber: added,
      fileSequenceNumber: added,
      status: "existing",
    });
  }
  expect(manifests.map((m) => m.minSequenceNumber)).toEqual([2, 1]);
  await rewriteManifests(table.operations);
  expect(await table.manifests()).toHaveLength(1);
  expect(await rewriteManifests(table.operations)).toBeUndefined();
  expect(await table.paths()).toEqual(pathsOf(files));
});

it("a rewrite of manifests keeps what others append meanwhile, and leaves those that others rewrote", async () => {
  const { table, files } = await filledTable([1, 2, 3]);
  const late = await table.file({ day: 1 });
  let isFirst = true;
  const operations = table.with(async (next) => {
    if (isFirst) await commitFiles(table.another().operations, { operation: "append", add: [late] });
    isFirst = false;
    return await next();
  });
  await rewriteManifests(operations);
  expect(await table.manifests()).toHaveLength(2);
  expect(await table.paths()).toEqual(pathsOf([...files, late]));
  const before = await table.names(".avro");
  const beaten = table.with(async (next) => {
    await rewriteManifests(table.another().operations);
    return await next();
  });
  expect(await codeOf(rewriteManifests(beaten))).toBe("commit-conflict");
  expect(await table.names(".avro")).toHaveLength(before.length + 2);
});

it("an empty table has no manifests to rewrite", async () => {
  const table = await CommitTable.make();
  expect(await rewriteManifests(table.operations)).toBeUndefined();
});
