// Three steps over months: the smallest pipeline that shows mapped and gather steps, a retry and a schedule.
import { cron, gather, mapped, Month, monthly, pipeline } from "orcajs";

export const days = mapped("days", async (_ctx, month: Month) => ({ month, days: Month.days(month).length }));

export const measure = mapped("measure", { after: days, retries: 2, timeout: "10m" }, async (ctx, m) => {
  ctx.log(`${m.month} has ${m.days} days (attempt ${ctx.attempt})`);
  return { ...m, hours: m.days * 24 };
});

export const total = gather("total", { after: measure }, async (_ctx, ms) => ms.reduce((sum, m) => sum + m.hours, 0));

export default pipeline("toy", {
  steps: [days, measure, total],
  partitions: monthly("2024-01"), // every month from January 2024
  schedule: cron("0 3 2 * *"), // 03:00 UTC on the 2nd
  fills: "previous", // ... for the month before
  maxRuns: 2,
  runRetries: 3,
});
