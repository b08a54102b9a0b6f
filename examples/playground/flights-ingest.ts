// A day's flights are taken into a table and cleaned into another, by SQL. The flights of 2001 stand for those of the last half year.
import { fileURLToPath } from "node:url";
import { cron, daily, Day, gather, mapped, pipeline } from "orcajs";
import { clean, firstDay, raw } from "./datasets.ts";

/** So many days of 2001 are in the file, from its first on. */
const DAYS = 181;
const FIRST = Day("2001-01-01");

function flightsFile(): string {
  return fileURLToPath(new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")));
}

/** The day of 2001 that stands for one. */
function flown(day: Day): Day {
  const days = Math.round((Day.start(day).getTime() - Day.start(FIRST).getTime()) / 86_400_000);
  return Day.add(FIRST, days % DAYS);
}

export const delivered = mapped("delivered", { writes: [raw], retries: 1, timeout: "5m" }, (ctx, day: Day) => {
  const then = flown(day);
  ctx.log(`the flights of ${then}`);
  const rows = ctx.sql`
    select ${day}::date as day, date as departed, delay, distance, origin, destination
    from read_parquet(${flightsFile()})
    where date >= ${then}::timestamp and date < ${Day.next(then)}::timestamp`;
  return ctx.overwrite(raw, rows, { where: { day } });
});

export const cleaned = mapped("cleaned", { after: delivered, reads: [raw], writes: [clean] }, (ctx) => {
  const { partition: day } = ctx;
  const rows = ctx.sql`
    select distinct day, departed, delay, distance, origin, destination
    from ${ctx.scan(raw, { where: { day } })}
    where delay is not null and distance > 0 and origin <> destination`;
  return ctx.overwrite(clean, rows, { where: { day } });
});

export const checked = gather("checked", { after: cleaned, reads: [clean] }, async (ctx) => {
  const [found] = await ctx.sql<{ days: bigint; flights: bigint }>`
    select count(distinct day) as days, count(*) as flights from ${ctx.scan(clean)}
    where day in ${ctx.partitions.map((day) => Day.start(day))}`.toArray();
  ctx.log(`${found?.flights ?? 0n} flights of ${found?.days ?? 0n} days`);
  return found;
});

export default pipeline("flights_ingest", {
  steps: [delivered, cleaned, checked],
  partitions: daily(firstDay),
  schedule: cron("10 6 * * *", "America/New_York"),
  fills: "previous",
  maxRuns: 2,
  runRetries: 2,
});
