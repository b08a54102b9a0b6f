/** What a run read and made, and what was done to it: the newest of each. */
import type { Database } from "../database.ts";

interface SnapshotRead {
  readonly dataset: string;
  readonly location: string;
  /** Null for a dataset that had none. */
  readonly snapshot: string | null;
  readonly step: string;
  /** How many partitions have read it, of those that are shown. */
  readonly partitions: number;
  readonly at: Date;
}

interface SnapshotMade {
  readonly dataset: string;
  readonly snapshot: string;
  readonly operation: string;
  readonly step: string;
  readonly partition: string | null;
  readonly attempt: number;
  readonly rowsAdded: number | null;
  readonly at: Date;
}

export interface RunAction {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly detail: object | null;
}

export interface RunRecords {
  readonly reads: readonly SnapshotRead[];
  readonly commits: readonly SnapshotMade[];
  readonly hasMoreCommits: boolean;
  readonly actions: readonly RunAction[];
}

/** So many reads and commits of a run are looked through, in the order of their steps. */
const SCAN_MAX = 2_000;
const READS_MAX = 20;
const COMMITS_MAX = 20;
const ACTIONS_MAX = 50;

export async function readRecords(database: Database, run: number): Promise<RunRecords> {
  const [reads, commits, actions] = await Promise.all([
    database.query<SnapshotRead>(READS, [run, SCAN_MAX, READS_MAX]),
    database.query<SnapshotMade>(COMMITS, [run, SCAN_MAX, COMMITS_MAX + 1]),
    database.query<RunAction>(ACTIONS, [run, ACTIONS_MAX]),
  ]);
  return { reads, commits: commits.slice(0, COMMITS_MAX), hasMoreCommits: commits.length > COMMITS_MAX, actions };
}

const READS = {
  name: "page-run-reads",
  text: `
    select dataset, min(location) as location, snapshot::text as snapshot, step, count(distinct partition)::int as partitions, min(at) as at
    from (select * from orca.reads where run = $1 order by step, partition limit $2) r
    group by dataset, snapshot, step order by min(at) desc limit $3`,
};
const COMMITS = {
  name: "page-run-commits",
  text: `
    select dataset, snapshot::text as snapshot, operation, step, nullif(partition, '') as partition, attempt,
      rows_added::float8 as "rowsAdded", at
    from (select * from orca.commits where run = $1 order by step, partition limit $2) c order by at desc limit $3`,
};
const ACTIONS = {
  name: "page-run-actions",
  text: "select id::float8 as id, at, actor, action, detail from orca.actions where run = $1 order by id desc limit $2",
};
