/** What is on record of snapshots: which attempts made them, and which read them. */
import type { Snapshot } from "../core/ctx.ts";
import { type DatasetSnapshot, LINEAGE_STEPS, type Made, type Maker, type Walked } from "../core/lineage.ts";
import type { Database } from "./database.ts";
import { BACK, FORWARD } from "./lineage-walks.ts";

/**
 * Those of the snapshots that runs have made, what these were made from, and so on. Each comes once, with the attempt that made it: the one that succeeded,
 * or else the first.
 */
export async function walkBack(
  database: Database,
  from: readonly Walked<DatasetSnapshot>[],
): Promise<readonly Walked<Made>[]> {
  return madeOf(await database.query<MadeRow>(BACK, listsOf(from)));
}

/** What attempts that read one of the snapshots have made, what others have made of that, and so on. */
export async function walkForward(
  database: Database,
  from: readonly Walked<DatasetSnapshot>[],
): Promise<readonly Walked<Made>[]> {
  return madeOf(await database.query<MadeRow>(FORWARD, listsOf(from)));
}

/** Those of a dataset's snapshots that runs have made. */
export async function madeByRuns(
  database: Database,
  dataset: string,
  snapshots: Iterable<Snapshot>,
): Promise<ReadonlySet<Snapshot>> {
  const rows = await database.query<{ snapshot: string }>(BY_RUNS, [dataset, Array.from(snapshots, String)]);
  return new Set(rows.map(({ snapshot }) => BigInt(snapshot)));
}

/** The snapshots of datasets that runs have read and none has made. */
export async function readOfOthers(
  database: Database,
  datasets: readonly string[],
): Promise<readonly (DatasetSnapshot & { readonly snapshot: Snapshot })[]> {
  const rows = await database.query<{ dataset: string; snapshot: string }>(OF_OTHERS, [datasets]);
  return rows.map(({ dataset, snapshot }) => ({ dataset, snapshot: BigInt(snapshot) }));
}

/** The newest snapshot of a dataset that a run has made. */
export async function newestSnapshot(database: Database, dataset: string): Promise<Snapshot | undefined> {
  const [row] = await database.query<{ snapshot: string }>(NEWEST, [dataset]);
  return row && BigInt(row.snapshot);
}

/** Where a dataset's table was when a run last read or made it. */
export async function locationOf(database: Database, dataset: string): Promise<string | undefined> {
  return (await database.query<{ location: string }>(LOCATION, [dataset]))[0]?.location;
}

function listsOf(from: readonly Walked<DatasetSnapshot>[]): readonly unknown[] {
  const snapshots = from.map(({ snapshot }) => snapshot?.toString() ?? null);
  return [from.map(({ dataset }) => dataset), snapshots, from.map(({ distance }) => distance), LINEAGE_STEPS];
}

/** One for each dataset that the attempt read; of an attempt that read none, one. */
interface MadeRow extends Maker {
  readonly dataset: string;
  readonly snapshot: string;
  readonly distance: number;
  readonly source: string | null;
  readonly read: string | null;
}

/** The rows of one snapshot follow each other. */
function madeOf(rows: readonly MadeRow[]): readonly Walked<Made>[] {
  const links: Walked<Made>[] = [];
  let last: MadeRow | undefined;
  let from: DatasetSnapshot[] = [];
  for (const row of rows) {
    const { dataset, snapshot, distance, source, read, ...by } = row;
    if (last?.snapshot !== snapshot || last.dataset !== dataset)
      links.push({ dataset, snapshot: BigInt(snapshot), distance, by, from: (from = []) });
    if (source !== null) from.push({ dataset: source, snapshot: read === null ? undefined : BigInt(read) });
    last = row;
  }
  return links;
}

const BY_RUNS = {
  name: "made-by-runs",
  text: `
    select distinct c.snapshot::text from unnest($2::bigint[]) as s (snapshot)
      join orca.commits c on c.dataset = $1 and c.snapshot = s.snapshot`,
};

const OF_OTHERS = {
  name: "read-of-others",
  text: `
    select distinct d.dataset, d.snapshot::text from orca.reads d
    where d.dataset = any($1::text[]) and d.snapshot is not null
      and not exists (select from orca.commits c where c.dataset = d.dataset and c.snapshot = d.snapshot)`,
};

const NEWEST = {
  name: "newest-snapshot",
  text: `select snapshot::text from orca.commits where dataset = $1 order by at desc limit 1`,
};

const LOCATION = {
  name: "location-of-dataset",
  text: `
    select location from (
      (select location, at from orca.commits where dataset = $1 order by at desc limit 1) union all
      (select location, at from orca.reads where dataset = $1 order by at desc limit 1)) as t
    order by at desc limit 1`,
};
