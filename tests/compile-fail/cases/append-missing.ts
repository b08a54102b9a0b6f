// A row has every column that isn't nullable.
import { mapped, type Day } from "orcajs";
import { clean } from "../shared/tables.ts";

mapped("m", { writes: [clean] }, async (ctx, day: Day) => {
  await ctx.append(clean, [{ id: 1, day }]); // tsc: Property 'value' is missing
  const rows = [{ id: 1, day }];
  await ctx.append(clean, rows); // error: rows don't fit lake.clean: value is missing
  await ctx.append(clean, [{ id: 1, day, value: 1 }]); // fine
  await ctx.append(clean, [{ id: 2n, day: "2024-01-31", value: 1, note: null }]); // fine
  await ctx.append(clean, [{ id: 3, day, value: 1, note: undefined }]); // fine
});
