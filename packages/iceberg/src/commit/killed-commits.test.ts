import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeOrphans } from "../maintenance/remove-orphans.ts";
import { CommitTable, pathsOf } from "./commit-table.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import type { FileOfSpec } from "./file-change.ts";

let root: string;
let table: CommitTable;
let files: FileOfSpec[];
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "killed-commits-"));
  table = await CommitTable.make({}, root);
  files = [await table.file(), await table.file(), await table.file()];
  await commitFiles(table.operations, { operation: "append", add: files.slice(0, 2) });
  await commitFiles(table.operations, { operation: "append", add: files.slice(2) });
});
afterEach(() => rm(root, { recursive: true }));

async function kill(work: string, when: string, what: string): Promise<void> {
  const fixture = path.join(import.meta.dirname, "killed-commit.fixture.ts");
  const child = spawn(process.execPath, [fixture, table.location, work, when, what], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
}

/** What removing orphans leaves is what the table has. */
async function expectNothingLeaks(expected: readonly FileOfSpec[]): Promise<void> {
  const { operations } = table.another();
  const options = { olderThan: new Date(Date.now() + 60_000), allowsRecent: true };
  await removeOrphans(operations, options);
  expect((await table.names(".parquet")).map((name) => `${table.location}/${name}`).toSorted()).toEqual(
    pathsOf(expected),
  );
  expect(await removeOrphans(operations, options)).toEqual([]);
}

describe("a commit that is killed", () => {
  it.each([
    ["before", "data", false],
    ["after", "data", false],
    ["before", "manifest", false],
    ["after", "manifest", false],
    ["before", "list", false],
    ["after", "list", false],
    ["before", "metadata", false],
    ["after", "metadata", true],
    ["before", "hint", true],
    ["after", "hint", true],
  ])("%s its %s is written is there wholly or not at all, and leaves only orphans", async (when, what, isThere) => {
    const [a, b, c] = files as [FileOfSpec, FileOfSpec, FileOfSpec];
    await kill(JSON.stringify([a.file.path, c.file.path]), when, what);
    const after = [b.file.path, `${table.location}/data/new.parquet`].toSorted();
    expect(await table.another().paths()).toEqual(isThere ? after : pathsOf(files));
    const added = { ...a, file: { ...a.file, path: `${table.location}/data/new.parquet` } };
    await expectNothingLeaks(isThere ? [...files, added] : files);
    // who comes next goes on
    const next = await table.file();
    await commitFiles(table.another().operations, { operation: "append", add: [next] });
    expect(await table.another().paths()).toEqual([...(isThere ? after : pathsOf(files)), next.file.path].toSorted());
  });
});

describe("an expiry that is killed", () => {
  it.each([
    ["before", "metadata", false],
    ["after", "metadata", true],
    ["before", "data", true],
    ["after", "data", true],
    ["after", "manifest", true],
    ["after", "list", true],
  ])(
    "%s its %s is written or deleted has deleted nothing that the table has, and leaves only orphans",
    async (when, what, isThere) => {
      const [a, b, c] = files as [FileOfSpec, FileOfSpec, FileOfSpec];
      await commitFiles(table.operations, { operation: "delete", remove: [a] });
      await kill("expire", when, what);
      expect(await table.another().paths()).toEqual(pathsOf([b, c]));
      expect((await table.another().load()).metadata.snapshots).toHaveLength(isThere ? 1 : 3);
      await expectNothingLeaks(isThere ? [b, c] : files);
    },
  );
});
