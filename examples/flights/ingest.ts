// A day's flights are taken into a table as they come, and cleaned into another by SQL. No row is ever in JavaScript.
import { fileURLToPath } from "node:url";
import { daily, Day, mapped, pipeline } from "orcajs";
import { clean, raw } from "./datasets.ts";

/** The Parquet file of three million flights: date, delay, distance, origin and destination. */
function flightsFile(): string {
  return fileURLToPath(new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")));
}

export const delivered = mapped("delivered", { writes: [raw], retries: 1, timeout: "5m" }, (ctx, day: Day) => {
  const rows = ctx.sql`
    select ${day}::date as day, date as departed, delay, distance, origin, destination
    from read_parquet(${flightsFile()})
    where date >= ${day}::timestamp and date < ${Day.next(day)}::timestamp`;
  return ctx.overwrite(raw, rows, { where: { day } }); // a rerun replaces the day, and nothing else
});

export const cleaned = mapped("cleaned", { after: delivered, reads: [raw], writes: [clean] }, (ctx) => {
  const { partition: day } = ctx;
  const rows = ctx.sql`
    select distinct day, departed, delay, distance, origin, destination
    from ${ctx.scan(raw, { where: { day } })}
    where delay is not null and distance > 0 and origin <> destination`;
  return ctx.overwrite(clean, rows, { where: { day } });
});

export default pipeline("ingest", { steps: [delivered, cleaned], partitions: daily("2001-01-01") });
