// One that is retried: the service it asks fails at times. Its schedule has it run every minute.
import { cron, daily, Day, mapped, pipeline } from "orcajs";
import { firstDay } from "./datasets.ts";

export const asked = mapped("asked", { retries: 4 }, async (ctx, day: Day) => {
  ctx.log(`asking for ${day}, attempt ${ctx.attempt}`);
  if (Math.random() < 0.4) throw new Error("http 503 from the weather service: it is overloaded");
  return { day, celsius: Math.round(15 + 10 * Math.sin(Day.date(day))) };
});

export default pipeline("weather", {
  steps: [asked],
  partitions: daily(firstDay),
  schedule: cron("* * * * *"),
  catchup: false,
});
