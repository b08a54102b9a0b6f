// A lake that schedulers keep: days are taken in on a schedule, and filled in by backfills; days and months are added up as they come, with changes that others
// make; and names are labelled. Each pipeline has a program of its own, beside this file. Trouble is met between all commits.
import { setTimeout as sleep } from "node:timers/promises";
import { cron, daily, dataset, type Day, gather, keyed, mapped, Month, monthly, type Name, pipeline } from "orcajs";
import { meetTrouble } from "../../trouble.ts";

/** Those of others. */
const changes = dataset("kept.changes", { day: "date", n: "long" });

const rows = { day: "date", run: "long", n: "long" } as const;
const taken = dataset("kept.taken", rows, { partitionBy: ["day"] });
const filled = dataset("kept.filled", rows, { partitionBy: ["day"] });
const sums = dataset("kept.sums", { day: "date", rows: "long", n: "long" }, { partitionBy: ["day"] });
const months = dataset("kept.months", { month: "string", rows: "long", n: "long" }, { partitionBy: ["month"] });
const labels = dataset("kept.labels", { name: "string", run: "long" });

/** Of the days' sums, between what they read and what they write: longer than schedulers take to start the next run. */
const LINGERS_MS = 1_500;
/** More than a seed kills. */
const RETRIES = { runRetries: 50 };

const take = mapped("take", { writes: [taken], retries: 1 }, async (ctx, day: Day) => {
  const of = { day, run: ctx.run.id! };
  await ctx.append(taken, [
    { ...of, n: 1 },
    { ...of, n: 2 },
  ]);
  await meetTrouble(`between take ${day}`, ctx.attempt);
  await ctx.append(taken, [{ ...of, n: 3 }]);
  await meetTrouble(`after take ${day}`, ctx.attempt);
});
const counted = gather("counted", { after: take }, (_ctx, days) => days.length);
const fill = mapped("fill", { writes: [filled], retries: 1 }, async (ctx, day: Day) => {
  const of = { day, run: ctx.run.id! };
  await ctx.append(filled, [
    { ...of, n: 1 },
    { ...of, n: 2 },
  ]);
  await meetTrouble(`between fill ${day}`, ctx.attempt);
  await ctx.append(filled, [{ ...of, n: 3 }]);
});
const add = mapped("add", { reads: [taken, changes], writes: [sums] }, async (ctx, day: Day) => {
  const added = ctx.sql<{ rows: bigint; n: bigint }>`
    select count(*) as rows, coalesce(sum(n), 0)::bigint as n from (
      select n from ${ctx.scan(taken)} where day = ${day} union all select n from ${ctx.scan(changes)} where day = ${day})`;
  const [sum] = await added.toArray();
  // others write meanwhile, and their runs are queued; every third run is to be tried again with what it has read
  await sleep(LINGERS_MS);
  await meetTrouble(`before add ${day} of run ${ctx.run.id}`, ctx.attempt, 15);
  await ctx.overwrite(sums, [{ day, ...sum! }], { where: { day } });
  await meetTrouble(`after add ${day}`, ctx.attempt);
});
const addDays = mapped("add-days", { reads: [sums], writes: [months] }, async (ctx, month: Month) => {
  const added = ctx.sql`
    select ${month} as month, coalesce(sum(rows), 0)::bigint as rows, coalesce(sum(n), 0)::bigint as n from ${ctx.scan(sums)}
    where day >= ${Month.start(month)} and day < ${Month.start(Month.next(month))}`;
  await ctx.overwrite(months, added, { where: { month } });
  await meetTrouble(`after add-days ${month}`, ctx.attempt);
});
const label = mapped("label", { writes: [labels] }, async (ctx, name: Name) => {
  await ctx.append(labels, [{ name, run: ctx.run.id! }]);
  await meetTrouble(`after label ${name}`, ctx.attempt);
});

const scheduled = { partitions: daily("2024-01-01"), schedule: cron("0 3 * * *"), maxRuns: 2, ...RETRIES } as const;
export const taking = pipeline("taking", { steps: [take], ...scheduled });
/** Its code as it is later. */
export const takingAnew = pipeline("taking", { steps: [take, counted], ...scheduled });
export const filling = pipeline("filling", { steps: [fill], partitions: daily("2024-01-01"), maxRuns: 2, ...RETRIES });
export const adding = pipeline("adding", {
  steps: [add],
  partitions: daily("2024-01-01"),
  sensor: true,
  maxRuns: 2,
  ...RETRIES,
});
export const addingDays = pipeline("adding-days", {
  steps: [addDays],
  partitions: monthly("2024-01"),
  sensor: true,
  ...RETRIES,
});
export const labelling = pipeline("labelling", {
  steps: [label],
  partitions: keyed("kept.names", "name"),
  keysPerRun: 3,
  sensor: true,
  ...RETRIES,
});
