import { OrcaError } from "../errors.ts";

/**
 * Passes if `timeZone` is one: an IANA name, such as `Europe/London`, or a fixed offset, such as `+05:30`.
 *
 * Every pipeline's file does this at start-up. UTC costs nothing. A name on V8's list costs 1.4 ms the first time,
 * where the first `Intl.DateTimeFormat` costs 11 ms; that is left for names that the list hasn't, such as `Asia/Kolkata`
 * (it has the older `Asia/Calcutta`).
 *
 * @throws OrcaError `invalid-cron` if it isn't.
 */
export function checkTimeZone(timeZone: string): void {
  if (timeZone === "UTC" || Intl.supportedValuesOf("timeZone").includes(timeZone)) return;
  if (!ABBREVIATION.test(timeZone) || IANA_ABBREVIATION.test(timeZone)) {
    try {
      new Intl.DateTimeFormat("en", { timeZone });
      return;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  throw new OrcaError("invalid-cron", `'${timeZone}' isn't a time zone: write an IANA name such as Europe/London`);
}

/** V8 takes these to mean somewhere (BST is Bangladesh), and Temporal refuses them. */
const ABBREVIATION = /^[a-z][a-z]t$/i;
const IANA_ABBREVIATION = /^(cet|eet|est|gmt|met|uct|wet)$/i;
