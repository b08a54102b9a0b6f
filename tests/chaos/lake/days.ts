// Days of a source are copied by an overwrite, and two steps append them to one table at the same time. Rows say which run wrote them.
import { daily, type Day, mapped, pipeline } from "orcajs";
import { clean, raw, source } from "./datasets.ts";

const copy = mapped("copy", { reads: [source], writes: [clean], retries: 2 }, async (ctx, day: Day) => {
  const { id: run = 0 } = ctx.run;
  const all = ctx.scan(source);
  const rows = ctx.sql`
    select day, n, ${run}::int as part, (select count(*) from ${all}) as seen from ${all} where day = ${day}`;
  await ctx.overwrite(clean, rows, { where: { day } });
});

const left = mapped("left", { writes: [raw], retries: 2 }, async (ctx, day: Day) => {
  await ctx.append(raw, [{ day, n: 1, part: ctx.run.id ?? 0, seen: 0 }]);
});
const right = mapped("right", { writes: [raw], retries: 2 }, async (ctx, day: Day) => {
  await ctx.append(raw, [{ day, n: 2, part: ctx.run.id ?? 0, seen: 0 }]);
});

export default pipeline("days", { steps: [copy, left, right], partitions: daily("2024-01-01") });
