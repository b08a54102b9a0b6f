import { beforeEach, describe, expect, it } from "vitest";
import { codeOf, CommitTable, pathsOf } from "../commit/commit-table.fixture.ts";
import { commitFiles } from "../commit/commit-files.ts";
import type { FileOfSpec } from "../commit/file-change.ts";
import { createBranch, createTag, fastForward, removeRef, replaceRef, setRetention } from "./refs.ts";
import { cherryPick, rollbackTo } from "./rollback.ts";

let table: CommitTable;
/** Each has appended one file to `main`. */
let [first, second]: bigint[] = [];
let files: FileOfSpec[] = [];
beforeEach(async () => {
  table = await CommitTable.make();
  files = [];
  [first, second] = [await append(), await append()];
});

async function append(branch?: string, operations = table.operations): Promise<bigint> {
  const file = await table.file();
  files.push(file);
  const { snapshot } = await commitFiles(operations, { operation: "append", add: [file] }, { branch });
  return snapshot["snapshot-id"];
}
const refs = async () => (await table.load()).metadata.refs;
const headOf = async (name: string) => (await refs())[name]?.["snapshot-id"];

describe("branches and tags", () => {
  it("are made of main's snapshot or another, once", async () => {
    await createBranch(table.operations, "audit", { snapshotId: first, maxRefAgeMs: 5, minSnapshotsToKeep: 2 });
    await createTag(table.operations, "v1", { maxRefAgeMs: 7 });
    expect(await refs()).toMatchObject({
      audit: { type: "branch", "snapshot-id": first, "max-ref-age-ms": 5, "min-snapshots-to-keep": 2 },
      v1: { type: "tag", "snapshot-id": second, "max-ref-age-ms": 7 },
    });
    const { operations } = table;
    expect(await codeOf(createTag(operations, "audit"))).toBe("invalid-change");
    expect(await codeOf(createBranch(operations, "x", { snapshotId: 1n }))).toBe("snapshot-missing");
    expect(await codeOf(createTag(operations, "main"))).toBe("invalid-change");
    expect(await codeOf(createBranch(operations, ""))).toBe("invalid-change");
    expect(await codeOf(createTag(operations, "x", { minSnapshotsToKeep: 1 }))).toBe("invalid-change");
    expect(await codeOf(createBranch(operations, "x", { maxRefAgeMs: 0 }))).toBe("invalid-change");
    const empty = await CommitTable.make();
    expect(await codeOf(createTag(empty.operations, "v1"))).toBe("snapshot-missing");
  });

  it("of one name are made by one of those who try at once", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) => codeOf(createTag(table.another().operations, "v1", { maxRefAgeMs: i + 1 }))),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "invalid-change")).toHaveLength(7);
  });

  it("are set to other snapshots, kept for other times and removed", async () => {
    const { operations } = table;
    await createTag(operations, "v1", { snapshotId: first });
    await createBranch(operations, "b", { maxRefAgeMs: 9 });
    await replaceRef(operations, "v1", second!);
    await setRetention(operations, "b", { maxSnapshotAgeMs: 3 });
    expect(await refs()).toMatchObject({ v1: { "snapshot-id": second }, b: { "max-snapshot-age-ms": 3 } });
    expect((await refs())["b"]?.["max-ref-age-ms"]).toBeUndefined();
    await removeRef(operations, "v1");
    expect(Object.keys(await refs()).toSorted()).toEqual(["b", "main"]);
    for (const work of [
      removeRef(operations, "v1"),
      replaceRef(operations, "v1", first!),
      setRetention(operations, "v1", {}),
    ])
      expect(await codeOf(work)).toBe("snapshot-missing");
    expect(await codeOf(removeRef(operations, "main"))).toBe("invalid-change");
    expect(await codeOf(replaceRef(operations, "b", 1n))).toBe("snapshot-missing");
    expect(await codeOf(setRetention(operations, "main", { maxRefAgeMs: 3 }))).toBe("invalid-change");
  });

  it("are moved forward only along their own snapshots", async () => {
    const { operations } = table;
    await createBranch(operations, "audit");
    const audited = await append("audit");
    await fastForward(operations, "main", "audit");
    expect(await headOf("main")).toBe(audited);
    await append();
    await append("audit");
    expect(await codeOf(fastForward(operations, "main", "audit"))).toBe("invalid-change");
    expect(await codeOf(fastForward(operations, "main", "none"))).toBe("snapshot-missing");
    await createTag(operations, "v1");
    expect(await codeOf(fastForward(operations, "v1", "main"))).toBe("invalid-change");
  });

  it("are decided anew when others were quicker", async () => {
    await createBranch(table.operations, "audit");
    const audited = await append("audit");
    let isFirst = true;
    const operations = table.with(async (next) => {
      if (isFirst) await append(undefined, table.another().operations);
      isFirst = false;
      return await next();
    });
    expect(await codeOf(fastForward(operations, "main", "audit"))).toBe("invalid-change");
    expect(await headOf("audit")).toBe(audited);
    expect(await table.paths()).toHaveLength(3);
  });
});

