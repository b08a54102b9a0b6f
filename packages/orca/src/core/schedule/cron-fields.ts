import { OrcaError } from "../errors.ts";
import { wholeNumber } from "../number-text.ts";

/**
 * When a cron expression is due, on a wall clock. A day is due if `days` and `weekdays` both have it, or, where both
 * fields restrict it (neither starts with `*`), if either has it: Vixie cron's rule.
 */
export interface CronFields {
  /** Bit m of the first for minutes 0 to 29, bit m - 30 of the second for 30 to 59. */
  readonly minutes: readonly [number, number];
  /** Bit h for each hour. */
  readonly hours: number;
  /** Bit d - 1 for each day of the month. */
  readonly days: number;
  /** Bit m - 1 for each month. */
  readonly months: number;
  /** Bit 0 for Sunday to bit 6 for Saturday. */
  readonly weekdays: number;
  readonly eitherDay: boolean;
  /** Whether the minute or the hour field starts with `*`: due by elapsed time, not at fixed times. */
  readonly isElapsed: boolean;
}

/**
 * Reads the five fields (minute, hour, day of the month, month, day of the week) or a shorthand such as `@daily`.
 * A field is a list of `*`, values and ranges (`9-17`, `mon-fri`, `sat-sun`), each perhaps with a step after a slash
 * (`10-50/10`; `5/10` goes on to the field's end). Names and shorthands may be in either case; 7 is Sunday too.
 * A step may be as large as the field has values (every 60th minute is minute 0) and no larger: who writes every 90th
 * minute wants what cron can't say, and would be due every hour.
 *
 * @throws OrcaError `invalid-cron` with a sentence for each part that is wrong, and on what could never be due.
 */
export function parseCron(text: string): CronFields {
  let fields = remembered.get(text);
  if (fields === undefined) {
    fields = parse(text);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(text, fields);
  }
  return fields;
}

/** Schedules are read back as text at every tick; a look-up takes 7 ns, parsing 5 µs. Bounded: emptied when full. */
const remembered = new Map<string, CronFields>();
const REMEMBERED_MAX = 10_000;

const SHORTHANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["@yearly", ["0", "0", "1", "1", "*"]],
  ["@annually", ["0", "0", "1", "1", "*"]],
  ["@monthly", ["0", "0", "1", "*", "*"]],
  ["@weekly", ["0", "0", "*", "*", "0"]],
  ["@daily", ["0", "0", "*", "*", "*"]],
  ["@midnight", ["0", "0", "*", "*", "*"]],
  ["@hourly", ["0", "*", "*", "*", "*"]],
]);

/** What a field takes. `*` and an open step (`5/10`) end at `end`; the weekday's 7 is allowed beyond it. */
interface FieldRule {
  readonly named: string;
  readonly first: number;
  readonly end: number;
  readonly last: number;
  /** Three letters each, from the value `first` on. */
  readonly names: readonly string[];
}

const MINUTE: FieldRule = { named: "minute (0-59)", first: 0, end: 59, last: 59, names: [] };
const HOUR: FieldRule = { named: "hour (0-23)", first: 0, end: 23, last: 23, names: [] };
const DAY: FieldRule = { named: "day of the month (1-31)", first: 1, end: 31, last: 31, names: [] };
const MONTH: FieldRule = {
  named: "month (1-12 or jan-dec)",
  first: 1,
  end: 12,
  last: 12,
  names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
const WEEKDAY: FieldRule = {
  named: "day of the week (0-7 or sun-sat)",
  first: 0,
  end: 6,
  last: 7,
  names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function parse(text: string): CronFields {
  const [minute, hour, day, month, weekday] = wordsOf(text);
  const problems: string[] = [];
  const minutes = valuesOf(minute, MINUTE, problems);
  const hours = valuesOf(hour, HOUR, problems);
  const wrongTimes = problems.length;
  const days = valuesOf(day, DAY, problems);
  const months = valuesOf(month, MONTH, problems);
  const weekdays = valuesOf(weekday, WEEKDAY, problems);
  const isByDate = weekday.startsWith("*");
  const exists = months.some((m) => days.some((d) => d <= DAYS_IN_MONTH[m - 1]!));
  if (problems.length === wrongTimes && isByDate && !exists)
    problems.push(`there's no day ${day} in month ${month}: it would never be due`);
  if (problems.length > 0) throw new OrcaError("invalid-cron", problems.join("; "));
  return {
    minutes: [bits(minutes.filter((m) => m < 30)), bits(minutes.filter((m) => m >= 30).map((m) => m - 30))],
    hours: bits(hours),
    days: bits(days.map((d) => d - 1)),
    months: bits(months.map((m) => m - 1)),
    weekdays: bits(weekdays.map((d) => d % 7)),
    eitherDay: !day.startsWith("*") && !isByDate,
    isElapsed: minute.startsWith("*") || hour.startsWith("*"),
  };
}

function wordsOf(text: string): [string, string, string, string, string] {
  const words = text.split(/[ \t]+/).filter((word) => word !== "");
  const shorthand = words.length === 1 && words[0]!.startsWith("@") ? words[0]! : undefined;
  const five = shorthand === undefined ? words : SHORTHANDS.get(shorthand.toLowerCase());
  if (five === undefined) throw new OrcaError("invalid-cron", `'${shorthand}' isn't a cron shorthand, such as @daily`);
  if (five.length !== 5) {
    const count = `${five.length} field${five.length === 1 ? "" : "s"}`;
    throw new OrcaError("invalid-cron", `'${text}' has ${count}: cron takes 5 (minute hour day month weekday)`);
  }
  return five as [string, string, string, string, string];
}

function valuesOf(text: string, rule: FieldRule, problems: string[]): number[] {
  const values: number[] = [];
  for (const item of text.split(",")) {
    const [range, stepText] = halves(item, "/");
    const step = stepText === undefined ? 1 : stepOf(stepText, rule);
    const ends = rangeOf(range, stepText !== undefined, rule);
    if (step === undefined || ends === undefined)
      problems.push(`'${step === undefined ? item : range}' isn't a cron ${rule.named}`);
    else if (ends[0] > ends[1]) problems.push(`'${range}' runs backwards: write the lower end first, or two ranges`);
    else for (let value = ends[0]; value <= ends[1]; value += step) values.push(value);
  }
  return values;
}

function stepOf(text: string, rule: FieldRule): number | undefined {
  const step = numberOf(text);
  return step !== undefined && step >= 1 && step <= rule.end - rule.first + 1 ? step : undefined;
}

function rangeOf(range: string, isStepped: boolean, rule: FieldRule): [number, number] | undefined {
  if (range === "*") return [rule.first, rule.end];
  const [low, high] = halves(range.toLowerCase(), "-");
  const from = valueOf(low, rule);
  if (from === undefined) return undefined;
  if (high === undefined) return [from, isStepped ? Math.max(from, rule.end) : from];
  // The Sunday that ends a range is the one after Saturday: sat-sun.
  const to = rule === WEEKDAY && high === "sun" && from > 0 ? 7 : valueOf(high, rule);
  return to === undefined ? undefined : [from, to];
}

function valueOf(text: string, rule: FieldRule): number | undefined {
  const index = rule.names.indexOf(text);
  const value = index >= 0 ? rule.first + index : numberOf(text);
  return value !== undefined && value >= rule.first && value <= rule.last ? value : undefined;
}

function numberOf(text: string): number | undefined {
  return text.length <= 2 ? wholeNumber(text) : undefined;
}

function halves(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function bits(values: readonly number[]): number {
  return values.reduce((mask, value) => mask | (1 << value), 0);
}
