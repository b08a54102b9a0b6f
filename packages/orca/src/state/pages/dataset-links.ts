/** Which pipelines read and write which datasets. */
import type { Database } from "../database.ts";

export interface DatasetLinkRow {
  readonly pipeline: string;
  /** `keys` where its keys are a column's values. */
  readonly role: "reads" | "writes" | "keys";
  readonly dataset: string;
}

/** Of registered pipelines, in the order of their names. */
export async function datasetLinks(database: Database, limit: number): Promise<readonly DatasetLinkRow[]> {
  return await database.query<DatasetLinkRow>(LINKS, [limit]);
}

const LINKS = {
  name: "page-dataset-links",
  text: `select pipeline, role, dataset from orca.pipeline_datasets order by pipeline, role, dataset limit $1`,
};
