/** What is on record of snapshots: which attempts made them, and which read them. */
import type { DatasetSnapshot, Made, Maker } from "../core/lineage.ts";
import type { Database } from "./database.ts";

interface MadeRow extends Omit<Maker, "run"> {
  readonly dataset: string;
  readonly snapshot: string;
  readonly run: number;
  readonly reads: readonly (readonly [dataset: string, snapshot: string | null])[];
}

/** Those of the snapshots that runs have made, each with the attempt that did: the one that succeeded, or else the first. */
export async function madeSnapshots(
  database: Database,
  snapshots: readonly DatasetSnapshot[],
): Promise<readonly Made[]> {
  return (await database.query<MadeRow>(MADE, listsOf(snapshots))).map(madeOf);
}

/** What attempts that read one of the snapshots have made. */
export async function madeFromSnapshots(
  database: Database,
  snapshots: readonly DatasetSnapshot[],
): Promise<readonly Made[]> {
  return (await database.query<MadeRow>(MADE_FROM, listsOf(snapshots))).map(madeOf);
}

/** The newest snapshot of a dataset that a run has made. */
export async function newestSnapshot(database: Database, dataset: string): Promise<bigint | undefined> {
  const [row] = await database.query<{ snapshot: string }>(NEWEST, [dataset]);
  return row && BigInt(row.snapshot);
}

/** Where a dataset's table was when a run last read or made it. */
export async function locationOf(database: Database, dataset: string): Promise<string | undefined> {
  return (await database.query<{ location: string }>(LOCATION, [dataset]))[0]?.location;
}

function listsOf(snapshots: readonly DatasetSnapshot[]): readonly unknown[] {
  return [snapshots.map((s) => s.dataset), snapshots.map((s) => s.snapshot?.toString() ?? null)];
}

function madeOf({ dataset, snapshot, reads, ...by }: MadeRow): Made {
  const from = reads.map(([name, id]) => ({ dataset: name, snapshot: id === null ? undefined : BigInt(id) }));
  return { dataset, snapshot: BigInt(snapshot), by, from };
}

/**
 * Of attempts that found the same commit, the one that succeeded counts; the code is that which made it. Who made it is looked up by whole keys. Where
 * code is that isn't the run's any more isn't known.
 */
const maker = (commits: string) => `
    select distinct on (c.dataset, c.snapshot) c.dataset, c.snapshot::text, r.pipeline, c.run::float8 as run, c.step,
      c.partition, c.attempt, coalesce(c.code, s.hash) as code, v.repository, v.commit, coalesce((
        select json_agg(json_build_array(d.dataset, d.snapshot::text) order by d.dataset) from orca.reads d
        where d.run = c.run and d.step = c.step and d.partition = c.partition and d.attempt = c.attempt), '[]') as reads
    from ${commits}
      join orca.runs r on r.id = c.run
      join orca.steps s on s.run = c.run and s.step = c.step and s.partition = c.partition
      left join orca.versions v on v.id = r.version and coalesce(c.code = s.hash, true)
      join orca.attempts a on a.run = c.run and a.step = c.step and a.partition = c.partition and a.attempt = c.attempt
    order by c.dataset, c.snapshot, a.status = 'succeeded' desc, c.attempt`;

const WANTED = `unnest((select $1::text[]), (select $2::bigint[])) as w (dataset, snapshot)`;

const MADE = {
  name: "made-snapshots",
  text: maker(`${WANTED} join orca.commits c on c.dataset = w.dataset collate "C" and c.snapshot = w.snapshot`),
};

const MADE_FROM = {
  name: "made-from-snapshots",
  text: maker(`${WANTED}
      join orca.reads d on d.dataset = w.dataset collate "C" and d.snapshot = w.snapshot
      join orca.commits c
        on c.run = d.run and c.step = d.step and c.partition = d.partition and c.attempt = d.attempt`),
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
