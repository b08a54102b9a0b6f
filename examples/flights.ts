// Three million real flights of 2001, by month: DuckDB adds up each month's delays where the data is, and a gather step ranks the origins.
import { fileURLToPath } from "node:url";
import { gather, mapped, Month, monthly, pipeline } from "orcajs";

/** The Parquet file of every flight's date, delay in minutes, distance, origin and destination. */
function flightsFile(): string {
  return fileURLToPath(new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")));
}

/** An origin with fewer flights has no telling average. */
const FLIGHTS_MIN = 1_000n;

interface Origin {
  readonly origin: string;
  readonly flights: bigint;
  readonly delay: bigint;
}

export const delays = mapped("delays", { retries: 1, timeout: "5m" }, async (ctx, month: Month) => {
  const origins = await ctx.sql<Origin>`
    select origin, count(*) as flights, sum(delay) as delay
    from read_parquet(${flightsFile()})
    where date >= ${Month.start(month)}::timestamp and date < ${Month.start(Month.next(month))}::timestamp
    group by origin
    order by origin`.toArray();
  const flights = origins.reduce((sum, o) => sum + o.flights, 0n);
  ctx.log(`${flights} flights from ${origins.length} airports`);
  return { flights, origins };
});

export const worst = gather("worst", { after: delays }, async (ctx, months) => {
  const totals = new Map<string, { flights: bigint; delay: bigint }>();
  for (const { origin, flights, delay } of months.flatMap((m) => m.origins)) {
    const before = totals.get(origin) ?? { flights: 0n, delay: 0n };
    totals.set(origin, { flights: before.flights + flights, delay: before.delay + delay });
  }
  const ranked = Array.from(totals, ([origin, t]) => ({ origin, ...t, mean: Number(t.delay) / Number(t.flights) }))
    .filter((o) => o.flights >= FLIGHTS_MIN)
    .sort((a, b) => b.mean - a.mean)
    .slice(0, 10);
  for (const { origin, flights, mean } of ranked)
    ctx.log(`${origin}  ${mean.toFixed(2).padStart(6)} min late on average, of ${flights} flights`);
  return ranked.map(({ origin, mean }) => ({ origin, mean: Math.round(mean * 100) / 100 }));
});

export default pipeline("flights", {
  steps: [delays, worst],
  partitions: monthly("2001-01"),
});
