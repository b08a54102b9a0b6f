// A step scans only what it reads, and writes only what it declares to write.
import { mapped, type Ctx, type Day } from "orcajs";
import { clean, other, raw } from "../shared/tables.ts";

mapped("m", { reads: [raw, "lake.more"], writes: [clean] }, async (ctx, day: Day) => {
  ctx.scan(raw); // fine
  ctx.scan("lake.more"); // fine
  await ctx.append(clean, []); // fine
  await ctx.table(raw); // fine
  await ctx.table(clean); // fine
  await ctx.ensureTable(clean); // fine
  ctx.scan("lake.x"); // error: 'lake.x' isn't in this step's reads
  ctx.scan(other); // error: 'lake.other' isn't in this step's reads
  ctx.scan(clean); // error: 'lake.clean' isn't in this step's reads
  await ctx.append(raw, []); // error: 'lake.raw' isn't in this step's writes
  await ctx.overwrite(raw, [], { where: { day } }); // error: 'lake.raw' isn't in this step's writes
  await ctx.ensureTable(raw); // error: 'lake.raw' isn't in this step's writes
  await ctx.table("lake.x"); // error: 'lake.x' isn't in this step's reads or writes
});
mapped("m", { reads: ["s3://bucket/rain"] }, async (ctx, _day: Day) => {
  ctx.scan("s3://bucket/rain"); // fine
  ctx.scan("s3://bucket/wind"); // error: 's3://bucket/wind' isn't in this step's reads
});
mapped("m", async (ctx, _day: Day) => {
  ctx.scan("lake.raw"); // error: 'lake.raw' isn't in this step's reads
  ctx.scan(raw); // error: 'lake.raw' isn't in this step's reads
});
mapped("m", { reads: [3] }, async (_ctx, _day: Day) => 1); // tsc: Type 'number' is not assignable to type 'DatasetOrName'

async function helper(ctx: Ctx<typeof raw | typeof other>) {
  ctx.scan(other); // fine
  ctx.scan(clean); // error: 'lake.clean' isn't in this step's reads
}
mapped("m", { reads: [raw, other, clean] }, async (ctx, _day: Day) => helper(ctx)); // fine
// tsc: Property '"lake.other"' is missing in type 'Names<"lake.raw">' but required in type 'Names<"lake.other" | "lake.raw">'
mapped("m", { reads: [raw] }, async (ctx, _day: Day) => helper(ctx));
