import type { Database } from "../database.ts";

/** So many are offered to choose from. */
const NAMES_MAX = 500;

/** The names of pipelines, also of those that aren't registered any more, in order. */
export async function pipelineNames(database: Database): Promise<readonly string[]> {
  const rows = await database.query<{ name: string }>(NAMES, [NAMES_MAX]);
  return rows.map(({ name }) => name);
}

const NAMES = { name: "page-pipeline-names", text: "select name from orca.pipelines order by name limit $1" };
