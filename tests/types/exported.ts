// A file that exports one of each kind, for those whose declarations are made: each type must have a name that orcajs exports.
import { cron, daily, dataset, DateTime, Day, gather, Instant, keyed, mapped, Month, monthly, Name } from "orcajs";
import { nullable, pipeline, sql, task, Time, type Ctx } from "orcajs";
import { runInMemory } from "orcajs/testing";

export const raw = dataset(
  "lake.raw",
  {
    id: "long",
    day: "date",
    log: "string",
    value: "double?",
    at: "timestamptz",
    wall: "timestamp",
    time: "time",
    price: "decimal(10, 2)",
    bytes: "binary",
    place: { lat: "double", lon: "double" },
    stops: nullable([{ at: "timestamptz" }]),
    counts: { "[string]": "long" },
  },
  { partitionBy: ["day", "bucket(16, id)"], sortBy: ["id desc"] },
);
export const place = nullable({ lat: "double", lon: "double" });
export const { columns, partitionBy, sortBy } = raw;
export const firstType = raw.columns[0]!.type;

export const count = task("count", async (day: Day, rows: readonly { id: bigint }[]) => ({ day, rows: rows.length }));
export const days = mapped("days", { reads: [raw], writes: [raw], tasks: [count] }, async (ctx, day: Day) => {
  const rows = await ctx.scan(raw).toArray();
  const counted = await ctx.remote(count, day, rows);
  return { rows, counted, snapshot: await ctx.append(raw, rows) };
});
export const all = gather("all", { after: days }, async (_ctx, of) => of.map((d) => d.rows));
export const both = gather("both", { after: [days, all] }, async (_ctx, [a, b]) => [a.length, b.length] as const);
export const named = <const N extends string>(name: N) => mapped(name, async (_ctx, m: Month) => m.length);

export const schedule = cron("@daily");
export const [byMonth, byDay, byName] = [monthly("2024-01"), daily("2024-01-31"), keyed(raw, "log")];
export const lake = pipeline("lake", { steps: [days, all, both], partitions: byDay, schedule });
export const run = () => runInMemory(lake, { partitions: ["2024-01-31"], tables: [[raw, []]] });

export const [month, day, name] = [Month("2024-01"), Day("2024-01-31"), Name("a")];
export const [instant, wall, time] = [Instant("2024-01-31T09:30Z"), DateTime("2024-01-31T09:30"), Time("09:30")];
export const makers = { Month, Day, Name, Instant, DateTime, Time, sql };

export const piece = sql`day = ${day}`;
export const table = async (ctx: Ctx<typeof raw>) => await ctx.table(raw);
export const scan = (ctx: Ctx<typeof raw>) => ctx.scan(raw).columns("id", "day");
export const query = (ctx: Ctx<typeof raw>) => ctx.sql<{ n: bigint }>`select count(*) n from ${ctx.scan(raw)}`;
export const ctxSql = (ctx: Ctx<typeof raw>) => ctx.sql;
