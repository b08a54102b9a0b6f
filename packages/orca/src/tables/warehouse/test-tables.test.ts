import { describe, expect, it } from "vitest";
import { dataset } from "../../core/datasets/dataset.ts";
import { attempt, clean, day, kinds, raw, refused, rowsOf, tables } from "./test-tables.fixture.ts";

describe("an append", () => {
  it("adds rows as one snapshot, as they are read back", async () => {
    const ctx = attempt();
    const first = await ctx.append(clean, [{ id: 1, day }]);
    const second = await ctx.append(clean, new Set([{ id: 2n, day, note: "x" }] as const));
    expect([typeof first, first === second]).toEqual(["bigint", false]);
    expect(await rowsOf("lake.clean")).toEqual([
      { id: 1n, day, note: null },
      { id: 2n, day, note: "x" },
    ]);
  });

  it("of rows that don't all fit adds none of them", async () => {
    const rows = [
      { id: 1, day },
      { id: "2", day },
    ];
    await expect(attempt().append(clean, rows as never)).rejects.toThrow(
      refused("rows-misfit", "rows don't fit lake.clean: id takes bigint or number, not string (row 2)"),
    );
    expect(await attempt().table(clean)).toMatchObject({ snapshot: undefined });
  });

  it("of a promise, or of what gives no rows, is refused", async () => {
    const appended = (rows: unknown) => attempt().append(clean, rows as never);
    for (const rows of [Promise.resolve([]), Promise.reject(new Error("its rejection is handled"))])
      await expect(appended(rows)).rejects.toThrow(refused("rows-misfit", "the rows are a promise: await it"));
    for (const rows of [{ id: 1 }, null, undefined, "text", 1])
      await expect(appended(rows)).rejects.toThrow(
        refused("rows-misfit", "rows come as an array, an iterable, Arrow, a scan or a query"),
      );
  });

  it("takes rows that are made while it goes on, also of one object", async () => {
    async function* counted() {
      const row = { id: 0, day } as const;
      for (const id of [1, 2, 3]) yield Object.assign(row, { id });
    }
    await attempt().append(clean, counted());
    expect((await rowsOf("lake.clean")).map((row) => row["id"])).toEqual([1n, 2n, 3n]);
  });
});

