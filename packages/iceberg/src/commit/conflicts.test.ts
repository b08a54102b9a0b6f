import { beforeEach, describe, expect, it } from "vitest";
import type { TableState } from "../catalog/table-operations.ts";
import { snapshotOfRef } from "../metadata/table-metadata.ts";
import { eq, ge } from "../predicate/predicate.ts";
import { rollbackTo } from "../refs/rollback.ts";
import { codeOf, CommitTable, type SaidFile } from "./commit-table.fixture.ts";
import { commitFiles, type CommitOptions } from "./commit-files.ts";
import type { FileChange, FileOfSpec, Operation } from "./file-change.ts";

describe("a change of rows, with what others committed since it was decided", () => {
  let table: CommitTable;
  let old: FileOfSpec;
  let base: TableState;
  beforeEach(async () => {
    table = await CommitTable.make({ partitionBy: ["day"] });
    old = await table.file({ day: 1, ids: [0n, 9n] });
    ({ state: base } = await commitFiles(table.operations, { operation: "append", add: [old] }));
  });

  const others = async (operation: Operation, of: SaidFile) =>
    await commitFiles(table.another().operations, { operation, add: [await table.file(of)] });
  const overwrite = async (options: CommitOptions = {}, change: Partial<FileChange> = {}) => {
    const add = [await table.file({ day: 1 })];
    return await commitFiles(
      table.operations,
      { operation: "overwrite", add, remove: [old], ...change },
      { base, ...options },
    );
  };

  it.each([
    ["rows that its filter may select", { day: 1, ids: [5n, 20n] as const }, "commit-conflict"],
    ["rows of another partition", { day: 2, ids: [0n, 20n] as const }, "done"],
    ["rows that bounds rule out", { day: 1, ids: [0n, 9n] as const }, "done"],
    ["rows of which nothing is known", { day: 1 }, "commit-conflict"],
  ])("is refused or not: %s", async (_, of, outcome) => {
    await others("append", of);
    expect(await codeOf(overwrite({ conflictFilter: { op: "and", of: [eq("day", 1), ge("id", 10n)] } }))).toBe(outcome);
  });

  it("says which snapshot added which file", async () => {
    const { snapshot } = await others("append", { day: 1 });
    const added = (await table.paths()).find((path) => path !== old.file.path);
    const { message } = (await overwrite({ conflictFilter: eq("day", 1) }).catch(
      (error: unknown) => error as Error,
    )) as Error;
    expect(message).toContain(String(snapshot["snapshot-id"]));
    expect(message).toContain(added);
  });

  it("is beside all that others added without a filter, and beside rewrites with one", async () => {
    await others("append", { day: 1 });
    await overwrite();
    expect(await table.paths()).toHaveLength(2);
    const again = await table.load();
    [old] = [{ specId: 0, file: { ...old.file, path: (await table.paths())[0]! } }];
    base = again;
    await others("replace", { day: 1 });
    await overwrite({ conflictFilter: eq("day", 1) });
  });

  it("counts from the snapshot that it was decided by", async () => {
    await others("append", { day: 1 });
    const validateFrom = snapshotOfRef(base.metadata)!["snapshot-id"];
    const later = { base: await table.load(), conflictFilter: eq("day", 1) };
    expect(await codeOf(overwrite({ ...later, validateFrom }))).toBe("commit-conflict");
    expect(await codeOf(overwrite(later))).toBe("done");
  });

  it("is refused if the snapshot it was decided by isn't the branch's any more", async () => {
    const { snapshot } = await others("append", { day: 2 });
    const decided = await table.load();
    const first = snapshotOfRef(base.metadata)!["snapshot-id"];
    await rollbackTo(table.operations, { id: first });
    expect(await codeOf(overwrite({ base: decided, conflictFilter: eq("day", 3) }))).toBe("commit-conflict");
    expect(await codeOf(overwrite({ validateFrom: snapshot["snapshot-id"] }))).toBe("commit-conflict");
    expect(await codeOf(overwrite({ validateFrom: first }))).toBe("done");
  });

  it("is refused if a file that it removes was removed", async () => {
    await commitFiles(table.another().operations, { operation: "delete", remove: [old] });
    await expect(overwrite()).rejects.toMatchObject({
      code: "commit-conflict",
      message: expect.stringContaining(old.file.path),
    });
  });

  it.each([
    ["by position", "position-deletes"],
    ["by equality", "equality-deletes"],
  ] as const)("is refused if rows of a file that it replaces were deleted %s", async (_, content) => {
    await others("delete", { day: 1, content });
    await expect(overwrite()).rejects.toMatchObject({
      code: "commit-conflict",
      message: expect.stringContaining(old.file.path),
    });
    // gone is gone
    await commitFiles(table.operations, { operation: "delete", remove: [old] }, { base });
  });

  it("is beside deletes of other partitions and other files", async () => {
    await others("delete", { day: 2, content: "equality-deletes" });
    await others("delete", { day: 1, content: "position-deletes", of: "memory:x/other.parquet" });
    expect(await codeOf(overwrite())).toBe("done");
  });

  it("is beside equality deletes if the new files are as old as the removed ones", async () => {
    const { "sequence-number": sequenceNumber } = snapshotOfRef(base.metadata)!;
    await others("delete", { day: 1, content: "equality-deletes" });
    await overwrite({}, { operation: "replace", sequenceNumber });
    const added = (await table.manifests()).find((m) => m.content === "data" && m.addedFiles === 1);
    expect(added).toMatchObject({ sequenceNumber: 3, minSequenceNumber: 1 });
    expect(await table.entries(added!)).toMatchObject([{ status: "added", sequenceNumber: 1, fileSequenceNumber: 3 }]);
    base = await table.load();
    await others("delete", { day: 1, content: "position-deletes" });
    old = { specId: 0, file: { ...old.file, path: (await table.paths())[0]! } };
    expect(await codeOf(overwrite({}, { operation: "replace", sequenceNumber }))).toBe("commit-conflict");
  });
});
