import type { Columns } from "@orcajs/iceberg";
import { openObjectStore } from "@orcajs/objectstore";
import { Day } from "../../core/keys/day.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clean, day, raw, TestRun } from "./warehouse-tables.fixture.ts";

let run: TestRun;
beforeEach(() => {
  run = new TestRun();
});
afterEach(async () => await run[Symbol.asyncDispose]());

const refused = (code: string, sentence: string) => ({ code, message: expect.stringContaining(sentence) as unknown });

/** The table of `raw`, as somebody else has made it. */
async function made(columns: Columns) {
  await run.catalog.createNamespace("lake");
  return await run.catalog.createTable("lake.raw", { columns });
}

describe("a scan of some rows", () => {
  it("gives those whose columns equal the values, and opens only files that may have them", async () => {
    const ctx = run.attempt();
    await ctx.append(clean, [
      { id: 1, day, note: "x" },
      { id: 2, day },
      { id: 3, day: "2024-02-01", note: "x" },
    ]);
    const ids = async (where: object, of = ctx) =>
      (await of.scan(clean, { where }).columns("id").toArray()).map((row) => row.id).toSorted((a, b) => Number(a - b));
    const next = run.attempt(1, "next");
    expect(await ids({ day }, next)).toEqual([1n, 2n]);
    expect(await ids({ day, note: "x" }, next)).toEqual([1n]);
    expect(await ids({ note: null }, next)).toEqual([2n]);
    expect(await ids({ id: 9 }, next)).toEqual([]);
    expect(await ids({}, next)).toEqual([1n, 2n, 3n]);
    await using store = openObjectStore(run.location);
    const others: string[] = [];
    for await (const { key } of store.list("lake/clean/data/day=2024-01-31/")) others.push(key);
    await store.deleteMany(others);
    expect(others).toHaveLength(1);
    expect(await ids({ day: "2024-02-01" }, next)).toEqual([3n]);
  });

  it("refuses values that there can't be, also of a table that isn't there; a column that the table lacks is null", async () => {
    const scanned = (where: object) => run.attempt().scan(raw, { where }).toArray();
    await expect(scanned({ dya: day })).rejects.toMatchObject(
      refused("rows-misfit", "where doesn't fit lake.raw: dya isn't a column"),
    );
    const table = await made({ id: "long", day: "date" });
    await table.append([{ id: 1n, day }]);
    await expect(
      run
        .attempt(1, "b")
        .scan(raw, { where: { id: "x" as never } })
        .toArray(),
    ).rejects.toMatchObject(refused("rows-misfit", "where doesn't fit lake.raw: id takes"));
    const of = (where: object) => run.attempt(1, "c").scan(raw, { where }).toArray();
    expect(await of({ value: null })).toEqual([{ id: 1n, day, value: null }]);
    expect(await of({ value: 1 })).toEqual([]);
  });
});