describe("an attempt", () => {
  it("reads what the first one read, whatever was committed since", async () => {
    await tables.fill(raw, [{ id: 1, day }]);
    const first = attempt().scan(raw);
    const before = await first.toArray();
    await tables.fill(raw, [{ id: 2, day }]);
    const second = attempt().scan(raw);
    expect(await second.toArray()).toEqual(before);
    expect(await second.snapshot()).toBe(await first.snapshot());
    expect(await attempt("2024-02").scan(raw).toArray()).toHaveLength(2);
  });

  it("pins a table when it is first read, not when it is scanned", async () => {
    const scan = attempt().scan(raw);
    const narrow = scan.columns("id");
    await tables.fill(raw, [{ id: 1, day }]);
    expect(await narrow.toArray()).toEqual([{ id: 1n }]);
    await tables.fill(raw, [{ id: 2, day }]);
    expect(await scan.toArray()).toEqual([{ id: 1n, day, value: null }]);
  });

  it("reads no table that isn't there yet as one without a snapshot", async () => {
    const scan = attempt().scan(raw);
    expect(await scan.toArray()).toEqual([]);
    expect(await scan.snapshot()).toBeUndefined();
    // also one that is only named, whose columns nobody knows
    const named = attempt().scan("by.name");
    expect([await named.toArray(), await named.columns("n").toArray(), await named.files()]).toEqual([[], [], []]);
    const ctx = attempt();
    await expect(ctx.sql`select n from ${ctx.scan("by.name")}`.toArray()).rejects.toThrow(
      "there is no table 'by.name' yet",
    );
  });

  it("commits once what an attempt before it committed", async () => {
    const tried = async () => {
      const ctx = attempt();
      const first = await ctx.append(clean, [{ id: 1, day }]);
      const second = await ctx.append(clean, [{ id: 2, day }]);
      return [first, second];
    };
    const snapshots = await tried();
    expect(new Set(snapshots).size).toBe(2);
    expect(await tried()).toEqual(snapshots);
    expect(await rowsOf("lake.clean")).toHaveLength(2);
  });

  it("commits what the one before it failed to", async () => {
    const first = attempt();
    const snapshot = await first.append(clean, [{ id: 1, day }]);
    await expect(first.append(clean, [{ id: "2", day }] as never)).rejects.toThrow("row 1");
    const second = attempt();
    expect(await second.append(clean, [{ id: 1, day }])).toBe(snapshot);
    expect(await second.append(clean, [{ id: 2, day }])).not.toBe(snapshot);
    expect(await rowsOf("lake.clean")).toHaveLength(2);
  });

  it("commits once what an attempt before it left going on", async () => {
    const go = Promise.withResolvers<void>();
    async function* rows() {
      yield { id: 1, day } as const;
      await go.promise;
    }
    const left = attempt().append(clean, rows());
    const again = attempt().append(clean, rows());
    go.resolve();
    expect(await left).toBe(await again);
    expect(await rowsOf("lake.clean")).toHaveLength(1);
  });

  it("makes its commits in the order of the attempt before it, or is refused the other's snapshot", async () => {
    const where = { day } as const;
    const order = "a step must make its commits in the same order at every attempt";
    await attempt().ensureTable("by.name", { id: "long" });
    await attempt().append(clean, [{ id: 1, day }]);
    await expect(attempt().append("by.name", [{ id: 1 }])).rejects.toThrow(
      refused(
        "commits-differ",
        `commit 1 of step 's' appends to 'by.name', and that of an earlier attempt appends to 'lake.clean': ${order}`,
      ),
    );
    await expect(attempt().overwrite(clean, [], { where })).rejects.toThrow(
      refused(
        "commits-differ",
        `commit 1 of step 's' overwrites 'lake.clean' where day is 2024-01-31, and that of an earlier attempt appends to 'lake.clean': ${order}`,
      ),
    );
    expect([await rowsOf("by.name"), await rowsOf("lake.clean")]).toEqual([[], [{ id: 1n, day, note: null }]]);
    const first = await attempt("2024-02").overwrite(clean, [], { where });
    const elsewhere = attempt("2024-02").overwrite(clean, [], { where: { day: "2024-01-30" } });
    await expect(elsewhere).rejects.toThrow(refused("commits-differ", expect.stringContaining(order) as string));
    expect(await attempt("2024-02").overwrite(clean, [], { where })).toBe(first);
  });

  it("commits elsewhere what the one before it failed to", async () => {
    await expect(attempt().append(clean, [{ id: "1", day }] as never)).rejects.toThrow("row 1");
    const ctx = attempt();
    await ctx.ensureTable("by.name", { id: "long" });
    await ctx.append("by.name", [{ id: 1 }]);
    expect(await rowsOf("by.name")).toEqual([{ id: 1n }]);
  });

  it("commits on its own for its partition", async () => {
    await attempt("2024-01").append(clean, [{ id: 1, day }]);
    await attempt("2024-02").append(clean, [{ id: 1, day }]);
    expect(await rowsOf("lake.clean")).toHaveLength(2);
  });
});

describe("SQL over scans", () => {
  it("has of a scan the columns that it is narrowed to", async () => {
    await tables.fill(raw, [{ id: 1, day, value: 2 }]);
    const ctx = attempt();
    expect(await ctx.sql`select * from ${ctx.scan(raw).columns("value", "id")}`.toArray()).toEqual([
      { value: 2, id: 1n },
    ]);
  });

  it("compares days with parameters that are text", async () => {
    await tables.fill(raw, [
      { id: 1, day },
      { id: 2, day: "2024-01-30" },
    ]);
    const ctx = attempt();
    expect(await ctx.sql`select id from ${ctx.scan(raw)} where day = ${day}`.toArray()).toEqual([{ id: 1n }]);
  });

  it("is appended with its values cast where each fits, and refused where one doesn't", async () => {
    const ctx = attempt();
    await ctx.ensureTable("by.name", { n: "int" });
    await ctx.append("by.name", ctx.sql`select count(*) as n from range(3)`);
    expect(await rowsOf("by.name")).toEqual([{ n: 3 }]);
    for (const query of [ctx.sql`select ${2n ** 31n} as n`, ctx.sql`select 'x' as n`, ctx.sql`select 1 as m`])
      await expect(ctx.append("by.name", query)).rejects.toThrow(
        refused("rows-misfit", expect.stringContaining("rows don't fit by.name: ") as string),
      );
    await expect(ctx.append("by.name", ctx.sql`select * from nothing`)).rejects.toThrow(
      refused("sql-misfit", expect.stringContaining("SQL failed: ") as string),
    );
  });
});

