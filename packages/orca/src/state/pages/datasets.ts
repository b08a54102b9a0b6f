/** Datasets as they are listed: those that registered pipelines read, write or take their keys from. */
import type { Database } from "../database.ts";
import { bounded, type Bounded } from "./bounded.ts";

export interface DatasetRow {
  readonly name: string;
  /** The pipelines that write it; none if Orca doesn't make it. At most 10. */
  readonly madeBy: readonly string[];
  /** Those that read it or take their keys from it. At most 10. */
  readonly readBy: readonly string[];
  /** What runs have committed to it. */
  readonly commits: Bounded;
  /** The newest commit; null if no run has made one. */
  readonly newest: NewestCommit | null;
}

interface NewestCommit {
  readonly snapshot: string;
  readonly at: Date;
  /** How many rows it had with it, if that is known. */
  readonly rowsTotal: number | null;
}

const COMMITS_MAX = 1_000;
const PIPELINES_MAX = 10;

/** In the order of their names. @param after only those whose names come later. */
export async function listDatasets(
  database: Database,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly DatasetRow[]> {
  return datasetsIn(await database.query<Row>(LIST, [after, limit, COMMITS_MAX + 1, PIPELINES_MAX]));
}

interface Row extends Pick<DatasetRow, "name" | "madeBy" | "readBy"> {
  readonly commits: number;
  readonly snapshot: string | null;
  readonly at: Date | null;
  readonly rowsTotal: number | null;
}

function datasetsIn(rows: readonly Row[]): readonly DatasetRow[] {
  return rows.map(({ commits, snapshot, at, rowsTotal, ...row }) => ({
    ...row,
    commits: bounded(commits, COMMITS_MAX),
    newest: snapshot === null ? null : { snapshot, at: at!, rowsTotal },
  }));
}

/** Each name is looked up after the one before: to read all links for them would take as long as there are links. */
const LIST = {
  name: "page-datasets",
  text: `
    with recursive names as (
      (select dataset as name, 1 as n from orca.pipeline_datasets where dataset > $1 order by dataset limit 1)
      union all
      select (select dataset from orca.pipeline_datasets where dataset > names.name order by dataset limit 1), n + 1
      from names where names.name is not null and n < $2
    )
    select d.name,
      array(select pipeline from orca.pipeline_datasets
        where dataset = d.name and role = 'writes' order by pipeline limit $4) as "madeBy",
      array(select distinct pipeline from orca.pipeline_datasets
        where dataset = d.name and role <> 'writes' order by pipeline limit $4) as "readBy",
      (select count(*)::int from (select from orca.commits where dataset = d.name limit $3) c) as commits,
      c.snapshot::text, c.at, c.rows_total::float8 as "rowsTotal"
    from names d
      left join lateral (
        select snapshot, at, rows_total from orca.commits where dataset = d.name order by at desc limit 1) c on true
    where d.name is not null order by d.name`,
};
