// Reads what the days' pipeline wrote: adds up each month's delays, and ranks the airports over all months of the run.
import { gather, mapped, Month, monthly, pipeline } from "orcajs";
import { clean, delays } from "./datasets.ts";

/** An airport with fewer flights has no telling average. */
const FLIGHTS_MIN = 1_000;

export const added = mapped("added", { reads: [clean], writes: [delays] }, (ctx, month: Month) => {
  const rows = ctx.sql`
    select ${month} as month, origin, count(*) as flights, sum(delay)::bigint as minutes
    from ${ctx.scan(clean)}
    where day >= ${Month.start(month)} and day < ${Month.start(Month.next(month))}
    group by origin`;
  return ctx.overwrite(delays, rows, { where: { month } });
});

export const worst = gather("worst", { after: added, reads: [delays] }, async (ctx) => {
  const airports = await ctx.sql<{ origin: string; mean: number; flights: bigint }>`
    select origin, sum(minutes) / sum(flights) as mean, sum(flights)::bigint as flights
    from ${ctx.scan(delays)}
    where month in ${ctx.partitions}
    group by origin having sum(flights) >= ${FLIGHTS_MIN}
    order by mean desc limit 10`.toArray();
  for (const { origin, mean, flights } of airports)
    ctx.log(`${origin}  ${mean.toFixed(2).padStart(6)} min late on average, of ${flights} flights`);
  return airports.map(({ origin, mean }) => ({ origin, mean: Math.round(mean * 100) / 100 }));
});

export default pipeline("report", { steps: [added, worst], partitions: monthly("2001-01") });
