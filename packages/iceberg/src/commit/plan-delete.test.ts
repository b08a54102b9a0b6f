import { expect, it } from "vitest";
import { eq, ge, lt, or } from "../predicate/predicate.ts";
import { codeOf, CommitTable, pathsOf } from "./commit-table.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import { planDelete, withDeletes } from "./plan-delete.ts";

it("a delete by a filter knows which files go whole, which in part and which not at all", async () => {
  const table = await CommitTable.make({ partitionBy: ["day"] });
  const { files } = table;
  const ofNone = await planDelete({ state: await table.load(), files }, ge("id", 1n));
  expect(ofNone).toMatchObject({ snapshot: undefined, whole: [], partly: [] });
  const [low, middle, high, other] = [
    await table.file({ day: 1, ids: [0n, 9n] }),
    await table.file({ day: 1, ids: [10n, 19n] }),
    await table.file({ day: 1, ids: [20n, 29n] }),
    await table.file({ day: 2 }),
  ];
  const add = [low, middle, high, other];
  const { snapshot } = await commitFiles(table.operations, { operation: "append", add });
  const isDelete = new Set<string>();
  const plan = async (where: Parameters<typeof planDelete>[1]) => {
    const planned = await planDelete({ state: await table.load(), files }, where);
    const { whole, partly } = planned;
    return {
      snapshot: planned.snapshot,
      whole: pathsOf(whole.map(({ file }) => file)),
      partly: pathsOf(partly.map(({ file }) => file)),
      deletes: pathsOf(withDeletes([...whole, ...partly])).filter((p) => isDelete.has(p)),
    };
  };
  expect(await plan({ op: "and", of: [ge("id", 15n), eq("day", 1)] })).toEqual({
    snapshot,
    whole: pathsOf([high]),
    partly: pathsOf([middle]),
    deletes: [],
  });
  expect(await plan(or(eq("day", 2), lt("id", 10n)))).toMatchObject({ whole: pathsOf([low, other]), partly: [] });
  expect(await plan(eq("day", 3))).toMatchObject({ whole: [], partly: [] });
  expect(await codeOf(plan(eq("rain", 3)))).toBe("invalid-predicate");

  // deletes of one of the files go with it
  const ofMiddle = await table.file({ day: 1, content: "position-deletes", of: middle.file.path });
  const ofHigh = await table.file({ day: 1, content: "position-deletes", of: high.file.path });
  const ofAll = await table.file({ day: 1, content: "equality-deletes" });
  for (const path of pathsOf([ofMiddle, ofHigh, ofAll])) isDelete.add(path);
  await commitFiles(table.operations, { operation: "delete", add: [ofMiddle, ofHigh, ofAll] });
  const { partly } = await planDelete({ state: await table.load(), files }, eq("id", 15n));
  expect(partly.map(({ deletes }) => pathsOf(deletes))).toEqual([
    pathsOf([ofMiddle, ofAll]),
    // of this file's ids nothing is known, and none of the deletes are of its partition
    [],
  ]);
  expect(await plan({ op: "and", of: [eq("id", 15n), eq("day", 1)] })).toMatchObject({ deletes: pathsOf([ofMiddle]) });
});
