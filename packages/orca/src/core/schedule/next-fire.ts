import { OrcaError } from "../errors.ts";
import type { CronFields } from "./cron-fields.ts";
import { DAY_MS, nextDue, nextDueDay, nextDueMinute } from "./due-times.ts";
import { CHANGE_MS_MAX, type Stretch, type ZoneClock } from "./zone-clock.ts";

/** The end of 9999 in UTC, which the clocks west of it get to later. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The first fire after an instant, as milliseconds since 1970; undefined if there is none by the end of 9999, in UTC and on the clock.
 *
 * A fixed time fires when the clock first gets to it or past it, so it fires once: at the end of the gap if it is
 * skipped, and at the first occurrence if it is repeated. All that one gap skips is made up for by one fire, which may
 * be a regular one too, for a fire is known by its instant (Vixie cron would start one for each at once).
 *
 * A schedule by elapsed time fires whenever the clock reads a time that is due, as Vixie cron does. Other than there, a
 * date of which the gap skips every due time has a fire at the end of the gap: a wildcard in 02:00 to 03:00 must not
 * leave a day unfilled once a year.
 *
 * Each turn of the loop goes to a later stretch, and what has nothing due is passed over, so it ends.
 */
export function nextFireAfter(fields: CronFields, clock: ZoneClock, after: number): number | undefined {
  for (let earliest = after + 1; ;) {
    const stretch = clock.stretchAt(earliest);
    if (stretch.from === earliest && skippedDays(fields, stretch).length > 0) return earliest;
    const reading = earliest + stretch.offset;
    const due = nextDue(fields, fields.isElapsed ? reading : Math.max(reading, stretch.reached));
    if (due === undefined) return undefined;
    const fire = due - stretch.offset;
    if (fire < stretch.until) return fire <= LAST_MS ? fire : undefined;
    // A change soon after `earliest` could have the clock read again what is before it.
    const isSettled = stretch.until - earliest >= CHANGE_MS_MAX;
    earliest = isSettled ? Math.max(stretch.until, fire - CHANGE_MS_MAX) : stretch.until;
  }
}

/** The days (since 1970) whose fires the gap before a stretch skipped, and the fire at the stretch's start makes up. */
export function skippedDays(fields: CronFields, stretch: Stretch): number[] {
  const until = stretch.from + stretch.offset;
  const days: number[] = [];
  for (let day = Math.floor(stretch.reached / DAY_MS); day * DAY_MS < until; day++) {
    const from = minuteOf(stretch.reached, day);
    const to = minuteOf(until, day);
    const first = nextDueMinute(fields, from);
    if (from >= to || first === undefined || first >= to || nextDueDay(fields, day) !== day) continue;
    const isOtherwiseDue = nextDueMinute(fields, 0)! < from || nextDueMinute(fields, to) !== undefined;
    if (!fields.isElapsed || !isOtherwiseDue) days.push(day);
  }
  return days;
}

/** The first minute of a day that is at or after a reading, 0 to 1440. */
function minuteOf(reading: number, day: number): number {
  return Math.ceil(Math.min(DAY_MS, Math.max(0, reading - day * DAY_MS)) / 60_000);
}

/** An instant in milliseconds since 1970. @throws OrcaError `invalid-value` on an invalid date. */
export function instantOf(date: Date): number {
  const instant = date.getTime();
  if (Number.isNaN(instant)) throw new OrcaError("invalid-value", "fires are asked for at a date that isn't one");
  return instant;
}