describe("a step", () => {
  const undeclared = (list: string) => refused("undeclared", `'lake.other' isn't in this step's ${list}`);

  it("reaches no table that it hasn't declared", async () => {
    const ctx = attempt() as any;
    expect(() => ctx.scan("lake.other")).toThrow(undeclared("reads"));
    expect(() => ctx.scan(kinds)).toThrow(refused("undeclared", "'lake.kinds' isn't in this step's reads"));
    await expect(ctx.append("lake.other", [])).rejects.toThrow(undeclared("writes"));
    await expect(ctx.overwrite("lake.other", [], { where: {} })).rejects.toThrow(undeclared("writes"));
    await expect(ctx.append(raw, [])).rejects.toThrow(refused("undeclared", "'lake.raw' isn't in this step's writes"));
    await expect(ctx.table("lake.other")).rejects.toThrow(undeclared("reads or writes"));
    await expect(ctx.ensureTable("lake.other", { id: "long" })).rejects.toThrow(undeclared("writes"));
  });

  it("reaches none under a name that it declared with other columns", async () => {
    const other = dataset("lake.raw", { id: "long" });
    expect(() => attempt().scan(other)).toThrow(
      refused(
        "invalid-dataset",
        "step 's' and the dataset that it scans declare 'lake.raw' with other columns: day is only in the first; value is only in the first",
      ),
    );
  });

  it("reads rows that it may change, which no table is changed by", async () => {
    await tables.fill(raw, [{ id: 1, day }]);
    const [row] = await attempt().scan(raw).toArray();
    row!.id = 7n;
    for await (const again of attempt().scan(raw)) expect(again.id).toBe(1n);
  });

  it("is told of a column that a scan doesn't have", () => {
    const scan = attempt().scan(raw).columns("id", "day");
    const unknown = refused("invalid-dataset", "'value' isn't a column here: there are id, day");
    expect(() => scan.columns("value" as never)).toThrow(unknown);
  });

  it("is told of its tables, and makes those that there aren't", async () => {
    const ctx = attempt();
    expect(await ctx.ensureTable(clean)).toEqual({
      location: expect.stringMatching(/^memory:.*\/lake\/clean$/) as string,
      columns: clean.columns.map(({ doc, ...column }) => (doc === undefined ? column : { ...column, doc })),
      snapshot: undefined,
    });
    const made = await ctx.ensureTable("by.name", { id: "long" });
    expect(made.columns).toEqual([{ name: "id", type: { type: "long" }, nullable: false }]);
    await ctx.append("by.name", [{ id: 1 }]);
    expect(await rowsOf("by.name")).toEqual([{ id: 1n }]);
    const snapshot = await ctx.append(clean, [{ id: 1, day }]);
    expect((await ctx.table(clean)).snapshot).toBe(snapshot);
  });
});

describe("an attempt that is over", () => {
  it("writes nothing more", async () => {
    const late = attempt("2024-01", { isOver: true });
    await expect(late.append(clean, [])).rejects.toThrow(
      refused("step-over", "step 's' appends to 'lake.clean' after its attempt was over"),
    );
    expect(await attempt().table(clean)).toMatchObject({ snapshot: undefined });
  });

  it("has its queries interrupted", async () => {
    const stop = new AbortController();
    const { sql } = attempt("2024-01", { signal: stop.signal });
    const endless = sql`SELECT sum(a.range * b.range) AS x FROM range(10000000) a, range(10000000) b`.toArray();
    await sql`SELECT 1`.toArray();
    stop.abort(new Error("stopped"));
    await expect(endless).rejects.toThrow("stopped");
  });
});
