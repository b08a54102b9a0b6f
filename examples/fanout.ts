// Distributed tasks: a step hands its month's days to workers, and goes on with their results.
import { Day, gather, mapped, Month, monthly, pipeline, task } from "orcajs";

export const trips = task("trips", async (day: Day) => Day.date(day) * 1000);
export const add = task("add", async (a: number, b: number) => a + b);

export const monthTrips = mapped("month_trips", { tasks: [trips, add] }, async (ctx, month: Month) => {
  const counts = Month.days(month).map((day) => ctx.remote(trips, day)); // a ref each, at once
  const firstTwo = ctx.remote(add, counts[0]!, counts[1]!); // refs go to another call as they are
  ctx.log(`first two days: ${await firstTwo}`);
  return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0);
});

export const allTrips = gather("all_trips", { after: monthTrips }, async (_ctx, months) =>
  months.reduce((sum, n) => sum + n, 0),
);

export default pipeline("fanout", { steps: [monthTrips, allTrips], partitions: monthly("2011-01") });
