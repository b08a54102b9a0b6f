// What comes in from cars: each day some drives, whose names are the keys of another pipeline.
import { daily, Day, mapped, pipeline } from "orcajs";
import { firstDay, frames } from "./datasets.ts";

const DRIVES = 8;
const FRAMES = 25;

export const uploaded = mapped("uploaded", { writes: [frames] }, (ctx, day: Day) => {
  const rows = Array.from({ length: DRIVES * FRAMES }, (_, n) => ({
    drive: `${day}-car-${Math.floor(n / FRAMES) + 1}`,
    frame: n % FRAMES,
    at: new Date(Day.start(day).getTime() + n * 1_000),
  }));
  return ctx.append(frames, rows);
});

export default pipeline("drives", { steps: [uploaded], partitions: daily(firstDay) });
