// A function that says itself what its context has declares nothing for the step.
import { gather, mapped, task, type Ctx, type Day, type GatherCtx, type MappedCtx } from "orcajs";
import { clean, raw } from "../shared/tables.ts";

const add = task("add", async (a: number, b: number) => a + b);
async function reads(ctx: MappedCtx<Day, "lake.raw">, _day: Day) {
  ctx.scan("lake.raw");
}
async function writes(ctx: Ctx<never, typeof clean>, day: Day) {
  await ctx.append(clean, [{ id: 1, day, value: 1 }]);
}
async function calls(ctx: Ctx<never, never, typeof add>, _day: Day) {
  await ctx.remote(add, 1, 2);
}
async function gathers(ctx: GatherCtx<Day, "lake.raw">, days: Day[]) {
  return [ctx.partitions.length, days.length];
}
async function plain(ctx: Ctx, n: number) {
  return n + ctx.attempt;
}

mapped("m", { reads: [raw, clean] }, reads); // fine
mapped("m", { reads: ["lake.raw"] }, reads); // fine
mapped("m", { writes: [clean] }, writes); // fine
mapped("m", { tasks: [add] }, calls); // fine
gather("g", { reads: [raw] }, gathers); // fine
mapped("m", { after: mapped("first", async (_ctx, _day: Day) => 1) }, plain); // fine

mapped("m", reads); // tsc: Property '"lake.raw"' is missing in type 'Names<never>' but required in type 'Names<"lake.raw">'
mapped("m", { retries: 1 }, reads); // tsc: Property '"lake.raw"' is missing in type 'Names<never>'
mapped("m", { reads: [clean] }, reads); // tsc: Property '"lake.raw"' is missing in type 'Names<"lake.clean">'
mapped("m", { reads: [clean] }, writes); // tsc: Property '"lake.clean"' is missing in type 'Names<never>'
mapped("m", { retries: 1 }, calls); // tsc: Property 'add' is missing in type 'Names<never>'
gather("g", { writes: [raw] }, gathers); // tsc: Property '"lake.raw"' is missing in type 'Names<never>'
