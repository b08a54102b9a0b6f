import { describe, expect, it } from "vitest";
import { specChange } from "../metadata/metadata-changes.ts";
import { codeOf, CommitTable, pathsOf } from "./commit-table.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { overwritePartitions } from "./overwrite-partitions.ts";

async function filledTable() {
  const table = await CommitTable.make({ partitionBy: ["day"] });
  const add = await Promise.all([1, 1, 2, 3, null].map((day) => table.file({ day })));
  await commitFiles(table.operations, { operation: "append", add });
  return { table, files: add };
}

describe("an overwrite of partitions", () => {
  it("replaces exactly those of its files, and those that it is given", async () => {
    const { table, files } = await filledTable();
    const add = [await table.file({ day: 1 }), await table.file({ day: 4 })];
    const partitions = [{ specId: 0, partition: [null] }];
    const { snapshot } = await overwritePartitions(table.operations, { add, partitions, properties: { run: "1" } });
    expect(await table.paths()).toEqual(pathsOf([files[2]!, files[3]!, ...add]));
    expect(snapshot.summary).toMatchObject({ operation: "overwrite", "deleted-data-files": "3", run: "1" });
  });

  it("is a delete if there are no new files, and removes deletes of its partitions too", async () => {
    const { table, files } = await filledTable();
    const deletes = await Promise.all([1, 2].map((day) => table.file({ day, content: "equality-deletes" })));
    await commitFiles(table.operations, { operation: "delete", add: deletes });
    const { snapshot } = await overwritePartitions(table.operations, { partitions: [{ specId: 0, partition: [1] }] });
    expect(await table.paths()).toEqual(pathsOf(files.slice(2)));
    expect(snapshot.summary).toMatchObject({
      operation: "delete",
      "deleted-data-files": "2",
      "removed-delete-files": "1",
      "total-delete-files": "1",
    });
  });

  it("replaces what others have put there meanwhile", async () => {
    const { table, files } = await filledTable();
    const others = [await table.file({ day: 2 }), await table.file({ day: 1 })];
    let isFirst = true;
    const operations = table.with(async (next) => {
      if (isFirst) await commitFiles(table.another().operations, { operation: "append", add: others });
      isFirst = false;
      return await next();
    });
    const add = [await table.file({ day: 2 })];
    await overwritePartitions(operations, { add });
    expect(await table.paths()).toEqual(pathsOf([files[0]!, files[1]!, files[3]!, files[4]!, others[1]!, ...add]));
  });

  it("replaces all of a table that isn't partitioned", async () => {
    const table = await CommitTable.make();
    await commitFiles(table.operations, { operation: "append", add: [await table.file(), await table.file()] });
    const add = [await table.file()];
    await overwritePartitions(table.operations, { add });
    expect(await table.paths()).toEqual(pathsOf(add));
  });

  it("refuses to guess which files of other specs are in them", async () => {
    const { table } = await filledTable();
    const state = await table.load();
    await table.operations.commit(state, specChange(state.metadata, [{ change: "remove", name: "day" }]));
    const add = [await table.file({ specId: 1 })];
    expect(await codeOf(overwritePartitions(table.operations, { add }))).toBe("unsupported");
  });
});
