/** The steps of a run of many partitions, counted in bins of neighbouring partitions. */
import type { Database } from "../database.ts";
import type { StepCell } from "./run-steps.ts";
import { LAST, rangesOf } from "./bin-ranges.ts";

/** Neighbouring partitions, in the order of their names. */
export interface Bin {
  /** The first of them. */
  readonly first: string;
  readonly partitions: number;
}

/** How many partitions of a bin have a step in each state; the others were never reached. */
export interface BinCounts {
  readonly step: string;
  /** Its place among the bins. */
  readonly bin: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly running: number;
  readonly waiting: number;
  readonly skipped: number;
  readonly cancelled: number;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** How long they took together. */
  readonly tookMs: number;
}

export interface RunBins {
  readonly bins: readonly Bin[];
  readonly counts: readonly BinCounts[];
  /** What failed: the first of it, in the order of steps and partitions. */
  readonly failed: readonly StepCell[];
}

/** What is counted together. */
type Counts = Pick<RunBins, "counts" | "failed">;

const FAILED_MAX = 100;

const BINS_MAX = 200;

/** Of runs that were counted: those that have ended stay as they are, others are counted anew after some times what it took. */
interface Counted {
  readonly state: string;
  readonly bins: readonly Bin[];
  readonly counts: Promise<Counts>;
  /** Until when the counts of one that goes on do. */
  until: number;
}

const COUNTED_MAX = 50;

const REST = 20;

const counted = new WeakMap<Database, Map<number, Counted>>();

/**
 * Counts what there is of each step in each bin. That reads all of the run, so that it isn't done for every page: of a run that goes on, the
 * counts may be some seconds old.
 *
 * @param state what tells whether the run has changed since: it ends, or is begun again.
 */
export async function countBins(
  database: Database,
  { run, steps, state, hasEnded }: { run: number; steps: readonly string[]; state: string; hasEnded: boolean },
): Promise<RunBins> {
  const ofDatabase = counted.get(database) ?? new Map<number, Counted>();
  counted.set(database, ofDatabase);
  let known = ofDatabase.get(run);
  if (known === undefined || known.state !== state || performance.now() > known.until) {
    const bins = known?.bins ?? (await readBins(database, run));
    known = { state, bins, counts: readCounts(database, run, steps, bins), until: Infinity };
    const fresh = known;
    const began = performance.now();
    const over = () => (fresh.until = hasEnded ? Infinity : performance.now() + REST * (performance.now() - began));
    known.counts.then(over, () => ofDatabase.delete(run));
    ofDatabase.delete(run);
    ofDatabase.set(run, known);
    const [oldest] = ofDatabase.keys();
    if (ofDatabase.size > COUNTED_MAX) ofDatabase.delete(oldest!);
  }
  return { bins: known.bins, ...(await known.counts) };
}

async function readBins(database: Database, run: number): Promise<readonly Bin[]> {
  return await database.query<Bin>(BINS, [run, BINS_MAX]);
}

/** Materialized: the list of keys is long, and taken apart once. */
const BINS = {
  name: "page-run-bins",
  text: `
    with run as materialized (
      select keys, ceil(cardinality(keys) / $2::float8)::int as size from orca.runs where id = $1
    )
    select min(key) as first, count(*)::int as partitions from (
      select key, (row_number() over (order by key collate "C") - 1) / (select size from run) as bin
      from (select unnest(keys) as key from run) k
    ) placed group by bin order by bin`,
};

async function readCounts(
  database: Database,
  run: number,
  steps: readonly string[],
  bins: readonly Bin[],
): Promise<Counts> {
  const lows = bins.map((bin) => bin.first);
  const counts = await database.query<BinCounts>(COUNTS, [run, steps, lows, [...lows.slice(1), LAST]]);
  const ranges = rangesOf(bins, counts, { steps, status: "failed", low: "", high: LAST, limit: FAILED_MAX });
  return { counts, failed: await database.query<StepCell>(FAILED, [run, ...ranges, FAILED_MAX]) };
}

const countOf = (status: string) => `count(*) filter (where status = '${status}')::int as ${status}`;

const COUNTS = {
  name: "page-run-bin-counts",
  text: `
    select wanted.step, (bin.n - 1)::int as bin, c.*
    from unnest($2::text[]) with ordinality as wanted (step, n), unnest($3::text[], $4::text[]) with ordinality as bin (low, high, n)
    cross join lateral (
      select ${["succeeded", "failed", "running", "waiting", "skipped", "cancelled"].map(countOf).join(", ")},
        min(started_at) as "startedAt", max(ended_at) as "endedAt",
        coalesce(sum(extract(epoch from coalesce(ended_at, clock_timestamp()) - started_at)::float8), 0) * 1000 as "tookMs"
      from orca.steps where run = $1 and step = wanted.step collate "C"
        and partition >= bin.low collate "C" and partition < bin.high collate "C"
    ) c order by wanted.n, bin.n`,
};

const FAILED = {
  name: "page-run-failed",
  text: `
    select s.step, s.partition, s.status, s.attempts, s.started_at as "startedAt", s.ended_at as "endedAt"
    from unnest($2::text[], $3::text[], $4::text[]) as among (step, low, high)
    cross join lateral (
      select * from orca.steps where run = $1 and status = 'failed'
        and step = among.step collate "C" and partition >= among.low collate "C" and partition < among.high collate "C"
    ) s limit $5`,
};
