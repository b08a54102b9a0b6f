import { OrcaError } from "./errors.ts";
import { decimalNumber } from "./number-text.ts";

/** A length of time as text: `"500ms"`, `"30s"`, `"10m"`, `"2h"`, `"1d"`. */
export type Duration = `${number}${"ms" | "s" | "m" | "h" | "d"}`;

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The longest that a timer of Node's can wait is 2^31 - 1 ms: 24 days and some hours. */
const DURATION_MAX_MS = 24 * UNIT_MS.d;

/** @throws OrcaError `invalid-pipeline` on text that isn't a duration of 1 ms to 24 days. */
export function durationMs(text: string, what: string): number {
  const [, amount = "", unit] = /^(.*?)(ms|s|m|h|d)$/.exec(String(text)) ?? [];
  const ms = (decimalNumber(amount) ?? NaN) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (!(ms >= 1 && ms <= DURATION_MAX_MS))
    throw new OrcaError(
      "invalid-pipeline",
      `${what} is '${String(text)}', which isn't a duration of at most 24d: write a number and a unit, such as 30s, 10m or 2h`,
    );
  return Math.round(ms);
}

/** A length of time for people: `12 ms`, `3.4 s`, `2 min 5 s`, `1 h 2 min`. */
export function textOfDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
