/** A program that is being written: marked where an editor completes it and shows what a name is. */
export const PROGRAM = `
import { cron, type Ctx, daily, dataset, type Day, gather, Instant, keyed, mapped, Month, monthly, pipeline, task, Time } from "orcajs";

const count = task("count", async (day: Day) => 1);
const raw = dataset("lake.raw", { id: "long", day: "date", at: "timestamptz", name: "string", place: { lat: "double" } });
const byDay = dataset("lake.days", { day: "date", n: "int" });

const /*|days|*/days = mapped("days", async (/*|ctx of days|*/ctx, month: Month) => ({ month, days: Month.days(month).length }));
const /*|measure|*/measure = mapped("measure", { after: days }, async (ctx, /*|input of measure|*/m) => ({ ...m, hours: m./*|member of input|*/days * 24 }));
const /*|total|*/total = gather("total", { after: measure }, async (/*|ctx of total|*/ctx, /*|input of total|*/ms) => ms.length);

mapped("m", { /*|mapped options|*/ }, async (ctx, m: Month) => 1);
gather("m", { /*|gather options|*/ }, async (ctx, ms: Month[]) => 1);
const /*|toy|*/toy = pipeline("toy", { steps: [days, measure, total], partitions: monthly("2024-01"), /*|pipeline options|*/ });
pipeline("toy", { steps: [days], partitions: monthly("2024-01"), fills: "/*|fills|*/" });
pipeline("toy", { steps: [days], partitions: keyed("av2.logs", "log_id"), fills: "/*|fills of keyed|*/" });
pipeline("toy", { steps: [days], partitions: monthly("/*|start month|*/") });
pipeline("toy", { steps: [days], partitions: daily("2024-0/*|start day|*/") });
keyed(raw, "/*|key column|*/");
keyed("av/*|keyed dataset|*/", "log_id");

dataset("/*|dataset name|*/", { id: "long" });
dataset("lake.t", { id: "/*|column type|*/", at: "times/*|column type begun|*/", x: "lng/*|column type mistaken|*/" });
dataset("lake.t", { tags: ["/*|element type|*/"], place: { lat: "/*|field type|*/" }, price: "decimal(10, /*|decimal begun|*/" });
dataset("lake.t", { id: "long", day: "date", at: "timestamptz", tags: ["string"] }, {
  partitionBy: ["/*|partitionBy|*/", "month(/*|partitionBy begun|*/", "bucket(16, /*|bucket begun|*/"],
  sortBy: ["/*|sortBy|*/", "daay/*|sortBy mistaken|*/"],
  docs: { /*|docs|*/ },
});

const /*|step over tables|*/tables = mapped("tables", { reads: [raw, "lake.more"], writes: [byDay], tasks: [count] }, async (/*|ctx of tables|*/ctx, day: Day) => {
  ctx./*|members of ctx|*/log();
  ctx.scan("/*|scan|*/");
  ctx.scan("lake.x/*|scan mistaken|*/");
  ctx.append("/*|append|*/", []);
  ctx.overwrite("/*|overwrite|*/", [], { where: {} });
  ctx.table("/*|table|*/");
  ctx.scan(raw).columns("/*|columns|*/");
  ctx.scan(raw).columns("id", "/*|more columns|*/");
  await ctx.append(byDay, [{ /*|row|*/ }]);
  await ctx.overwrite(byDay, [], { where: { /*|where|*/ } });
  const /*|scanned|*/scanned = ctx.scan(raw);
  for await (const /*|row read|*/row of scanned) row./*|members of row|*/id;
  const /*|counted|*/counted = ctx.remote(count, day);
});
async function helper(/*|ctx of helper|*/ctx: Ctx<"lake.raw">) {}
Instant("/*|instant|*/");
Time("09/*|time|*/");
cron("/*|cron|*/");
cron("0 3/*|cron begun|*/");
`;
