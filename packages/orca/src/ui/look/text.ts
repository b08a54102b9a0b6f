/** Numbers, sizes, durations and instants as the pages write them. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `12,345`. */
export function num(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** A count that stopped at a bound: `10,000+`. */
export function atLeast({ count, isMore }: { readonly count: number; readonly isMore: boolean }): string {
  return `${num(count)}${isMore ? "+" : ""}`;
}

/** `1 run`, `2 runs`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${num(count)} ${count === 1 ? one : many}`;
}

/** At most two decimals: for what drawings measure. */
export function f2(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** `12.5%`. */
export function percent(value: number): string {
  return `${f2(value)}%`;
}

/** A length of time where there is little room: `120 ms`, `3.4 s`, `2m 14s`, `3h 05m`, `2d 4h`. */
export function took(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h ${two(minutes % 60)}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** `4 h ago`, `in 3 min`; a day from 60 days on: `3 Mar 2024`. */
export function ago(at: Date, now: Date): string {
  const apart = Math.abs(now.getTime() - at.getTime());
  if (apart >= 60 * DAY) return dayWords(at);
  const words =
    apart < MINUTE
      ? `${Math.round(apart / 1_000)} s`
      : apart < HOUR
        ? `${Math.round(apart / MINUTE)} min`
        : apart < DAY
          ? `${Math.round(apart / HOUR)} h`
          : `${Math.round(apart / DAY)} d`;
  return at <= now ? `${words} ago` : `in ${words}`;
}

/** How long until then, to the minute: `in 14 h 48 min`; `due` for what is past. */
export function until(at: Date, now: Date): string {
  const minutes = Math.round((at.getTime() - now.getTime()) / MINUTE);
  if (minutes < 1) return at < now ? "due" : "in less than a minute";
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60), minutes % 60];
  return `in ${days > 0 ? `${days} d ${hours} h` : hours > 0 ? `${hours} h ${rest} min` : `${rest} min`}`;
}

/** `2026-06-30 14:32:07 UTC`. */
export function stamp(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** `14:32:07`. */
export function clock(at: Date): string {
  return at.toISOString().slice(11, 19);
}

/** `3 Mar`. */
export function dayMonth(at: Date): string {
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`;
}

/** `3 Mar 2024`. */
export function dayWords(at: Date): string {
  return `${dayMonth(at)} ${at.getUTCFullYear()}`;
}

export const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** `June 2026`, of `2026-06`. */
export function monthWords(month: string): string {
  return `${MONTH_NAMES[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

/** `1.42 GB`, `3.4 MB`, `12 kB`. */
export function bytes(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(2)} GB`;
  return count >= 1e6 ? `${(count / 1e6).toFixed(1)} MB` : `${Math.round(count / 1e3)} kB`;
}

/** A name without its middle, for SVG text, which can't shrink by itself. */
export function cut(name: string, max: number): string {
  if (name.length <= max) return name;
  const room = max - 1;
  return `${name.slice(0, Math.ceil(room / 2))}…${name.slice(name.length - Math.floor(room / 2))}`;
}

/** `2024-01..2024-12`, or the one key. */
export function span(first: string, last: string): string {
  return first === last ? first : `${first}..${last}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
