// An overwrite says which rows it replaces, by values of columns.
import { mapped, type Day } from "orcajs";
import { clean, nested } from "../shared/tables.ts";

mapped("m", { writes: [clean, nested, "by.name"] }, async (ctx, day: Day) => {
  const rows = [{ id: 1, day, value: 1 }];
  await ctx.overwrite(clean, rows, { where: { day } }); // fine
  await ctx.overwrite(clean, ctx.sql`select 1`, { where: { day: "2024-01-31", note: null, id: 1 } }); // fine
  await ctx.overwrite("by.name", [{ x: 1 }], { where: { anything: day } }); // fine
  await ctx.overwrite(clean, rows); // tsc: Expected 3 arguments, but got 2
  await ctx.overwrite(clean, rows, {}); // tsc: Property 'where' is missing
  await ctx.overwrite(clean, rows, { where: { dya: day } }); // tsc: 'dya' does not exist in type
  await ctx.overwrite(clean, rows, { where: { day: "today" } }); // tsc: Type '"today"' is not assignable to type '`${number}-${number}-${number}` | Day'
  await ctx.overwrite(clean, rows, { where: { id: null } }); // tsc: Type 'null' is not assignable to type 'number | bigint'
  await ctx.overwrite(clean, rows, { where: { day: undefined } }); // tsc: Type 'undefined' is not assignable to type
  await ctx.overwrite(clean, rows, { whre: { day } }); // tsc: Did you mean to write 'where'?
  await ctx.overwrite(nested, [], { where: { id: 1 } }); // fine
  await ctx.overwrite(nested, [], { where: { counts: new Map() } }); // tsc: 'counts' does not exist in type
  await ctx.overwrite(nested, [], { where: { tags: ["x"] } }); // tsc: 'tags' does not exist in type
  await ctx.overwrite(nested, [], { where: { place: { lat: 1 } } }); // tsc: 'place' does not exist in type
  const texts = rows.map((r) => ({ ...r, id: "1" }));
  // error: rows don't fit lake.clean: id takes bigint or number, not string
  await ctx.overwrite(clean, texts, { where: { day } });
});
