import { isMade, made, type Made } from "../made.ts";
import { parseCron } from "./cron-fields.ts";
import type { CronText } from "./cron-text.ts";
import { checkTimeZone } from "./time-zone.ts";

/** When a pipeline is due: a cron expression on the wall clock of a time zone, both as they were written. */
export type Cron = Made<'a schedule is made by cron: write cron("0 3 * * *")'> & {
  readonly cron: string;
  readonly timeZone: string;
};

/** Whether a value is what `cron` made, and not an object like it. */
export function isCron(value: unknown): value is Cron {
  return isMade(value) && "cron" in value;
}

/**
 * When a pipeline is due: the five cron fields (minute, hour, day of the month, month, day of the week), or `@daily`
 * and the like, on the wall clock of `timeZone`. A time that daylight saving skips is made up at the end of the gap,
 * and one that it repeats counts once; a schedule whose minute or hour starts with `*` follows elapsed time instead.
 *
 * @example cron("30 2 * * mon-fri", "America/New_York")
 * @throws OrcaError `invalid-cron` on an expression that is wrong or could never be due, or an unknown time zone.
 */
export function cron<const S extends string>(expression: CronText<S>, timeZone = "UTC"): Cron {
  parseCron(expression);
  checkTimeZone(timeZone);
  return made({ cron: expression, timeZone });
}
