/** What has a name or a number that is looked for. */
import type { Database } from "../database.ts";

export interface Found {
  readonly kind: "pipeline" | "dataset" | "run" | "key";
  /** Its name or number. */
  readonly name: string;
  /** Of a run or a key, whose it is. */
  readonly pipeline: string | null;
  /** Of a run. */
  readonly status: string | null;
}

const OF_A_KIND = 8;
/** Names are looked through up to so many. */
const NAMES_MAX = 10_000;
/** So many pipelines are asked for a key. */
const PIPELINES_MAX = 1_000;

/**
 * Pipelines and datasets that have the text in their names, those that begin with it first; the run of that number; and keys that begin with it. At most
 * 8 of each.
 */
export async function search(database: Database, text: string): Promise<readonly Found[]> {
  const run = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
  return await database.query<Found>(SEARCH, [
    text,
    run !== null && Number.isSafeInteger(run) ? run : null,
    OF_A_KIND,
    NAMES_MAX,
    PIPELINES_MAX,
  ]);
}

/** A key is looked for in each pipeline apart, by their index: it has the pipelines first. Nothing is after the last character that there is. */
const SEARCH = {
  name: "page-search",
  text: `
    (select 'run' as kind, id::text as name, pipeline, status from orca.runs where id = $2::bigint)
    union all
    (select 'pipeline', name, null, null
      from (select name from orca.pipelines where program is not null order by name limit $4) p
      where strpos(lower(name), lower($1)) > 0 order by strpos(lower(name), lower($1)) > 1, name limit $3)
    union all
    (select 'dataset', dataset, null, null
      from (select distinct dataset from (select dataset from orca.pipeline_datasets order by dataset limit $4) l) d
      where strpos(lower(dataset), lower($1)) > 0 order by strpos(lower(dataset), lower($1)) > 1, dataset limit $3)
    union all
    (select 'key', k.key, p.name, null
      from (select name from orca.pipelines where program is not null order by name limit $5) p
        cross join lateral (
          select distinct key from (
            select key from orca.run_keys
            where pipeline = p.name and key >= $1 collate "C" and key < ($1 || chr(1114111)) collate "C"
            order by key limit $3 * 4) n) k
      order by k.key, p.name limit $3)`,
};