describe("an append", () => {
  it("makes the table as its dataset declares it, and says in its snapshot who made it of what", async () => {
    await run.attempt(1, "other").append(raw, [{ id: 1, day }]);
    const ctx = run.attempt(2);
    const snapshot = await ctx.append(clean, ctx.sql`select id, day, 'x' as note from ${ctx.scan(raw)}`);
    const table = await run.catalog.loadTable("lake.clean");
    expect(table.spec.fields.map(({ name }) => name)).toEqual(["day"]);
    expect(await run.rows("lake.clean")).toEqual([{ id: 1n, day, note: "x" }]);
    const [read] = run.records.reads;
    expect(table.snapshots().at(-1)?.summary).toMatchObject({
      "orca.pipeline": "lake",
      "orca.run": "7",
      "orca.step": "load",
      "orca.partition": "2024-01",
      "orca.attempt": "2",
      "orca.commit": "1",
      "orca.code": "0xabc",
      "orca.reads": `lake.raw@${read!.snapshot}`,
    });
    expect(run.records.commits.at(-1)).toEqual({
      number: 1,
      dataset: "lake.clean",
      location: table.location,
      snapshot,
      operation: "append",
      code: "0xabc",
      rowsAdded: 1,
      rowsTotal: 1,
    });
  });

  it("says what its rows were made from also where they are read while they are written", async () => {
    await run.attempt(1, "other").append(raw, [{ id: 1, day }]);
    const rows = async function* () {
      for await (const { id } of ctx.scan(raw)) yield { id, day: Day(day) };
    };
    const ctx = run.attempt(2);
    const before = await ctx.append(clean, rows());
    const again = run.attempt(2, "another");
    const after = await again.overwrite(
      clean,
      (async function* () {
        for await (const { id } of again.scan(raw)) yield { id, day: Day(day) };
      })(),
      { where: { day } },
    );
    const table = await run.catalog.loadTable("lake.clean");
    const [read] = run.records.reads;
    for (const snapshot of [before, after])
      expect(table.snapshots().find((s) => s["snapshot-id"] === snapshot)?.summary).toMatchObject({
        "orca.reads": `lake.raw@${read!.snapshot}`,
      });
  });

  it.each([
    ["a value", [{ id: "2", day }], "rows don't fit lake.clean: id takes bigint or number, not string (row 1)"],
    ["a column", [{ id: 2, day, mm: 1 }], "rows don't fit lake.clean: mm isn't a column (row 1)"],
    ["a promise", Promise.resolve([]), "the rows are a promise: await it"],
    ["no rows", "text", "rows come as an array, an iterable, Arrow, a scan or a query"],
  ])("refuses what doesn't fit: %s", async (_what, rows, sentence) => {
    await expect(run.attempt().append(clean, rows as never)).rejects.toMatchObject(refused("rows-misfit", sentence));
    expect((await run.catalog.loadTable("lake.clean")).snapshots()).toEqual([]);
  });

  it("refuses what doesn't fit of a query, with the row and the column", async () => {
    const ctx = run.attempt();
    const rows = ctx.sql`select 1 as id, null::date as day`;
    const failure = refused("rows-misfit", "rows don't fit lake.clean: ");
    await expect(ctx.append(clean, rows as never)).rejects.toMatchObject(failure);
  });

  it("is refused when its attempt is over", async () => {
    const late = run.attempt(1, "2024-01", true);
    await expect(late.append(clean, [])).rejects.toMatchObject(
      refused("step-over", "step 'load' appends to 'lake.clean' after its attempt was over"),
    );
  });
});

