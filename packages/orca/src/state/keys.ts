/** The keys that there are of a keyed pipeline, for pages to say which were never run. */
import type pg from "pg";
import type { Database } from "./database.ts";

/** Notes the keys that a program said. Those that aren't any more, and were never run, are forgotten. */
export async function recordKeys(client: pg.ClientBase, pipeline: string, keys: readonly string[]): Promise<void> {
  const added = await client.query(ADD, [pipeline, keys]);
  const gone = await client.query(FORGET, [pipeline, keys]);
  if ((added.rowCount ?? 0) + (gone.rowCount ?? 0) > 0)
    await client.query("select orca.note_key_changes_of(array[$1], array[null::bigint])", [pipeline]);
}

const ADD = `
  insert into orca.keys (pipeline, key) select $1, key collate "C" from unnest($2::text[]) as t (key) order by 2
  on conflict do nothing`;
/** Of many that aren't said any more some are looked at, others the next time: those that were run stay, and are looked up again. */
const FORGET = `
  with gone as materialized (
    select key from orca.keys where pipeline = $1 and code is null
    except select key collate "C" from unnest($2::text[]) as t (key)
  ), sampled as materialized (
    select key from gone order by random() limit 500
  ), never as materialized (
    select key from sampled where (select true from orca.run_keys r where r.pipeline = $1 and r.key = sampled.key limit 1) is null
  )
  delete from orca.keys where pipeline = $1 and key in (select key from never)`;

/** Those that nothing is known of: at most 10. */
export async function unknownKeys(
  database: Database,
  pipeline: string,
  keys: readonly string[],
): Promise<readonly string[]> {
  const rows = await database.query<{ key: string }>(UNKNOWN, [pipeline, keys]);
  return rows.map((row) => row.key);
}

const UNKNOWN = {
  name: "page-unknown-keys",
  text: `
    select key from unnest($2::text[]) as given (key)
    where (select true from orca.keys where pipeline = $1 and key = given.key collate "C" limit 1) is null limit 10`,
};
