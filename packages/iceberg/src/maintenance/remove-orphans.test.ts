import { expect, it } from "vitest";
import { codeOf, CommitTable, pathsOf } from "../commit/commit-table.fixture.ts";
import { commitFiles } from "../commit/commit-files.ts";
import type { FileOfSpec } from "../commit/file-change.ts";
import { normalUri } from "./file-key.ts";
import { removeOrphans, type OrphanOptions } from "./remove-orphans.ts";

const later = () => new Date(Date.now() + 60_000);
const ALL = { olderThan: later(), allowsRecent: true };

const append = (table: CommitTable, ...add: FileOfSpec[]) =>
  commitFiles(table.operations, { operation: "append", add });
const orphansOf = async (table: CommitTable, options: OrphanOptions) =>
  (await removeOrphans(table.operations, options)).map(({ uri }) => uri).toSorted();

it("orphans are what no snapshot reaches and the metadata doesn't name", async () => {
  const table = await CommitTable.make();
  const [a, b] = [await table.file(), await table.file()];
  await append(table, a);
  await append(table, b);
  await commitFiles(table.operations, { operation: "delete", remove: [a] });
  const stray = await table.file();
  const others = ["metadata/snap-1-1-x.avro", "metadata/x-m0.avro", "other/x"].map(
    (name) => `${table.location}/${name}`,
  );
  for (const uri of others) await table.files.write(uri, "x");
  const expected = [...others, stray.file.path].toSorted();
  const before = (await table.names("")).length;
  expect(await orphansOf(table, { ...ALL, isDryRun: true })).toEqual(expected);
  expect(await table.names("")).toHaveLength(before);
  expect(await orphansOf(table, ALL)).toEqual(expected);
  expect(await table.names("")).toHaveLength(before - expected.length);
  expect(await orphansOf(table, ALL)).toEqual([]);
  expect(await table.another().paths()).toEqual(pathsOf([b]));
});

it("files that may be of commits under way are no orphans", async () => {
  const table = await CommitTable.make();
  await table.file();
  expect(await orphansOf(table, {})).toEqual([]);
  const recent = new Date(Date.now() - 3_000_000);
  expect(await codeOf(removeOrphans(table.operations, { olderThan: recent }))).toBe("invalid-change");
  expect(await codeOf(removeOrphans(table.operations, { olderThan: new Date(Number.NaN) }))).toBe("invalid-change");
  expect(await orphansOf(table, { olderThan: new Date(Date.now() - 3_700_000) })).toEqual([]);
  expect(await orphansOf(table, { olderThan: recent, allowsRecent: true })).toEqual([]);
});

it("files that were committed while they were looked for are no orphans", async () => {
  const table = await CommitTable.make();
  const late = await table.file();
  const { operations } = table;
  let loads = 0;
  const load = async () => {
    if (++loads === 2) await append(table.another(), late);
    return await operations.load();
  };
  const slow = { ...table.with((next) => next()), load };
  expect(await removeOrphans(slow, ALL)).toEqual([]);
  expect(await table.names(".parquet")).toHaveLength(1);
});

it("files of a table in a folder within are no orphans", async () => {
  const table = await CommitTable.make();
  const inner = ["data/a.parquet", "metadata/v1.metadata.json"].map((name) => `${table.location}/inner/${name}`);
  for (const uri of inner) await table.files.write(uri, "x");
  expect(await orphansOf(table, ALL)).toEqual([]);
});

it("nothing is deleted if what the table has can't be read, or others may have it too", async () => {
  const table = await CommitTable.make();
  await append(table, await table.file());
  await table.file();
  const [manifest] = await table.manifests();
  const { operations } = table.another();
  const update = { action: "set-properties" as const, updates: { "gc.enabled": "false" } };
  await table.operations.commit(await table.load(), { requirements: [], updates: [update] });
  expect(await codeOf(removeOrphans(operations, ALL))).toBe("invalid-change");
  const undo = { action: "remove-properties" as const, removals: ["gc.enabled"] };
  await table.operations.commit(await table.load(), { requirements: [], updates: [undo] });
  await table.files.delete([manifest!.path]);
  expect(await codeOf(removeOrphans(operations, ALL))).toBe("file-missing");
  expect(await table.names(".parquet")).toHaveLength(2);
});

it.each([
  ["s3://b/a//c d%2F", "s3a://b/a//c d%2F", "s3n://b/a//c d%2F"],
  [
    "/data/a=1%2F2/f",
    "file:/data/a=1%2F2/f",
    "file:///data/a=1%2F2/f",
    "file://localhost/data/a=1%2F2/f",
    "//data//a=1%2F2/f",
  ],
  ["memory:x/a/b"],
])("%s is one file in all forms that writers give it", (normal, ...forms) => {
  for (const form of [normal, ...forms]) expect(normalUri(form)).toBe(normal);
});
