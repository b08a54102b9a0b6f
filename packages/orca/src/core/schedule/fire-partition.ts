import { isEpochDay } from "../keys/civil.ts";
import { Day } from "../keys/day.ts";
import type { Month } from "../keys/month.ts";
import { type CronFields, parseCron } from "./cron-fields.ts";
import type { Schedule } from "./schedule.ts";
import { DAY_MS, nextDue } from "./due-times.ts";
import { instantOf, skippedDays } from "./next-fire.ts";
import { clockOf, type Stretch } from "./zone-clock.ts";

/**
 * The partition that a fire fills: the month or day that its time falls in on the schedule's wall clock, or the one
 * before; undefined if that isn't of the years 0000 to 9999.
 *
 * A fire that makes up for skipped times falls where they would have: where 23:00 is followed by 00:00, that of
 * `30 23 * * *` fills the day that is ending, and where a whole day is skipped, its fire fills that day.
 */
export function partitionOfFire(
  kind: "monthly" | "daily",
  fills: "current" | "previous",
  schedule: Schedule,
  at: Date,
): Month | Day | undefined {
  const instant = instantOf(at);
  const stretch = clockOf(schedule.timeZone).stretchAt(instant);
  const own = dayOfFire(parseCron(schedule.cron), fills, stretch, instant);
  // the day before its month's first is of the month before
  const back = kind === "daily" ? 1 : new Date(own * DAY_MS).getUTCDate();
  const days = fills === "previous" ? own - back : own;
  if (!isEpochDay(days)) return undefined;
  return kind === "daily" ? Day.at(days) : Day.month(Day.at(days));
}

/**
 * The day that a fire counts for. One that stands for several days, as the midnight after a skipped day does, counts
 * for the first if it fills the one before, and for the last if it fills its own: both are days that there were.
 */
function dayOfFire(fields: CronFields, fills: "current" | "previous", stretch: Stretch, at: number): number {
  const reading = at + stretch.offset;
  const own = Math.floor(reading / DAY_MS);
  const skipped = at === stretch.from ? skippedDays(fields, stretch) : [];
  if (fills === "previous") return skipped[0] ?? own;
  return nextDue(fields, reading) === reading ? own : (skipped.at(-1) ?? own);
}
