/** The days or months of a pipeline: those of a year or so one by one, and the others by how many there are of each state. */
import type { DescribedPipeline } from "../../../core/described.ts";
import { Day } from "../../../core/keys/day.ts";
import { Month } from "../../../core/keys/month.ts";
import { duePartitions, partitionsBetween } from "../../../core/schedule/due-partitions.ts";
import type { Database } from "../../../state/database.ts";
import { keysBetween, type KeyRow } from "../../../state/pages/key-facts.ts";
import { datedGroups, type DatedGroup } from "../../../state/pages/key-months.ts";
import { addCounts, countsOf, totalOf, type KeyCounts, type KeyGroup } from "../../../state/pages/key-states.ts";
import { countMeanwhile } from "./count-meanwhile.ts";

type Kind = "monthly" | "daily";

/** Partitions of a month, or of a year, that aren't shown one by one. */
export interface Period {
  /** `2024-01`, or `2024`. */
  readonly of: string;
  readonly counts: KeyCounts;
}

export interface DatedKeys {
  readonly kind: Kind;
  /** The first and the last that are due; null before the first is. */
  readonly due: { readonly first: string; readonly last: string; readonly count: number } | null;
  /** The months, or the years, that are shown: from the first to the last. */
  readonly from: string;
  readonly to: string;
  /** Those that are due in them, and those that runs were asked for. */
  readonly keys: readonly KeyRow[];
  readonly periods: readonly Period[];
  readonly counts: KeyCounts;
}

export interface DatedAsked {
  readonly description: DescribedPipeline;
  readonly now: Date;
  /** A year whose days are shown instead of the newest twelve months. */
  readonly year: number | undefined;
  readonly step: string | undefined;
}

/** So many years of months are shown. */
const YEARS = 25;
/** Beyond so many years their months aren't told apart. */
const YEARS_BY_MONTH = 12;
const KEYS_MAX = 800;
const END = "9999-99";

/** @returns also what is alike among all, by which each step can be looked at. */
export async function readDatedKeys(
  database: Database,
  asked: DatedAsked,
): Promise<{ readonly dated: DatedKeys; readonly groups: readonly KeyGroup[] }> {
  const { description, now, year, step } = asked;
  const { partitions, pipeline } = description;
  if (partitions.kind === "keyed") throw new Error(`${pipeline} has names`);
  const { kind, start } = partitions;
  const due = duePartitions(description, now) ?? null;
  const { from, to, until } = shownOf(kind, start, due?.last ?? start, year);
  const by = Number(from.slice(0, 4)) - Number(start.slice(0, 4)) > YEARS_BY_MONTH ? "year" : "month";
  await countMeanwhile(database, pipeline);
  const [known, before, after] = await Promise.all([
    keysBetween(database, description, { first: firstOf(kind, from, start), last: until, limit: KEYS_MAX }, step),
    datedGroups(database, { pipeline, first: start, until: firstOf(kind, from, start), by }),
    year === undefined ? [] : datedGroups(database, { pipeline, first: `${until}~`, until: END, by }),
  ]);
  const keys = withMissing(kind, known, due, firstOf(kind, from, start), until);
  const periods = periodsOf([...before, ...after], { description, step, kind, due, by, from, to });
  const groups = [...before, ...after, ...(await shownGroups(database, description, known))];
  return {
    dated: {
      kind,
      due,
      from,
      to,
      keys,
      periods,
      counts: addCounts([...periods.map((period) => period.counts), tally(keys)]),
    },
    groups,
  };
}

/** What the steps are looked at by. */
async function shownGroups(
  database: Database,
  { pipeline, partitions }: DescribedPipeline,
  known: readonly KeyRow[],
): Promise<readonly KeyGroup[]> {
  const first = known[0]?.key;
  const last = known.at(-1)?.key;
  if (first === undefined || last === undefined || partitions.kind === "keyed") return [];
  return await datedGroups(database, { pipeline, first, until: `${last}~`, by: "year" });
}

