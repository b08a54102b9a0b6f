import { randomUUID } from "node:crypto";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createTable, openTable } from "@orcajs/iceberg";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Ctx } from "../../core/ctx.ts";
import { dataset } from "../../core/datasets/dataset.ts";
import { defineStep } from "../../core/step-definition.ts";
import { day, raw, TestRun } from "./warehouse-tables.fixture.ts";

let folder: string;
let run: TestRun;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "orca-located-"));
  run = new TestRun();
});
afterEach(async () => {
  await run[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A step that reads and writes a table in the folder, by a location with columns and by one without. */
function stepAt(location: string) {
  const rain = dataset(location as `${string}/rain`, { id: "long", mm: "double?" }, { doc: "Elsewhere." });
  const step = defineStep("mapped", "load", [{ reads: [rain, raw], writes: [rain, raw] }, () => 1]);
  type Used = typeof rain | typeof raw;
  return { rain, ctx: (attempt = 1) => run.attemptOf(step, attempt) as unknown as Ctx<Used, Used> };
}

async function rowsAt(location: string): Promise<readonly unknown[]> {
  await using table = await openTable(location);
  return await table.scan().toArray();
}

it("a table outside the warehouse is made by the first write as its dataset declares it, and recorded by its location", async () => {
  const location = `${folder}/rain`;
  const { rain, ctx } = stepAt(location);
  const snapshot = await ctx().append(rain, [{ id: 1, mm: 0.5 }]);
  await using table = await openTable(location);
  expect(table.properties).toMatchObject({ comment: "Elsewhere." });
  expect(await rowsAt(location)).toEqual([{ id: 1n, mm: 0.5 }]);
  expect(run.records.commits).toEqual([
    {
      number: 1,
      dataset: location,
      location,
      snapshot,
      operation: "append",
      code: "0xabc",
      rowsAdded: 1,
      rowsTotal: 1,
    },
  ]);
});

it("a commit to one lands once, and its snapshot says what was read of others", async () => {
  const { rain, ctx } = stepAt(`${folder}/rain`);
  await ctx(1).append(raw, [{ id: 7, day }]);
  const append = async (attempt: number) => {
    const context = ctx(attempt);
    await context.append(raw, [{ id: 7, day }]); // of the same place as the one before
    return await context.append(rain, context.sql`select id, 1.5 as mm from ${context.scan(raw)}`);
  };
  expect(await append(2)).toBe(await append(3));
  await using table = await openTable(`${folder}/rain`);
  expect(table.snapshots().map((s) => s.summary?.["orca.reads"])).toEqual([
    `lake.raw@${run.records.reads[0]!.snapshot}`,
  ]);
});

it("one is in the same query as tables of the warehouse, each read at the snapshot of the first attempt", async () => {
  const location = `${folder}/rain`;
  const { rain, ctx } = stepAt(location);
  await using table = await createTable(location, { columns: { id: "long", mm: "double?" } });
  await table.append([{ id: 7, mm: 2 }]);
  await run.attempt(1, "other").append(raw, [{ id: 7, day }]);
  const joined = async (attempt: number) => {
    const context = ctx(attempt);
    return await context.sql`select r.id, mm from ${context.scan(raw)} r join ${context.scan(rain)} using (id)`.toArray();
  };
  expect(await joined(1)).toEqual([{ id: 7n, mm: 2 }]);
  await table.append([{ id: 7, mm: 3 }]);
  expect(await joined(2)).toEqual([{ id: 7n, mm: 2 }]);
  expect(run.records.reads.find((read) => read.dataset === location)).toMatchObject({ location });
  expect(await ctx().table(rain)).toMatchObject({ location, snapshot: table.scan().snapshot!["snapshot-id"] });
});

it("one that isn't there is empty if its columns are known", async () => {
  const { rain, ctx } = stepAt(`${folder}/rain`);
  expect(await ctx().scan(rain).toArray()).toEqual([]);
  await expect(ctx().table(rain)).rejects.toMatchObject({
    code: "table-missing",
    message: `there is no table '${folder}/rain' yet`,
  });
});

it("one of a catalog's is read, and not written but by its catalog", async () => {
  const location = `${folder}/rain`;
  const { rain, ctx } = stepAt(location);
  await using table = await createTable(location, { columns: { id: "long", mm: "double?" } });
  await table.append([{ id: 1, mm: 2 }]);
  const metadata = `${location}/metadata`;
  await rename(`${metadata}/v2.metadata.json`, `${metadata}/00002-${randomUUID()}.metadata.json`);
  await Promise.all(["v1.metadata.json", "version-hint.text"].map((name) => rm(`${metadata}/${name}`)));
  expect(await ctx().scan(rain).toArray()).toEqual([{ id: 1n, mm: 2 }]);
  await expect(ctx().append(rain, [{ id: 2 }])).rejects.toMatchObject({ code: "read-only" });
});