describe("the attempts of a step", () => {
  it("read what the first one read, whatever was committed since", async () => {
    const writer = run.attempt(1, "other");
    await writer.append(raw, [{ id: 1, day }]);
    const before = await run.attempt().scan(raw).toArray();
    await writer.append(raw, [{ id: 2, day }]);
    expect(await run.attempt(2).scan(raw).toArray()).toEqual(before);
    expect(await run.attempt(1, "2024-02").scan(raw).toArray()).toHaveLength(2);
  });

  it("read as empty what was empty, and what wasn't there", async () => {
    expect(await run.attempt().scan(raw).toArray()).toEqual([]);
    expect(await run.attempt().scan(raw).snapshot()).toBeUndefined();
    await run.attempt(1, "other").append(raw, [{ id: 1, day }]);
    const second = run.attempt(2);
    expect(await second.scan(raw).columns("id").toArray()).toEqual([]);
    expect(await second.sql`select count(*) as n from ${second.scan(raw)}`.toArray()).toEqual([{ n: 0n }]);
  });

  it("read a snapshot with the columns that it has, whatever was added since", async () => {
    const table = await made({ id: "long", day: "date" });
    await table.append([{ id: 1, day }]);
    const first = await run.attempt().scan(raw).toArray();
    await table.changeSchema([{ change: "add", column: "value", type: "double?" }]);
    await table.append([{ id: 2, day, value: 1 }]);
    expect(first).toEqual([{ id: 1n, day, value: null }]);
    expect(await run.attempt(2).scan(raw).toArray()).toEqual(first);
  });

  it("read nothing for the first time when they are over", async () => {
    const late = run.attempt(1, "2024-01", true).scan(raw).toArray();
    await expect(late).rejects.toMatchObject(
      refused("step-over", "step 'load' reads 'lake.raw' after its attempt was over"),
    );
    expect(run.records.reads).toEqual([]);
  });

  it("are told which snapshot was expired that they would read", async () => {
    const snapshot = await run.attempt(1, "other").append(raw, [{ id: 1, day }]);
    await run.attempt().scan(raw).toArray();
    await run.attempt(1, "another").append(raw, [{ id: 2, day }]);
    const table = await run.catalog.loadTable("lake.raw");
    await table.maintenance.expireSnapshots({ keepLast: 1, olderThan: new Date() });
    await expect(run.attempt(2).scan(raw).toArray()).rejects.toMatchObject(
      refused("snapshot-expired", `snapshot ${snapshot} of 'lake.raw', which step 'load' read first, was expired`),
    );
  });

  it("are told so where the table that they would read was dropped, and not given an empty one", async () => {
    const snapshot = await run.attempt(1, "other").append(raw, [{ id: 1, day }]);
    await run.attempt().scan(raw).toArray();
    await run.catalog.dropTable("lake.raw");
    const sentence = `snapshot ${snapshot} of 'lake.raw', which step 'load' read first, is gone with its table`;
    const again = run.attempt(2).scan(raw);
    await expect(again.toArray()).rejects.toMatchObject(refused("snapshot-expired", sentence));
    await expect(again.files()).rejects.toMatchObject(refused("snapshot-expired", sentence));
  });

  it("commit once what an attempt before them committed, each of several commits", async () => {
    const tried = async (attempt: number) => {
      const ctx = run.attempt(attempt);
      const first = await ctx.append(clean, [{ id: 1, day }]);
      return [first, await ctx.append(clean, [{ id: 2, day }])];
    };
    const first = await tried(1);
    expect(await tried(2)).toEqual(first);
    expect(await run.rows("lake.clean")).toHaveLength(2);
    expect(run.records.commits.map(({ number, snapshot }) => [number, snapshot])).toEqual([
      [1, first[0]],
      [2, first[1]],
      [1, first[0]],
      [2, first[1]],
    ]);
  });

  it("that find a commit made have read what it was made from", async () => {
    await run.attempt(1, "other").append(raw, [{ id: 1, day }]);
    const readsOf = (attempt: number) =>
      new Map(run.records.reads.filter((r) => r.attempt === attempt).map((read) => [read.dataset, read.snapshot]));
    const first = run.attempt(1);
    await first
      .scan("by.name")
      .toArray()
      .catch(() => []);
    await first.append(clean, first.sql`select id, day, 'x' as note from ${first.scan(raw)}`);
    expect([...readsOf(1).keys()]).toEqual(["by.name", "lake.raw"]);
    await run.attempt(2).append(clean, []);
    expect(readsOf(2)).toEqual(readsOf(1));
  });

  it("commit once also where they do so at the same time", async () => {
    const snapshots = await Promise.all(
      [1, 2, 3].map((attempt) => run.attempt(attempt).append(clean, [{ id: 1, day }])),
    );
    expect(new Set(snapshots).size).toBe(1);
    expect(await run.rows("lake.clean")).toHaveLength(1);
  });

  it("are refused another commit in the place of one that landed", async () => {
    await run.attempt().overwrite(clean, [{ id: 1, day }], { where: { day } });
    await expect(run.attempt(2).append(clean, [{ id: 1, day }])).rejects.toMatchObject(
      refused(
        "commits-differ",
        "commit 1 of step 'load' appends to 'lake.clean', and that of an earlier attempt overwrites 'lake.clean' where day is 2024-01-31",
      ),
    );
  });

  it("are refused it also where that landed while their own was under way", async () => {
    const rows = async function* () {
      await run.attempt().append(clean, [{ id: 1, day }]);
      yield { id: 2, day: Day(day) };
    };
    await expect(run.attempt(2).overwrite(clean, rows(), { where: { day } })).rejects.toMatchObject(
      refused("commits-differ", "commit 1 of step 'load' overwrites 'lake.clean' where day is 2024-01-31"),
    );
  });

  it("of another run commit anew", async () => {
    await run.attempt().append(clean, [{ id: 1, day }]);
    await using other = new TestRun(run.location);
    await other.attempt().append(clean, [{ id: 1, day }]);
    expect(await run.rows("lake.clean")).toHaveLength(2);
  });
});

