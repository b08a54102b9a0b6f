import { afterAll, describe, expect, it } from "vitest";
import { Engine } from "../engine/engine.ts";
import { ALWAYS, and, eq, ge, gt, isNull, lt, or, startsWith } from "../predicate/predicate.ts";
import type { Table } from "../table.ts";
import { rowsTable } from "./rows-table.fixture.ts";

const engine = new Engine({ threads: 1 });
afterAll(() => engine[Symbol.asyncDispose]());

const rain = () => rowsTable({ columns: { day: "date", mm: "double?" }, partitionBy: ["day"] }, engine);
const on = (day: number, ...mm: readonly (number | null)[]) =>
  mm.map((value) => ({ day: `2024-05-0${day}`, mm: value }));
const conflict = { code: "commit-conflict" };

describe("a delete by a filter", () => {
  it("takes files out whole without reading them, writes anew those that have other rows, and leaves all others", async () => {
    const { table, files, dataFiles } = await rain();
    await table.append([...on(1, 1, 2), ...on(2, 3), ...on(3, 900)]);
    await table.append(on(2, 800, 4));
    const before = await dataFiles();
    files.streams = [];
    const snapshot = await table.delete(or(gt("mm", 500), eq("day", "2024-05-01")));
    // of the first day and the third statistics tell all; the second's file is read to count its rows, and to write them
    expect(files.streams).toHaveLength(2);
    expect(files.streams.every((uri) => uri.includes("/day=2024-05-02/"))).toBe(true);
    expect(await table.scan().toArray()).toEqual(expect.arrayContaining([...on(2, 3), ...on(2, 4)]));
    expect(snapshot.summary).toMatchObject({
      operation: "overwrite",
      "deleted-data-files": "3",
      "added-data-files": "1",
      "deleted-records": "5",
      "added-records": "1",
      "total-records": "2",
    });
    const after = await dataFiles();
    expect(after.filter((path) => before.includes(path))).toHaveLength(1);
  });

  it("leaves rows of which the filter isn't true but unknown", async () => {
    const { table } = await rain();
    await table.append(on(1, 1, null, 900));
    await table.delete(gt("mm", 500));
    expect(await table.scan().toArray()).toEqual(on(1, 1, null));
    await table.delete(isNull("mm"));
    expect(await table.scan().toArray()).toEqual(on(1, 1));
  });

  it("writes no file anew whose statistics don't rule it out, but that has no such rows", async () => {
    const { table, dataFiles } = await rain();
    await table.append(on(1, 1, 900));
    const before = await dataFiles();
    const snapshot = await table.delete(and(gt("mm", 100), lt("mm", 200)));
    expect(await dataFiles()).toEqual(before);
    expect(snapshot.summary).toMatchObject({ operation: "delete", "total-records": "2" });
  });

  it("is refused if others have added or deleted such rows meanwhile, and leaves no file", async () => {
    const { table, another, dataFolder } = await rain();
    await table.append(on(1, 1, 2, 900));
    const changes = [(other: Table) => other.append(on(1, 600)), (other: Table) => other.delete(eq("mm", 2))];
    for (const meanwhile of changes) {
      const other = await another();
      const before = await dataFolder();
      const isFirst = { yes: true };
      const commit = table.operations.commit.bind(table.operations);
      table.operations.commit = async (...given) => {
        if (isFirst.yes) {
          isFirst.yes = false;
          await meanwhile(other);
        }
        return await commit(...given);
      };
      const added = async () => (await dataFolder()).filter((path) => !before.includes(path));
      await expect(table.delete(gt("mm", 500))).rejects.toMatchObject(conflict);
      table.operations.commit = commit;
      expect(await added()).toHaveLength(1); // the other's
    }
    await table.delete(gt("mm", 500)); // it is as it is at the call
    expect(await table.scan().toArray()).toEqual(on(1, 1));
  });

  it("is beside rows that others add: such as it doesn't select, and any with the isolation of a snapshot", async () => {
    const { table, another } = await rain();
    await table.append(on(1, 1, 900));
    const other = await another();
    const commit = table.operations.commit.bind(table.operations);
    let meanwhile: (() => Promise<unknown>) | undefined = () => other.append(on(2, 3));
    table.operations.commit = async (...given) => {
      await meanwhile?.();
      meanwhile = undefined;
      return await commit(...given);
    };
    await table.delete(gt("mm", 500));
    expect(await table.scan({ where: gt("mm", 2) }).toArray()).toEqual(on(2, 3));
    meanwhile = () => other.append(on(2, 700));
    await table.delete(ge("mm", 3), { isolation: "snapshot" });
    expect(await table.scan({ where: gt("mm", 2) }).toArray()).toEqual(on(2, 700));
  });

  it("is of a branch, if one is given", async () => {
    const { table } = await rain();
    await table.append(on(1, 1, 900));
    await table.refs.createBranch("audit");
    await table.delete(gt("mm", 500), { branch: "audit" });
    expect(await table.scan().toArray()).toEqual(on(1, 1, 900));
    expect(await table.scan({ snapshot: { ref: "audit" } }).toArray()).toEqual(on(1, 1));
    await expect(table.delete(gt("mm", 500), { branch: "none" })).rejects.toMatchObject({ code: "snapshot-missing" });
  });

  it("of a table without rows makes a snapshot", async () => {
    const { table } = await rain();
    const { summary } = await table.delete(ALWAYS, { properties: { "weather.run": "7" } });
    expect(summary).toMatchObject({ operation: "delete", "weather.run": "7", "total-records": "0" });
  });
});

