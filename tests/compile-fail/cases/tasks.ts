// A step calls only the tasks that it declares, with their arguments.
import { mapped, task, type Ctx, type Day } from "orcajs";

const trips = task("trips", async (_day: Day) => 1);
const add = task("add", async (a: number, b: number) => a + b);
async function addsUp(ctx: Ctx<never, never, typeof add>) {
  return await ctx.remote(add, 1, 2);
}

mapped("m", { tasks: [trips, add] }, async (ctx, day: Day) => {
  await addsUp(ctx); // fine
  await ctx.remote(add, ctx.remote(trips, day), 2); // fine: a call's result may be passed on as it is
  ctx.remote(add, ctx.remote(trips, day), "2"); // tsc: Argument of type 'string' is not assignable to parameter of type 'number | Ref<number>'
  ctx.remote(add, 1); // tsc: Expected 3 arguments, but got 2
  ctx.remote("add", 1, 2); // tsc: Argument of type '"add"' is not assignable to parameter of type
});
mapped("m", { tasks: [add] }, async (ctx, day: Day) => {
  ctx.remote(trips, day); // error: 'trips' isn't in this step's tasks
});
mapped("m", async (ctx, day: Day) => {
  ctx.remote(trips, day); // error: 'trips' isn't in this step's tasks
});
mapped("m", { tasks: [trips] }, async (ctx, _day: Day) => {
  await addsUp(ctx); // tsc: Property 'add' is missing in type 'Names<"trips">' but required in type 'Names<"add">'
});
