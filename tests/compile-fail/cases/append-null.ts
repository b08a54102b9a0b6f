// Only nullable columns take null, or may be left out.
import { mapped, type Day } from "orcajs";
import { clean, raw } from "../shared/tables.ts";

mapped("m", { reads: [raw], writes: [clean] }, async (ctx, day: Day) => {
  await ctx.append(clean, [{ id: 1, day, value: null }]); // tsc: Type 'null' is not assignable to type 'number'
  await ctx.append(clean, ctx.scan(raw)); // error: rows don't fit lake.clean: value takes number, not null
  const rows: { id: bigint; day: Day; value?: number }[] = [];
  await ctx.append(clean, rows); // error: rows don't fit lake.clean: value takes number, not undefined
  const whole = (await ctx.scan(raw).toArray()).flatMap(({ value, ...r }) => (value === null ? [] : [{ ...r, value }]));
  await ctx.append(clean, whole); // fine
});
