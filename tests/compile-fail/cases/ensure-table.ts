// A dataset's table is made with its columns, and one known by its name with those given.
import { mapped, type Day } from "orcajs";
import { clean } from "../shared/tables.ts";

mapped("m", { writes: [clean, "by.name"] }, async (ctx, _day: Day) => {
  await ctx.ensureTable(clean); // fine
  await ctx.ensureTable("by.name", { id: "long", day: "date?" }); // fine
  await ctx.ensureTable(clean, { id: "long" }); // tsc: Expected 1 arguments, but got 2
  await ctx.ensureTable("by.name"); // tsc: Expected 2 arguments, but got 1
  await ctx.ensureTable("by.name", { id: "lng" }); // tsc: Type '"lng"' is not assignable to type 'ColumnType'
});
