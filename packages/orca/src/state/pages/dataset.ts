/** A dataset: what is on record of its table. */
import type { Column } from "../../core/datasets/column.ts";
import type { Field } from "../../core/datasets/field.ts";
import type { Database } from "../database.ts";
import { bounded, type Bounded } from "./bounded.ts";

export interface DatasetFacts {
  /** The steps of registered pipelines that write it, by their pipelines. */
  readonly madeBy: readonly PipelineSteps[];
  readonly readBy: readonly PipelineSteps[];
  /** The pipelines whose keys are a column's values. */
  readonly keysOf: readonly { readonly pipeline: string; readonly column: string }[];
  /** What a pipeline declares that it is; null where they know it by its name alone. */
  readonly columns: readonly Column[] | null;
  readonly partitionBy: readonly Field[] | null;
  readonly doc: string | null;
  /** Where its table was when a run last committed to it; null if none has. */
  readonly location: string | null;
  readonly commits: Bounded;
  /** Whether a run of a pipeline that writes it is going on. */
  readonly isBeingWritten: boolean;
}

interface PipelineSteps {
  readonly pipeline: string;
  readonly steps: readonly string[];
}

/** A snapshot that a run has made. */
export interface SnapshotRow {
  readonly snapshot: string;
  readonly at: Date;
  readonly operation: string;
  /** Null for what was committed before these were noted. */
  readonly rowsAdded: number | null;
  readonly rowsTotal: number | null;
  readonly pipeline: string;
  readonly run: number;
  readonly step: string;
  readonly partition: string;
  readonly commit: string | null;
}

/** What was added in a stretch of time, and how many rows there were at its end. */
export interface RowsAt {
  readonly at: Date;
  readonly rowsAdded: number | null;
  readonly rowsTotal: number | null;
}

const COMMITS_MAX = 1_000;
const PIPELINES_MAX = 50;
/** So many commits are drawn at most. */
const DRAWN_MAX = 2_000;

/** Undefined if no pipeline has it and no run has committed to it. */
export async function datasetFacts(database: Database, name: string): Promise<DatasetFacts | undefined> {
  type Declared = { readonly columns: readonly Column[] | null; readonly partitionBy: readonly Field[] | null } & {
    readonly doc: string | null;
  };
  interface Link {
    readonly pipeline: string;
    readonly reads: readonly string[];
    readonly writes: readonly string[];
    readonly column: string | null;
    readonly declared: Declared | null;
    readonly isRunning: boolean;
  }
  const [links, [table]] = await Promise.all([
    database.query<Link>(LINKS, [name, PIPELINES_MAX]),
    database.query<{ location: string | null; commits: number }>(TABLE, [name, COMMITS_MAX + 1]),
  ]);
  if (links.length === 0 && table!.commits === 0) return undefined;
  const by = (role: "reads" | "writes") =>
    links.filter((link) => link[role].length > 0).map((link) => ({ pipeline: link.pipeline, steps: link[role] }));
  const declared = links.find((link) => link.declared !== null && link.declared.columns !== null)?.declared;
  return {
    madeBy: by("writes"),
    readBy: by("reads"),
    keysOf: links.flatMap(({ pipeline, column }) => (column === null ? [] : [{ pipeline, column }])),
    columns: declared?.columns ?? null,
    partitionBy: declared?.partitionBy ?? null,
    doc: declared?.doc ?? null,
    location: table!.location,
    commits: bounded(table!.commits, COMMITS_MAX),
    isBeingWritten: links.some(({ writes, isRunning }) => isRunning && writes.length > 0),
  };
}

/** The newest first. @param before only those that were made before this snapshot. */
export async function snapshotsOf(
  database: Database,
  name: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly SnapshotRow[]> {
  return await database.query<SnapshotRow>(SNAPSHOTS, [name, before ?? null, limit]);
}

/** The newest snapshot that was made or read: of a dataset that no run has made, the one that was read last. */
export async function newestRead(database: Database, name: string): Promise<string | undefined> {
  return (await database.query<{ snapshot: string }>(NEWEST_READ, [name]))[0]?.snapshot;
}

/** By commit, the oldest first: of many the newest. */
export async function rowsOverTime(database: Database, name: string): Promise<readonly RowsAt[]> {
  return await database.query<RowsAt>(ROWS, [name, DRAWN_MAX]);
}

const LINKS = {
  name: "page-dataset-links-of",
  text: `
    select p.name as pipeline,
      array(select s->>'name' from jsonb_array_elements(p.description->'steps') s where s->'reads' ? $1) as reads,
      array(select s->>'name' from jsonb_array_elements(p.description->'steps') s where s->'writes' ? $1) as writes,
      case when p.description->'partitions'->>'dataset' = $1 then p.description->'partitions'->>'column' end as column,
      (select d from jsonb_array_elements(p.description->'datasets') d where d->>'name' = $1 limit 1) as declared,
      exists (select from orca.runs where pipeline = p.name and status = 'running') as "isRunning"
    from orca.pipelines p
    where p.program is not null and p.name in (
      select pipeline from orca.pipeline_datasets where dataset = $1 order by role desc, pipeline limit $2)
    order by p.name`,
};

const TABLE = {
  name: "page-dataset-table",
  text: `
    select (select location from orca.commits where dataset = $1 order by at desc limit 1) as location,
      (select count(*)::int from (select from orca.commits where dataset = $1 limit $2) c) as commits`,
};

/** Of attempts that found the same commit, the first is shown. */
const SNAPSHOTS = {
  name: "page-dataset-snapshots",
  text: `
    with cursor as (
      select min(at) as at from orca.commits where dataset = $1 and snapshot = $2::bigint
    )
    select c.snapshot::text, c.at, c.operation, c.rows_added::float8 as "rowsAdded", c.rows_total::float8 as "rowsTotal",
      r.pipeline, c.run::float8 as run, c.step, c.partition, v.commit
    from orca.commits c join orca.runs r on r.id = c.run join orca.versions v on v.id = r.version
    where c.dataset = $1 and ($2::bigint is null or c.at < (select at from cursor))
      and (
        select true from orca.commits first where first.dataset = c.dataset and first.snapshot = c.snapshot
          and (first.at, first.attempt) < (c.at, c.attempt) limit 1) is null
    order by c.at desc, c.snapshot desc limit $3`,
};

const ROWS = {
  name: "page-dataset-rows",
  text: `
    select at, "rowsAdded", "rowsTotal" from (
      select at, rows_added::float8 as "rowsAdded", rows_total::float8 as "rowsTotal"
      from orca.commits where dataset = $1 order by at desc limit $2) c
    order by at`,
};

const NEWEST_READ = {
  name: "page-dataset-newest",
  text: `
    select snapshot::text from (
      (select snapshot, at, 1 as place from orca.commits where dataset = $1 order by at desc limit 1) union all
      (select snapshot, at, 2 from orca.reads where dataset = $1 and snapshot is not null order by at desc limit 1)) t
    order by place limit 1`,
};
