// A row has no other columns than its table.
import { mapped, type Day } from "orcajs";
import { clean, other, raw } from "../shared/tables.ts";

mapped("m", { reads: [raw], writes: [clean, other] }, async (ctx, day: Day) => {
  await ctx.append(clean, [
    { id: 1, day, value: 1 }, // fine
    { id: 2, day, value: 2, vlaue: 1 }, // tsc: 'vlaue' does not exist in type
  ]);
  await ctx.append(clean, [{ id: 1, dya: day, value: 1 }]); // tsc: 'dya' does not exist in type
  const rows = [{ id: 1, name: "x" }];
  await ctx.append(other, rows); // error: rows don't fit lake.other: name isn't a column
  // error: rows don't fit lake.other: day isn't a column
  // and: rows don't fit lake.other: value isn't a column
  await ctx.append(other, ctx.scan(raw));
  await ctx.append(other, ctx.scan(raw).columns("id")); // fine
});
