/** What is known of the pipelines that are registered. */
import type { DescribedPipeline } from "../core/described.ts";
import { OrcaError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import type { Database } from "./database.ts";

export interface RegisteredPipeline {
  readonly description: DescribedPipeline;
  readonly program: string;
}

/** @throws OrcaError `unknown-pipeline` */
export async function registeredPipeline(database: Database, name: string): Promise<RegisteredPipeline> {
  const [found] = await database.query<RegisteredPipeline>(REGISTERED, [name]);
  if (found !== undefined) return found;
  const all = await database.query<{ name: string }>(NAMES, []);
  const meant = nearest(
    name,
    all.map((row) => row.name),
  );
  throw new OrcaError(
    "unknown-pipeline",
    `no pipeline '${name}' is registered: ${meant === undefined ? "register its program with orca register" : `did you mean '${meant}'?`}`,
  );
}

const REGISTERED = {
  name: "registered",
  text: "select description, program from orca.pipelines where name = $1 and program is not null",
};
const NAMES = {
  name: "registered-names",
  text: "select name from orca.pipelines where program is not null limit 10000",
};
