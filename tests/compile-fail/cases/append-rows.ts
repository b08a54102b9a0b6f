// Rows come as an array, an iterable, Arrow, a scan or a query, and their columns are known.
import { RecordBatch, tableFromArrays } from "apache-arrow";
import { mapped, type Day, type Row } from "orcajs";
import { other } from "../shared/tables.ts";

async function* numbered() {
  yield { id: 1 };
}
async function* texts() {
  yield { id: "1" };
}
async function* batches(given: readonly RecordBatch[]) {
  yield* given;
}
mapped("m", { reads: [other], writes: [other, "by.name"] }, async (ctx, _day: Day) => {
  await ctx.append(other, { id: 1 }); // error: rows come as an array, an iterable, Arrow, a scan or a query
  await ctx.append(other, ctx.scan(other).toArray()); // error: the rows are a promise: await it
  await ctx.append(other, texts()); // error: rows don't fit lake.other: id takes bigint or number, not string
  await ctx.append(other, new Set(["1"])); // error: rows don't fit lake.other: they're string
  await ctx.append(other, [] as Row[]); // error: rows don't fit lake.other: their columns aren't known
  await ctx.append(other, [] as unknown[]); // error: rows don't fit lake.other: they're unknown
  const named = ctx.sql<{ id: string }>`select '1' as id`;
  await ctx.append(other, named); // error: rows don't fit lake.other: id takes bigint or number, not string
  await ctx.append("by.name", [1]); // tsc: Type 'number' is not assignable to type 'object'

  await ctx.append(other, [{ id: 1 }]); // fine
  await ctx.append(other, await ctx.scan(other).toArray()); // fine
  await ctx.append(other, numbered()); // fine
  await ctx.append(other, new Set([{ id: 1 }])); // fine
  await ctx.append(other, ctx.scan(other)); // fine
  await ctx.append(other, ctx.sql<{ id: bigint }>`select 1 as id`); // fine
  await ctx.append(other, ctx.sql`select '1' as id`); // fine: untyped, and checked when it runs
  await ctx.append(other, JSON.parse("[]")); // fine: any, and checked at run time
  await ctx.append("by.name", [{ anything: 1 }]); // fine
  const arrow = tableFromArrays({ id: new Int32Array([1]) });
  await ctx.append(other, arrow); // fine: its columns are checked at run time
  await ctx.append(other, [arrow.batches[0]!]); // fine
  await ctx.append(other, arrow.batches); // fine
  await ctx.append(other, batches(arrow.batches)); // fine
  await ctx.append("by.name", arrow); // fine
});
