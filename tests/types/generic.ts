// Helpers over any dataset. Nothing here runs: the compiler is the test.
import { type Ctx, type Dataset, dataset, type Day, Instant, mapped } from "orcajs";
import type { Relation, RowOf, RowToAppend, StepCtx } from "orcajs";

const a = dataset("x.a", { id: "long", at: "timestamptz" });
const b = dataset("x.b", { at: "timestamptz", v: "double" });

/** Over the dataset's name and its row. */
async function newestIn<N extends string, R extends { at: Instant }>(
  ctx: StepCtx<N>,
  table: Dataset<N, R>,
): Promise<Instant | undefined> {
  for await (const row of ctx.scan(table)) return row.at;
  return undefined;
}
/** Over rows, wherever they come from. */
async function newest<R extends { at: Instant }>(rows: Relation<R>): Promise<R | undefined> {
  let last: R | undefined;
  for await (const r of rows) if (last === undefined || r.at > last.at) last = r;
  return last;
}
async function newestAt(rows: Relation<{ at: Instant }>): Promise<Instant | undefined> {
  return (await newest(rows))?.at;
}
/** Over the dataset itself. */
async function newestOf<D extends Dataset<string, { at: Instant }>>(
  ctx: Ctx<D>,
  table: D,
): Promise<Instant | undefined> {
  for await (const row of ctx.scan(table)) return row.at;
  return undefined;
}

export const step = mapped("s", { reads: [a, b], writes: [a] }, async (ctx, _day: Day) => {
  const found: { id: bigint; at: Instant } | undefined = await newest(ctx.scan(a));
  await newestAt(ctx.scan(b));
  await newestAt(ctx.sql<{ at: Instant }>`select 1`);
  await newestIn(ctx, a);
  await newestOf(ctx, a);

  const rows: RowToAppend<RowOf<typeof a>>[] = [{ id: 1, at: new Date() }];
  rows.push({ id: 2n, at: Instant("2024-01-31T09:30Z") });
  await ctx.append(a, rows);
  await ctx.append(
    a,
    rows.filter((r) => r.id),
  );
  await ctx.append(
    a,
    rows.map(({ at, ...r }) => ({ ...r, at })),
  );
  const append = async () => ctx.append(a, [{ id: 1, at: new Date() }]);
  await Promise.all([append(), ctx.append(a, rows)]);
  for (const d of [a] as const) await ctx.append(d, [{ id: 1, at: new Date() }]);

  const either = found === undefined ? a : b;
  for await (const r of ctx.scan(either)) return r.at;
  return undefined;
});