/** The months of days, or the years of months, that are shown; and the last partition that may be in them. */
function shownOf(kind: Kind, start: string, last: string, year: number | undefined) {
  if (kind === "monthly") {
    const to = last.slice(0, 4);
    const from = String(Math.max(Number(start.slice(0, 4)), Number(to) - YEARS + 1)).padStart(4, "0");
    return { from, to, until: END };
  }
  if (year !== undefined) {
    const [from, to] = [Month.of(year, 1), Month.of(year, 12)];
    return { from: from < start.slice(0, 7) ? start.slice(0, 7) : from, to, until: `${to}-31` };
  }
  const to = Day.month(Day(last));
  const from = Month.add(to, -11);
  return { from: from < start.slice(0, 7) ? start.slice(0, 7) : from, to, until: END };
}

function firstOf(kind: Kind, from: string, start: string): string {
  const first = kind === "daily" ? `${from}-01` : `${from}-01`.slice(0, 7);
  return first < start ? start : first;
}

/** Those that are due, and those that are known without being due, in order. */
function withMissing(
  kind: Kind,
  known: readonly KeyRow[],
  due: DatedKeys["due"],
  first: string,
  until: string,
): readonly KeyRow[] {
  const byKey = new Map(known.map((row) => [row.key, row]));
  const last = due === null ? "" : due.last < until ? due.last : until;
  const shown =
    last < first ? [] : kind === "daily" ? Day.range(Day(first), Day(last)) : Month.range(Month(first), Month(last));
  const keys = new Set<string>([...shown, ...byKey.keys()]);
  return [...keys].toSorted().map((key) => byKey.get(key) ?? { key, state: "missing", ...NOTHING });
}

const NOTHING = { run: null, step: null, error: null, attempts: null, at: null } as const;

function tally(keys: readonly KeyRow[]): KeyCounts {
  const counts: Partial<Record<KeyRow["state"], number>> = {};
  for (const { state } of keys) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** In order, also those of which nothing is known. */
function periodsOf(
  groups: readonly DatedGroup[],
  given: {
    readonly description: DescribedPipeline;
    readonly step: string | undefined;
    readonly kind: Kind;
    readonly due: DatedKeys["due"];
    readonly by: "month" | "year";
    readonly from: string;
    readonly to: string;
  },
): readonly Period[] {
  const { description, step, kind, due, by, from, to } = given;
  if (due === null) return [];
  const byPeriod = Map.groupBy(groups, (group) => group.of);
  return periodNames(by, due).flatMap((of) => {
    // a year that is shown in part counts what isn't shown of it
    const [first, last] = boundsOf(kind, of, due, from, to);
    if (last < first) return [];
    const counts = countsOf(byPeriod.get(of) ?? [], description, step);
    const missing = Math.max(0, partitionsBetween(kind, first, last) - totalOf(counts));
    return [{ of, counts: addCounts([counts, missing > 0 ? { missing } : {}]) }];
  });
}

function periodNames(by: "month" | "year", { first, last }: { readonly first: string; readonly last: string }) {
  if (by === "month") return Month.range(Month(first.slice(0, 7)), Month(last.slice(0, 7)));
  const [from, to] = [Number(first.slice(0, 4)), Number(last.slice(0, 4))];
  return Array.from({ length: to - from + 1 }, (_, place) => String(from + place).padStart(4, "0"));
}

function boundsOf(
  kind: Kind,
  of: string,
  due: { readonly first: string; readonly last: string },
  from: string,
  to: string,
): readonly [first: string, last: string] {
  const isYear = of.length === 4;
  const [firstMonth, lastMonth] = isYear ? [`${of}-01`, `${of}-12`] : [of, of];
  let first = kind === "daily" ? `${firstMonth}-01` : firstMonth;
  let last: string = kind === "daily" ? Month.days(Month(lastMonth)).at(-1)! : lastMonth;
  if (first < due.first) first = due.first;
  if (last > due.last) last = due.last;
  const shownFirst = kind === "daily" ? `${from}-01` : `${from}-01`;
  const shownLast = kind === "daily" ? Month.days(Month(to)).at(-1)! : `${to}-12`;
  if (first >= shownFirst && first <= shownLast) return [shownLast, ""];
  if (first < shownFirst && last >= shownFirst)
    last = kind === "daily" ? Day.previous(Day(shownFirst)) : Month.previous(Month(shownFirst));
  return [first, last];
}
