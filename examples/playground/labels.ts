// Keyed partitions: one for each drive, so that a drive that is new gets a run of its own.
import { setTimeout as sleep } from "node:timers/promises";
import { keyed, mapped, type Name, pipeline } from "orcajs";
import { frames, labels } from "./datasets.ts";

export const label = mapped("label", { reads: [frames], writes: [labels], retries: 1 }, async (ctx, drive: Name) => {
  const seen = await ctx.scan(frames, { where: { drive } }).toArray();
  await sleep(100);
  if (/[05]-car-7$/.test(drive)) throw new Error(`no lidar sweep within 50 ms of frame ${seen.length - 1}`);
  const rows = seen.map(({ frame }) => ({ drive, frame, label: frame % 7 === 0 ? "bicycle" : "car" }));
  return await ctx.overwrite(labels, rows, { where: { drive } });
});

export default pipeline("labels", {
  steps: [label],
  partitions: keyed(frames, "drive"),
  keysPerRun: 20,
  maxRuns: 2,
  sensor: true,
});