describe("an overwrite by a filter", () => {
  it("leaves what one run leaves, however often it is run, also if there are no rows any more", async () => {
    const { table } = await rain();
    await table.append([...on(1, 1), ...on(2, 2)]);
    const where = eq("day", "2024-05-02");
    for (const rows of [on(2, 5, 6), on(2, 5, 6), []]) {
      await table.overwrite(rows, { where });
      expect(await table.scan({ where }).toArray()).toEqual(rows);
      expect(await table.scan({ where: eq("day", "2024-05-01") }).toArray()).toEqual(on(1, 1));
    }
    await table.overwrite(on(3, 3), { where: ALWAYS });
    expect(await table.scan().toArray()).toEqual(on(3, 3));
  });

  it("may be of rows that it reads from the table itself", async () => {
    const { table } = await rain();
    await table.append([...on(1, 1), ...on(2, 2, 3)]);
    const where = eq("day", "2024-05-02");
    const twice = engine.sql`select day, mm * 2 as mm from ${table.scan({ where })}`;
    await table.overwrite(twice, { where });
    expect(await table.scan({ where }).toArray()).toEqual(on(2, 4, 6));
  });

  it.each([
    ["another", on(1, 1), `its day is "2024-05-01"`],
    ["a null", on(2, null), "mm is null"],
  ])("refuses a row that the filter doesn't select: %s, and leaves no file", async (_what, rows, sentence) => {
    const { table, dataFolder } = await rain();
    await table.append(on(2, 2));
    const before = await dataFolder();
    const where = and(eq("day", "2024-05-02"), gt("mm", 0));
    const failure = { code: "invalid-rows", message: expect.stringContaining(sentence) as unknown };
    await expect(table.overwrite([...on(2, 7), ...rows], { where })).rejects.toMatchObject(failure);
    expect(await dataFolder()).toEqual(before);
  });

  it("takes rows whose bounds, cut short as they are, don't tell whether they are selected", async () => {
    const { table } = await rowsTable({ columns: { name: "string" } }, engine);
    const name = "a name of far more than sixteen characters";
    await table.overwrite([{ name: `${name}, and more` }], { where: startsWith("name", name) });
    expect(await table.scan().toArray()).toHaveLength(1);
    await expect(table.overwrite([{ name: "short" }], { where: startsWith("name", name) })).rejects.toMatchObject({
      code: "invalid-rows",
    });
  });

  it("is refused if others changed the columns since the table was seen", async () => {
    const { table, another } = await rain();
    await (await another()).changeSchema([{ change: "add", column: "wind", type: "float?" }]);
    await expect(table.overwrite(on(1, 1), { where: ALWAYS })).rejects.toMatchObject(conflict);
    await table.refresh();
    await table.overwrite(on(1, 1), { where: ALWAYS });
    expect(await table.scan().toArray()).toEqual(on(1, 1).map((row) => ({ ...row, wind: null })));
  });
});

describe("an overwrite of partitions", () => {
  it("replaces what the partitions of the rows have, and nothing else", async () => {
    const { table } = await rain();
    await table.append([...on(1, 1), ...on(2, 2, 3)]);
    await table.overwritePartitions([...on(2, 9), ...on(3, 4)]);
    expect(await table.scan().toArray()).toEqual(expect.arrayContaining([...on(1, 1), ...on(2, 9), ...on(3, 4)]));
    expect((await table.scan().toArray()).length).toBe(3);
  });
});

it("an overwrite that has landed writes no row again", async () => {
  const { table, files } = await rain();
  const once = { "weather.load": "2024-05-02" };
  const first = await table.overwrite(on(2, 2), { where: ALWAYS, once });
  await table.append(on(2, 3));
  files.writes = [];
  expect(await table.overwrite(on(2, 9), { where: ALWAYS, once })).toEqual(first);
  expect(files.writes).toEqual([]);
  expect((await table.scan().toArray()).length).toBe(2);
});
