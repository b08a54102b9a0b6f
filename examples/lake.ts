// Two tables: days of one are cleaned into the other, which is then read whole. Rows are typed by the datasets' columns.
import { cron, type Ctx, daily, dataset, type Day, gather, mapped, pipeline } from "orcajs";

export const raw = dataset("lake.raw", { id: "long", day: "date", value: "double?" }); // "?" is nullable
export const clean = dataset(
  "lake.clean",
  { id: "long", day: "date", value: "double" },
  { partitionBy: ["day"], sortBy: ["id"] },
);

/** A helper takes the part of the context that it needs: what it reads, and nothing else. */
async function countRaw(ctx: Ctx<typeof raw>, day: Day): Promise<number> {
  let rows = 0;
  for await (const row of ctx.scan(raw).columns("day")) if (row.day === day) rows++;
  return rows;
}

export const cleaned = mapped("cleaned", { reads: [raw], writes: [clean] }, async (ctx, day: Day) => {
  const rows = ctx.sql`select id, day, value from ${ctx.scan(raw)} where day = ${day} and value is not null`;
  const snapshot = await ctx.overwrite(clean, rows, { where: { day } }); // a rerun replaces the day, and nothing else
  return { snapshot, rows: await countRaw(ctx, day) };
});

// two steps follow the same one
export const checked = mapped(
  "checked",
  { after: cleaned, reads: [clean], writes: ["lake.checks"] },
  async (ctx, day) => {
    const query = ctx.sql<{ n: bigint }>`select count(*) as n from ${ctx.scan(clean)} where day = ${ctx.partition}`;
    const [kept] = await query.toArray();
    const dropped = day.rows - Number(kept!.n);
    await ctx.ensureTable("lake.checks", { day: "date", dropped: "int" }); // by name: its columns are said where it is made
    await ctx.append("lake.checks", [{ day: ctx.partition, dropped }]); // and its rows are untyped
    return dropped / day.rows;
  },
);
export const worst = gather("worst", { after: cleaned, reads: [clean] }, async (ctx, days) => {
  let most = 0;
  for await (const row of ctx.scan(clean)) most = Math.max(most, row.value); // row: { id: bigint; day: Day; value: number }
  return { most, days: ctx.partitions.length, last: days.at(-1)?.snapshot };
});

// and one follows both: it takes a tuple of what it would take after each
export const report = gather("report", { after: [checked, worst] }, async (_ctx, [dropped, { most, days, last }]) => ({
  dropped: Math.max(...dropped),
  most,
  days,
  last,
}));

export default pipeline("lake", {
  steps: [cleaned, checked, worst, report],
  partitions: daily("2025-01-01"),
  schedule: cron("30 2 * * *", "America/New_York"),
  fills: "previous",
  catchup: false, // of days missed while the scheduler was down, only the last is filled
});
