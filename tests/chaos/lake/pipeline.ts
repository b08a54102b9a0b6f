// Days of a source are appended in two parts, whose files are made one; cleaned by an overwrite beside an append; and summed up. Trouble is met
// between all commits.
import { daily, type Day, gather, mapped, pipeline } from "orcajs";
import { openTable, writeRows } from "@orcajs/iceberg";
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

const compact = mapped("compact", { after: load, reads: [raw], writes: [raw], retries: 2 }, async (ctx, { day: of }) =>
  told(ctx, "compact", of, async () => {
    const day = ctx.partition;
    const all = ctx.scan(raw);
    const remove = (await all.files()).filter((file) => file.partition["day"] === day);
    await using table = await openTable((await ctx.table(raw)).location);
    const { metadata, operations, engine } = table;
    const add = await writeRows(
      { metadata, files: operations.files, engine },
      ctx.sql`select * from ${all} where day = ${day}`,
    );
    await meetTrouble(`between compact ${day}`, ctx.attempt);
    await ctx.commit(raw, { operation: "replace", add, remove });
    return remove.length;
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
    // an attempt that finds both commits made reads nothing by itself
    await ctx.append(clean, [{ day, n: -1, part: 0, seen: 0 }]);
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

export default pipeline("lake", { steps: [load, compact, tidy, report], partitions: daily("2024-01-01") });
