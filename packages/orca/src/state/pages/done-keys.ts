/** How many of pipelines' keys are done: what takes time with how many there are. */
import type { DuePartitions } from "../../core/schedule/due-partitions.ts";
import type { Database } from "../database.ts";

/** What is counted. */
export interface KeysToCount {
  readonly pipeline: string;
  /** The mapped steps with their present code; of a pipeline that has none, one without a name, with the pipeline's hash. */
  readonly steps: readonly { readonly name: string; readonly hash: string }[];
  /** The months or days that count; undefined for names, of which all do. */
  readonly due: DuePartitions | undefined;
}

export interface KeyCounts {
  /** Of names those that a run was ever asked for. */
  readonly due: number;
  /** Those of which every step is done with its present code. */
  readonly done: number;
}

/** In the order given. At 120,000 keys of two steps it takes a second on a busy machine: its results are to be remembered. */
export async function countKeys(database: Database, given: readonly KeysToCount[]): Promise<readonly KeyCounts[]> {
  const rows = await database.query<{ done: number; known: number | null }>(COUNTS, [
    JSON.stringify(
      given.map(({ pipeline, steps, due }) => ({
        pipeline,
        steps: steps.map((step) => step.name),
        hashes: steps.map((step) => step.hash),
        first: due?.first ?? null,
        last: due?.last ?? null,
      })),
    ),
  ]);
  return rows.map(({ done, known }, place) => ({ done, due: known ?? given[place]!.due!.count }));
}

/** Keys that runs were asked for may have been forgotten since, by pruning; what is done never is. */
const COUNTS = {
  name: "page-done-keys",
  text: `
    with given as (
      select n, g->>'pipeline' as pipeline, g->>'first' as first, g->>'last' as last,
        array(select jsonb_array_elements_text(g->'steps')) as steps, array(select jsonb_array_elements_text(g->'hashes')) as hashes
      from jsonb_array_elements($1::jsonb) with ordinality as t (g, n)
    )
    select
      (select count(*)::int from (
        select from unnest(g.steps, g.hashes) as c (step, hash) join orca.partition_state s
          on s.pipeline = g.pipeline collate "C" and s.step = c.step collate "C" and s.hash = c.hash
            and (g.first is null or s.key between (g.first collate "C") and (g.last collate "C"))
        group by s.key having count(*) = cardinality(g.steps)) d) as done,
      case when g.first is null then (
        select count(*)::int from (
          select key from orca.run_keys where pipeline = g.pipeline collate "C"
          union select key from orca.partition_state where pipeline = g.pipeline collate "C" and step = any (g.steps)) k
      ) end as known
    from given g order by g.n`,
};
