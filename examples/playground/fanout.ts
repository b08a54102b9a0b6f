// Distributed tasks: a step hands its month's days to workers, and goes on with their results.
import { setTimeout as sleep } from "node:timers/promises";
import { Day, gather, mapped, Month, monthly, pipeline, task } from "orcajs";
import { firstDay } from "./datasets.ts";

export const trips = task("trips", async (day: Day) => {
  await sleep(40);
  return Day.date(day) * 1_000;
});

export const listed = mapped("listed", async (_ctx, month: Month) => Month.days(month));

export const counted = mapped("counted", { after: listed, tasks: [trips] }, async (ctx, days) => {
  const counts = await Promise.all(days.map((day) => ctx.remote(trips, day)));
  return counts.reduce((sum, count) => sum + count, 0);
});

export const all = gather("all", { after: counted }, async (_ctx, months) => months.reduce((sum, n) => sum + n, 0));

export default pipeline("fanout", { steps: [listed, counted, all], partitions: monthly(Month(firstDay.slice(0, 7))) });