describe("a rollback", () => {
  it("puts a branch back to one of its snapshots, by id or time, and to no other", async () => {
    const { operations } = table;
    await createBranch(operations, "audit");
    const audited = await append("audit");
    await rollbackTo(operations, { id: first! });
    expect(await table.paths()).toEqual(pathsOf(files.slice(0, 1)));
    expect(await codeOf(rollbackTo(operations, { id: audited }))).toBe("invalid-change");
    expect(await codeOf(rollbackTo(operations, { id: 1n }))).toBe("snapshot-missing");
    const { snapshots } = (await table.load()).metadata;
    await rollbackTo(operations, { at: new Date(snapshots.at(-1)!["timestamp-ms"] + 1) }, { branch: "audit" });
    expect(await headOf("audit")).toBe(audited);
    const before = new Date(snapshots[0]!["timestamp-ms"] - 1);
    expect(await codeOf(rollbackTo(operations, { at: before }))).toBe("snapshot-missing");
    expect(await codeOf(rollbackTo(operations, { at: new Date(Number.NaN) }))).toBe("snapshot-missing");
    // what comes next follows on what it was put back to
    await append();
    expect(await table.paths()).toHaveLength(2);
  });
});

describe("a cherry-pick", () => {
  it("appends what a snapshot of another branch appended, once", async () => {
    const { operations } = table;
    await createBranch(operations, "audit");
    const [audited, next] = [await append("audit"), await append("audit")];
    await append();
    await cherryPick(operations, next);
    expect(await table.paths()).toEqual(pathsOf(files.filter((_, i) => i !== 2)));
    const { snapshots } = (await table.load()).metadata;
    expect(snapshots.at(-1)!.summary).toMatchObject({
      operation: "append",
      "source-snapshot-id": String(next),
      "total-data-files": "4",
    });
    expect(await codeOf(cherryPick(operations, next))).toBe("invalid-change");
    expect(await codeOf(cherryPick(operations, first!))).toBe("invalid-change");
    expect(await codeOf(cherryPick(operations, 1n))).toBe("snapshot-missing");
    await cherryPick(operations, audited);
    expect(await table.paths()).toEqual(pathsOf(files));
  });

  it("moves the branch forward where that is the same", async () => {
    await createBranch(table.operations, "audit");
    const audited = await append("audit");
    await cherryPick(table.operations, audited);
    expect(await headOf("main")).toBe(audited);
  });

  it("refuses what isn't an append", async () => {
    await createBranch(table.operations, "audit");
    const change = { operation: "delete" as const, remove: files.slice(0, 1) };
    const { snapshot } = await commitFiles(table.operations, change, { branch: "audit" });
    await append();
    expect(await codeOf(cherryPick(table.operations, snapshot["snapshot-id"]))).toBe("unsupported");
  });
});
