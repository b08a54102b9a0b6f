/** Commits gathered into stretches of time of equal length, as few as are drawn. */
import type { RowsAt } from "../../../state/pages/dataset.ts";

interface RowStretch {
  /** When it begins. */
  readonly from: Date;
  /** The sum of what was added; null if nothing was committed in it. */
  readonly rowsAdded: number | null;
  /** How many there were at its end, as far as that is known. */
  readonly rowsTotal: number | null;
}

export interface RowStretches {
  readonly unit: Unit;
  /** The oldest first, without gaps, to the newest commit's. */
  readonly stretches: readonly RowStretch[];
}

type Unit = "second" | "minute" | "hour" | "day" | "week" | "month";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LENGTHS: readonly (readonly [Unit, number])[] = [
  ["second", 1_000],
  ["minute", MINUTE],
  ["hour", 60 * MINUTE],
  ["day", DAY],
  ["week", 7 * DAY],
  ["month", 30 * DAY],
];
const STRETCHES_MAX = 180;

/** @param commits the oldest first. Undefined if none of them says how many rows there are. */
export function rowStretches(commits: readonly RowsAt[]): RowStretches | undefined {
  const [first, last] = [commits[0], commits.at(-1)];
  if (first === undefined || last === undefined || commits.every(({ rowsTotal }) => rowsTotal === null))
    return undefined;
  const [begin, end] = [first.at.getTime(), last.at.getTime()];
  const [unit, length] =
    LENGTHS.find(([, one]) => Math.floor(end / one) - Math.floor(begin / one) < STRETCHES_MAX) ?? LENGTHS.at(-1)!;
  const newest = Math.floor(end / length);
  const oldest = Math.max(Math.floor(begin / length), newest - STRETCHES_MAX + 1);
  const byStretch = Map.groupBy(commits, ({ at }) => Math.floor(at.getTime() / length));
  let total: number | null = null;
  const stretches: RowStretch[] = [];
  for (let place = oldest; place <= newest; place++) {
    const within = byStretch.get(place);
    total = within?.at(-1)?.rowsTotal ?? total;
    stretches.push({
      from: new Date(place * length),
      rowsAdded: within === undefined ? null : within.reduce((sum, one) => sum + (one.rowsAdded ?? 0), 0),
      rowsTotal: total,
    });
  }
  return { unit, stretches };
}
