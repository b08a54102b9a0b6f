import { existsSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { dataset } from "./core/datasets/dataset.ts";
import type { Month } from "./core/keys/month.ts";
import { monthly } from "./core/partitions.ts";
import { pipeline } from "./core/pipeline.ts";
import { gather, mapped } from "./core/step.ts";
import { runInMemory } from "./testing.ts";

const raw = dataset("lake.raw", { id: "long" });
const load = mapped("load", { retries: 1, writes: [raw] }, async (ctx, month: Month) => {
  if (month === "2024-02" || ctx.attempt === 1) throw new Error(`no ${month}`);
  return await ctx.append(raw, [{ id: 1 }]);
});
const total = gather("total", { after: load }, async (_ctx, snapshots) => snapshots.length);
const lake = pipeline("lake", { steps: [load, total], partitions: monthly("2024-01") });

describe("a pipeline run in memory", () => {
  it("has its outputs, attempts and rows", async () => {
    const run = await runInMemory(lake, { partitions: ["2024-01"], tables: [[raw, [{ id: 7 }]]] });
    expect(run.status).toBe("succeeded");
    expect([run.output(load, "2024-01"), run.output(total)]).toEqual([expect.any(BigInt), 1]);
    expect([run.attempts(load, "2024-01"), run.attempts(total)]).toEqual([2, 1]);
    expect(run.log).toEqual(["load/2024-01 attempt 1 failed: no 2024-01"]);
    expect(await run.rows(raw)).toEqual([{ id: 7n }, { id: 1n }]);
    expect(await Promise.all([run.rows("lake.raw"), run.rows(raw)])).toEqual([
      await run.rows(raw),
      await run.rows(raw),
    ]);
  });

  it("takes ranges, and throws what a step failed with, or why it was skipped", async () => {
    const run = await runInMemory(lake, { partitions: ["2024-01..2024-03"] });
    expect(run.status).toBe("failed");
    expect(run.output(load, "2024-03")).toBeTypeOf("bigint");
    expect(() => run.output(load, "2024-02")).toThrow("no 2024-02");
    expect(() => run.output(total)).toThrow("step 'total' was skipped: 'load', which it follows, didn't succeed");
    expect(run.attempts(total)).toBe(0);
  });

  it("says what there isn't in it", async () => {
    const run = await runInMemory(lake, { partitions: ["2024-01"] });
    expect(() => run.output(load, "2024-05")).toThrow("there is no step 'load' of 2024-05 in this run");
    expect(() => run.attempts(load)).toThrow(
      "no gather step 'load' in this run: of a mapped step, say which partition's",
    );
    await expect(run.rows("lake.rwa")).rejects.toThrow("there is no table 'lake.rwa'");
    await expect(runInMemory(lake, { partitions: [] })).rejects.toThrow("no partitions are given");
    await expect(runInMemory(undefined as never, { partitions: [] })).rejects.toThrow("runInMemory takes a pipeline");
  });

  it("has tables by their locations in memory, as all others", async () => {
    const stations = dataset("/data/stations", { id: "long" });
    const step = mapped("step", { reads: [stations], writes: [stations] }, async (ctx, _month: Month) => {
      await ctx.append(stations, [{ id: 2 }]);
      return (await ctx.scan(stations).toArray()).length;
    });
    const outside = pipeline("outside", { steps: [step], partitions: monthly("2024-01") });
    const tables = [[stations, [{ id: 1 }]]] as const;
    const run = await runInMemory(outside, { partitions: ["2024-01"], tables });
    expect(await run.rows(stations)).toEqual([{ id: 1n }, { id: 2n }]);
    expect(existsSync("/data/stations")).toBe(false);
  });

  it("has each of a step's commits once, however often the step is tried", async () => {
    const twice = mapped("twice", { retries: 2, writes: [raw] }, async (ctx, _month: Month) => {
      const first = await ctx.append(raw, [{ id: 1 }]);
      if (ctx.attempt === 1) throw new Error("between the two");
      const second = await ctx.append(raw, [{ id: 1 }]);
      if (ctx.attempt === 2) throw new Error("after both");
      return [first, second];
    });
    const both = pipeline("both", { steps: [twice], partitions: monthly("2024-01") });
    const run = await runInMemory(both, { partitions: ["2024-01", "2024-02"] });
    expect(run.status).toBe("succeeded");
    expect(run.attempts(twice, "2024-01")).toBe(3);
    const snapshots = ["2024-01", "2024-02"].flatMap((month) => run.output(twice, month));
    expect(new Set(snapshots).size).toBe(4);
    expect(await run.rows(raw)).toHaveLength(4);
  });

  it("commits files, too", async () => {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), "orca-files-"));
    const commits = mapped("commits", { writes: [raw], reads: [raw] }, async (ctx, month: Month) => {
      const file = path.join(folder.path, `${month}.parquet`);
      await ctx.sql`copy (select 7::bigint as id) to ${file} (format parquet)`.toArray();
      await ctx.commit(raw, { operation: "append", add: [file] });
      return (await ctx.scan(raw).files()).map((one) => [one.path, one.rowCount]);
    });
    const files = pipeline("files", { steps: [commits], partitions: monthly("2024-01") });
    const run = await runInMemory(files, { partitions: ["2024-01"] });
    expect(run.output(commits, "2024-01")).toEqual([[path.join(folder.path, "2024-01.parquet"), 1]]);
    expect(await run.rows(raw)).toEqual([{ id: 7n }]);
  });
});
