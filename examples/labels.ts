// Keyed partitions: one for each value of a column, so that a log that is new gets a run of its own.
import { gather, keyed, mapped, type Name, pipeline } from "orcajs";

export const label = mapped(
  "label",
  { reads: ["av2.logs"], writes: ["av2.labels"], retries: 1 },
  async (ctx, log: Name) => {
    const frames = (await ctx.scan("av2.logs").toArray()).filter((row) => row["log_id"] === log);
    const labels = frames.map((frame) => ({ log_id: log, frame: frame["frame"], label: "car" }));
    await ctx.ensureTable("av2.labels", { log_id: "string", frame: "int", label: "string" });
    const snapshot = await ctx.overwrite("av2.labels", labels, { where: { log_id: log } });
    return { snapshot, labels: labels.length };
  },
);

export const score = gather("score", { after: label }, async (ctx, done) => {
  const counts = new Map(done.map((d, i) => [ctx.partitions[i]!, d.labels]));
  return { counts, snapshots: done.map((d) => d.snapshot) }; // outputs may be Maps, Dates, bigints, …
});

export default pipeline("labels", {
  steps: [label, score],
  partitions: keyed("av2.logs", "log_id"), // the keys are log_id's values
  keysPerRun: 100,
  sensor: true, // new keys start runs
});
