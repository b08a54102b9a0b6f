// A sensor: whenever days of flights are cleaned, the delays of their month are added up anew.
import { mapped, Month, monthly, pipeline } from "orcajs";
import { clean, delays, firstDay } from "./datasets.ts";

export const added = mapped("added", { reads: [clean], writes: [delays] }, (ctx, month: Month) => {
  const rows = ctx.sql`
    select ${month} as month, origin, count(*) as flights, sum(delay)::bigint as minutes
    from ${ctx.scan(clean)}
    where day >= ${Month.start(month)} and day < ${Month.start(Month.next(month))}
    group by origin`;
  return ctx.overwrite(delays, rows, { where: { month } });
});

export const ranked = mapped("ranked", { after: added, reads: [delays] }, async (ctx) => {
  const { partition: month } = ctx;
  const airports = await ctx.sql<{ origin: string; mean: number }>`
    select origin, sum(minutes) / sum(flights) as mean from ${ctx.scan(delays, { where: { month } })}
    group by origin having sum(flights) >= 100 order by mean desc limit 5`.toArray();
  for (const { origin, mean } of airports) ctx.log(`${origin} ${mean.toFixed(1)} min late on average`);
  return airports.map(({ origin, mean }) => ({ origin, mean: Math.round(mean * 10) / 10 }));
});

export default pipeline("flights_report", {
  steps: [added, ranked],
  partitions: monthly(Month(firstDay.slice(0, 7))),
  sensor: true,
});