describe("an overwrite", () => {
  it("replaces exactly the rows whose columns equal where, also by none", async () => {
    await run.attempt(1, "a").append(clean, [
      { id: 1, day },
      { id: 2, day: "2024-02-01" },
    ]);
    await run.attempt(1, "b").overwrite(clean, [{ id: 3, day }], { where: { day } });
    expect(await run.rows("lake.clean")).toMatchObject([{ id: 2n }, { id: 3n }]);
    await run.attempt(1, "c").overwrite(clean, [], { where: { day } });
    expect(await run.rows("lake.clean")).toMatchObject([{ id: 2n }]);
  });

  it("of the same rows by several runs at once leaves those of one of them", async () => {
    const runs = Array.from({ length: 4 }, () => new TestRun(run.location));
    await run.attempt().append(clean, [{ id: 9, day }]);
    await Promise.all(
      runs.map((one, i) =>
        one.attempt().overwrite(
          clean,
          [
            { id: i * 10 + 1, day },
            { id: i * 10 + 2, day },
          ],
          { where: { day } },
        ),
      ),
    );
    const ids = (await run.rows("lake.clean")).map((row) => Number((row as { id: bigint }).id));
    expect(ids).toHaveLength(2);
    expect(ids[1]! - ids[0]!).toBe(1);
    expect((await run.catalog.loadTable("lake.clean")).snapshots()).toHaveLength(5);
    for (const one of runs) await one[Symbol.asyncDispose]();
  });

  it("refuses rows that it doesn't replace", async () => {
    const written = run.attempt().overwrite(clean, [{ id: 1, day: "2024-02-01" }], { where: { day } });
    await expect(written).rejects.toMatchObject(
      refused("rows-misfit", "the overwrite replaces only rows where day is 2024-01-31 (row 1)"),
    );
  });
});

describe("a table that isn't as its dataset is declared", () => {
  it("is given columns that it lacks and that may be null", async () => {
    await made({ id: "long", day: "date" });
    await (await run.catalog.loadTable("lake.raw")).append([{ id: 1, day }]);
    expect(await run.attempt(1, "reader").scan(raw).toArray()).toEqual([{ id: 1n, day, value: null }]);
    expect(await run.attempt(1, "reader").scan(raw).columns("value", "id").toArray()).toEqual([
      { value: null, id: 1n },
    ]);
    expect(await run.attempt(1, "reader").scan(raw).columns("value").toArray()).toEqual([{ value: null }]);
    expect(() =>
      run
        .attempt()
        .scan(raw)
        .columns("mm" as never),
    ).toThrow("'mm' isn't a column here: there are id, day, value");
    await run.attempt().append(raw, [{ id: 2, day, value: 2 }]);
    expect(await run.rows("lake.raw")).toEqual([
      { id: 1n, day, value: null },
      { id: 2n, day, value: 2 },
    ]);
  });

  it("is read without the columns that it has besides, and not written to", async () => {
    const table = await made({ id: "long", day: "date", value: "double?", note: "string?" });
    await table.append([{ id: 1, day, value: 2, note: "x" }]);
    expect(await run.attempt().scan(raw).toArray()).toEqual([{ id: 1n, day, value: 2 }]);
    const sentence = "note is only in the table";
    await expect(run.attempt().append(raw, [])).rejects.toMatchObject(refused("table-drifted", sentence));
  });

  it("is refused with what differs", async () => {
    await made({ id: "int", day: "date", value: "double?" });
    const sentence = "id is long as it is declared and int in the table";
    await expect(run.attempt().append(raw, [])).rejects.toMatchObject(refused("table-drifted", sentence));
    await expect(run.attempt().scan(raw).toArray()).rejects.toMatchObject(refused("table-drifted", sentence));
  });
});

it("a dataset that is only named has the columns that its table has, or is given", async () => {
  const ctx = run.attempt();
  await expect(ctx.append("by.name", [{ n: 1 }])).rejects.toMatchObject(
    refused("table-missing", "there is no table 'by.name' yet, and no columns that it could be made with"),
  );
  expect(await ctx.ensureTable("by.name", { id: "int" })).toMatchObject({ snapshot: undefined });
  await run.attempt(2).append("by.name", [{ id: 1 }]);
  expect(await run.attempt(1, "other").scan("by.name").toArray()).toEqual([{ id: 1 }]);
});
