import { expect, it } from "vitest";
import { codeOf, CommitTable, pathsOf } from "../commit/commit-table.fixture.ts";
import { commitFiles } from "../commit/commit-files.ts";
import { eq } from "../predicate/predicate.ts";
import { commitRewrite, planRewrite } from "./plan-rewrite.ts";

it("a rewrite is of small files of one partition, of large ones, and of those with deletes", async () => {
  const table = await CommitTable.make({ partitionBy: ["day"] });
  const { files } = table;
  expect((await planRewrite({ state: await table.load(), files })).groups).toEqual([]);
  const sized = (day: number, sizes: readonly number[]) =>
    Promise.all(sizes.map((sizeBytes) => table.file({ day, sizeBytes })));
  const [small, few, right, large] = [
    await sized(1, [40, 30, 30, 20, 20, 10]),
    await sized(2, [10, 10]),
    await sized(3, [90, 100, 120, 150]),
    await sized(4, [500]),
  ];
  const add = [...small, ...few, ...right, ...large];
  await commitFiles(table.operations, { operation: "append", add });
  const options = { targetFileSizeBytes: 100, minInputFiles: 3 };
  const plan = async (where?: ReturnType<typeof eq>) =>
    await planRewrite({ state: await table.load(), files }, { ...options, where });
  const { groups } = await plan();
  expect(groups.map(({ tasks }) => tasks.map(({ file }) => file.file.sizeBytes).toSorted((a, b) => a - b))).toEqual([
    [10, 20, 20, 30],
    [500],
  ]);
  expect((await plan(eq("day", 2))).groups).toEqual([]);

  const deletes = await table.file({ day: 3, content: "position-deletes", of: right[0]!.file.path });
  await commitFiles(table.operations, { operation: "delete", add: [deletes] });
  const planned = await plan(eq("day", 3));
  expect(planned.groups.map((g) => pathsOf(g.tasks.map(({ file }) => file)))).toEqual([pathsOf(right.slice(0, 1))]);

  // others delete by a value meanwhile: the new file is as old as the plan, so that the delete applies to it
  const equality = await table.file({ day: 3, content: "equality-deletes" });
  await commitFiles(table.operations, { operation: "delete", add: [equality] });
  const written = [await table.file({ day: 3 })];
  const { snapshot } = await commitRewrite(table.operations, planned, planned.groups[0]!, written);
  expect(snapshot.summary).toMatchObject({
    operation: "replace",
    "added-data-files": "1",
    "deleted-data-files": "1",
    "removed-delete-files": "1",
  });
  expect(await table.paths()).toEqual(pathsOf([...add.filter((file) => file !== right[0]), ...written]));
  const { tasks } = (await plan(eq("day", 3))).groups[0]!;
  expect(tasks.map((task) => pathsOf(task.deletes))).toContainEqual(pathsOf([equality]));
  // a group is rewritten once, and the files of a rewrite that lost are deleted
  const again = [await table.file({ day: 3 })];
  expect(await codeOf(commitRewrite(table.operations, planned, planned.groups[0]!, again))).toBe("commit-conflict");
  expect(await table.names(again[0]!.file.path.slice(-20))).toEqual([]);
});
