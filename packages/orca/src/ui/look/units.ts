import { plural } from "./text.ts";

type Kind = "monthly" | "daily" | "keyed";

const UNITS: Readonly<Record<Kind, string>> = { monthly: "month", daily: "day", keyed: "key" };

/** What a partition is called: `day`. */
export function unitOf(kind: Kind): string {
  return UNITS[kind];
}

/** `2 days`, `1 key`. */
export function units(kind: Kind, count: number): string {
  return plural(count, UNITS[kind]);
}
