/** A pipeline whose step appends a day's flights twice: to a table of `@orcajs/iceberg` alone, and by its context. They take turns in being first. */
import { openCatalog, type Table } from "@orcajs/iceberg";
import { daily, Day, gather, mapped, pipeline } from "orcajs";
import { raw } from "../../examples/flights/datasets.ts";
import { FLIGHTS_FILE } from "../flights-file.ts";

let made: Promise<Table> | undefined;

async function bareTable(): Promise<Table> {
  const catalog = openCatalog(process.env["BARE_WAREHOUSE"]!);
  await catalog.createNamespace("flights");
  return await catalog.createTable("flights.raw", {
    columns: {
      day: "date",
      departed: "timestamp",
      delay: "long?",
      distance: "long?",
      origin: "string?",
      destination: "string?",
    },
    partitionBy: ["day"],
  });
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const appended = mapped("appended", { writes: [raw] }, async (ctx, day: Day) => {
  const table = await (made ??= bareTable());
  const [from, to] = [`${day} 00:00:00`, `${Day.next(day)} 00:00:00`];
  const bare = () =>
    msOf(() =>
      table.append(table.engine.sql`
        select ${day}::date as day, date as departed, delay, distance, origin, destination
        from read_parquet(${FLIGHTS_FILE}) where date >= ${from}::timestamp and date < ${to}::timestamp`),
    );
  const inStep = () =>
    msOf(() =>
      ctx.append(
        raw,
        ctx.sql`
        select ${day}::date as day, date as departed, delay, distance, origin, destination
        from read_parquet(${FLIGHTS_FILE}) where date >= ${from}::timestamp and date < ${to}::timestamp`,
      ),
    );
  if (Number(day.slice(-2)) % 2 === 0) return { bare: await bare(), inStep: await inStep() };
  const before = await inStep();
  return { bare: await bare(), inStep: before };
});
const times = gather("times", { after: appended }, (_ctx, days) => days);

export default pipeline("append", { steps: [appended, times], partitions: daily("2001-01-01"), concurrency: 1 });
