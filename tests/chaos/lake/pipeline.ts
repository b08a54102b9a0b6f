// Days of a source are appended in two parts, cleaned by an overwrite beside an append, and summed up; trouble is met between all commits.
import { daily, type Day, gather, mapped, pipeline } from "orcajs";
import { meetTrouble, told } from "../trouble.ts";
import { clean, raw, source, totals } from "./datasets.ts";

const load = mapped("load", { reads: [source], writes: [raw], retries: 2 }, async (ctx, day: Day) =>
  told(ctx, "load", day, async () => {
    const all = ctx.scan(source);
    const even = ctx.sql`
      select day, n, 1::int as part, (select count(*) from ${all}) as seen from ${all} where day = ${day} and n % 2 = 0`;
    await ctx.append(raw, even);
    await meetTrouble(`between load ${day}`, ctx.attempt);
    const odd = await ctx.sql<{ n: bigint; seen: bigint }>`
      select n, (select count(*) from ${all}) as seen from ${all} where day = ${day} and n % 2 = 1`.toArray();
    await ctx.append(
      raw,
      odd.map(({ n, seen }) => ({ day, n, part: 2, seen })),
    );
    await meetTrouble(`after load ${day}`, ctx.attempt);
    return { day: String(day), odd: odd.length };
  }),
);

const tidy = mapped("tidy", { after: load, reads: [raw], writes: [clean], retries: 2 }, async (ctx, { day: of }) =>
  told(ctx, "tidy", of, async () => {
    const day = ctx.partition;
    const all = ctx.scan(raw);
    const rows = ctx.sql`
      select day, n * 10 as n, part, (select count(*) from ${all}) as seen from ${all} where day = ${day}`;
    await ctx.overwrite(clean, rows, { where: { day } });
    await meetTrouble(`between tidy ${day}`, ctx.attempt);
    await ctx.append(clean, ctx.sql`select ${day}::date as day, -1 as n, 0::int as part, count(*) as seen from ${all}`);
    return String(day);
  }),
);

const report = gather("report", { after: tidy, reads: [clean], writes: [totals], retries: 2 }, async (ctx, days) =>
  told(ctx, "report", "-", async () => {
    const all = ctx.scan(clean);
    const sum = ctx.sql<{ what: string; rows: bigint; n: bigint; seen: bigint }>`
      select 'all' as what, count(*) as rows, sum(n)::bigint as n, count(*) as seen from ${all}`;
    await ctx.overwrite(totals, sum, { where: { what: "all" } });
    const [total] = await sum.toArray();
    return { days: days.length, rows: Number(total!.rows), n: Number(total!.n) };
  }),
);

export default pipeline("lake", { steps: [load, tidy, report], partitions: daily("2024-01-01") });
