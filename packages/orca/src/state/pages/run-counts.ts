/** How many runs there are of each state, and how many ended lately: each count stops at a bound. */
import type { Database } from "../database.ts";
import { bounded, type Bounded } from "./bounded.ts";

export interface RunCounts {
  readonly all: Bounded;
  readonly running: Bounded;
  readonly queued: Bounded;
  readonly failed: Bounded;
  readonly succeeded: Bounded;
  readonly cancelled: Bounded;
}

const COUNT_MAX = 1_000;

export async function countRuns(database: Database): Promise<RunCounts> {
  const [row] = await database.query<Record<keyof RunCounts, number>>(COUNT, [COUNT_MAX + 1]);
  const { all, running, queued, failed, succeeded, cancelled } = row!;
  const of = (count: number) => bounded(count, COUNT_MAX);
  return {
    all: of(all),
    running: of(running),
    queued: of(queued),
    failed: of(failed),
    succeeded: of(succeeded),
    cancelled: of(cancelled),
  };
}

const countOf = (where: string) =>
  `(select count(*)::int from (select from orca.runs where ${where} limit $1) counted)`;
const COUNT = {
  name: "page-count-runs",
  text: `
    select ${countOf("true")} as all, ${countOf("status = 'running'")} as running, ${countOf("status = 'queued'")} as queued,
      ${countOf("lower(status) = 'failed'")} as failed, ${countOf("status = 'succeeded'")} as succeeded,
      ${countOf("lower(status) = 'cancelled'")} as cancelled`,
};

/** Runs that ended within the bins of a time, the oldest first. */
export interface EndedRuns {
  readonly from: Date;
  readonly binMs: number;
  readonly bins: readonly EndedBin[];
  /** Whether bins had more runs than are counted. */
  readonly isCut: boolean;
}

interface EndedBin {
  /** Those that failed among them. */
  readonly ended: number;
  readonly failed: number;
}

const BINS = 144;
/** A bin is 70 minutes, so that all are 7 days. Bins begin at multiples of it: they stay as they are while time goes on. */
const BIN_MS = 70 * 60_000;
const BIN_MAX = 500;
const FAILED_MAX = 5_000;

/** Of the last 7 days. */
export async function countEnded(database: Database, now: Date): Promise<EndedRuns> {
  const from = new Date((Math.floor(now.getTime() / BIN_MS) + 1 - BINS) * BIN_MS);
  const rows = await database.query<EndedBin>(ENDED, [from, BIN_MS / 1000, BINS, BIN_MAX + 1, FAILED_MAX]);
  return {
    from,
    binMs: BIN_MS,
    bins: rows.map(({ ended, failed }) => ({ ended: Math.min(ended, BIN_MAX), failed: Math.min(failed, BIN_MAX) })),
    isCut: rows.some((bin) => bin.ended > BIN_MAX),
  };
}

/** Those that failed are few, and found by their own index: of it the newest are read, which are the last to have failed but for what was resumed. */
const ENDED = {
  name: "page-count-ended",
  text: `
    with failed as (
      select floor(extract(epoch from ended_at - $1) / $2)::int as bin, count(*)::int as runs
      from (select ended_at from orca.runs where lower(status) = 'failed' order by id desc limit $5) f
      where ended_at >= $1 group by 1
    )
    select b.ended, coalesce(f.runs, 0) as failed
    from generate_series(0, $3::int - 1) as n
    cross join lateral (
      select count(*)::int as ended from (
        select from orca.runs where ended_at >= $1 + make_interval(secs => n * $2) and pruned_at is null
          and ended_at < $1 + make_interval(secs => (n + 1) * $2) limit $4) r
    ) b left join failed f on f.bin = n order by n`,
};
