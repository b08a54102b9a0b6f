/** When a schedule fires. Loads Temporal: import it only where fires are made. */
import { parseCron } from "./cron-fields.ts";
import type { Schedule } from "./schedule.ts";
import { instantOf, nextFireAfter } from "./next-fire.ts";
import { clockOf } from "./zone-clock.ts";

/**
 * The first fire after an instant; undefined if there is none by the end of the year 9999. `nextFireAfter` says what
 * daylight saving does to it.
 */
export function nextFire(schedule: Schedule, after: Date): Date | undefined {
  return dateOf(finder(schedule)(instantOf(after)));
}

/** The first `count` fires after an instant; fewer if the year 9999 ends. */
export function fires(schedule: Schedule, after: Date, count: number): Date[] {
  return firesUntil(schedule, instantOf(after), Infinity, count);
}

/** What `firesBetween` gives. */
export interface Missed {
  /** True (the default) for all fires, oldest first; false for only the latest. */
  readonly catchup?: boolean;
  /** How many fires at most, by default 1,000. The later ones are left for a call that counts from the last given. */
  readonly limit?: number;
}

/** The fires in the time after `after` and up to `until`: `until` itself counts. */
export function firesBetween(schedule: Schedule, after: Date, until: Date, missed: Missed = {}): Date[] {
  const { catchup = true, limit = 1000 } = missed;
  if (catchup) return firesUntil(schedule, instantOf(after), instantOf(until), limit);
  const latest = latestFire(schedule, after, until);
  return latest === undefined ? [] : [latest];
}

/**
 * The last fire after `after` and up to `until`, found by halving: a minute's schedule that was missed for a year costs
 * some 30 searches, not 525,600.
 */
export function latestFire(schedule: Schedule, after: Date, until: Date): Date | undefined {
  const find = finder(schedule);
  const [start, end] = [instantOf(after), instantOf(until)];
  let latest: number | undefined;
  for (let reach = 60_000; latest === undefined; reach *= 2) {
    const fire = find(Math.max(start, end - reach));
    if (fire !== undefined && fire <= end) latest = fire;
    else if (end - reach <= start) return undefined;
  }
  // No fire is after `none`, up to the end.
  for (let none = end; none > latest;) {
    const middle = Math.floor((latest + none) / 2);
    const fire = find(middle);
    if (fire !== undefined && fire <= end) latest = fire;
    else none = middle;
  }
  return dateOf(latest);
}

function firesUntil(schedule: Schedule, after: number, until: number, limit: number): Date[] {
  const find = finder(schedule);
  const found: Date[] = [];
  for (let fire = find(after); fire !== undefined && fire <= until && found.length < limit; fire = find(fire))
    found.push(new Date(fire));
  return found;
}

function finder(schedule: Schedule): (after: number) => number | undefined {
  const fields = parseCron(schedule.cron);
  const clock = clockOf(schedule.timeZone);
  return (after) => nextFireAfter(fields, clock, after);
}

function dateOf(milliseconds: number | undefined): Date | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds);
}
