/** The steps of a run of many partitions: counted in bins of neighbouring partitions, and listed where they need someone. */
import type { Database } from "../database.ts";
import type { StepCell } from "./run-steps.ts";

/** Neighbouring partitions, in the order of their names. */
interface Bin {
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
/** After every other key: no text that Postgres has comes later. */
const LAST = "\u{10ffff}";

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

/** What partitions are listed: those that have a step of a state, or all. */
export interface PartitionsAsked {
  readonly run: number;
  readonly steps: readonly string[];
  readonly status: "failed" | "running" | "all";
  /** How their names begin. */
  readonly prefix: string;
  /** Only those that come later: the next page. */
  readonly after: string;
  readonly limit: number;
}

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

/** In the order of their names: one more than the limit, if there are more. */
export async function listPartitions(
  database: Database,
  { bins, counts }: RunBins,
  { run, steps, status, prefix, after, limit }: PartitionsAsked,
): Promise<readonly string[]> {
  const low = after > prefix ? after : prefix;
  const values = [run, low, after, `${prefix}${LAST}`, limit + 1];
  if (status === "all") {
    const all = await database.query<{ partition: string }>(ALL, values);
    return all.map((row) => row.partition);
  }
  const found = await database.query<{ partition: string }>(OF_STATUS, [
    ...values,
    status,
    ...rangesOf(bins, counts, { steps, status, low, high: `${prefix}${LAST}`, limit }),
  ]);
  return found.map((row) => row.partition);
}

/** The bins of steps that have some, in order, until there are enough for a page. */
function rangesOf(
  bins: readonly Bin[],
  counts: readonly BinCounts[],
  asked: { steps: readonly string[]; status: "failed" | "running"; low: string; high: string; limit: number },
): readonly (readonly string[])[] {
  const ranges = new Map<string, { low: string; high: string; steps: string[]; count: number }>();
  for (const count of counts) {
    const [low, high] = [bins[count.bin]!.first, bins[count.bin + 1]?.first ?? LAST];
    if (count[asked.status] === 0 || high <= asked.low || low > asked.high) continue;
    const range = ranges.get(low) ?? { low, high, steps: [], count: 0 };
    ranges.set(low, {
      ...range,
      steps: [...range.steps, count.step],
      count: Math.max(range.count, count[asked.status]),
    });
  }
  const some: (readonly [step: string, low: string, high: string])[] = [];
  let enough = asked.limit + 1;
  for (const range of [...ranges.values()].sort((a, b) => (a.low < b.low ? -1 : 1))) {
    if (enough <= 0) break;
    for (const step of range.steps) some.push([step, range.low, range.high]);
    if (range.low >= asked.low) enough -= range.count; // of the first, some may come before
  }
  return [some.map(([step]) => step), some.map(([, low]) => low), some.map(([, , high]) => high)];
}

const WITHIN = (key: string) => `${key} >= $2 collate "C" and ${key} > $3 collate "C" and ${key} < $4 collate "C"`;
const OF_STATUS = {
  name: "page-run-partitions-of-status",
  text: `
    select distinct f.partition from unnest($7::text[], $8::text[], $9::text[]) as among (step, low, high)
    cross join lateral (
      select partition from orca.steps
      where run = $1 and step = among.step collate "C" and partition >= among.low collate "C" and partition < among.high collate "C"
        and status = $6 and ${WITHIN("partition")} order by partition limit $5
    ) f order by f.partition limit $5`,
};
const ALL = {
  name: "page-run-partitions",
  text: `
    select key as partition from (select unnest(keys) collate "C" as key from orca.runs where id = $1) k
    where ${WITHIN("key")} order by key limit $5`,
};
