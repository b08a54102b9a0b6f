/** What is known of the pipelines that are registered. */
import type pg from "pg";
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
  throw unknownPipeline(name, await database.query<{ name: string }>(NAMES, []));
}

const REGISTERED = {
  name: "registered",
  text: "select description, program from orca.pipelines where name = $1 and program is not null",
};
const NAMES = {
  name: "registered-names",
  text: "select name from orca.pipelines where program is not null limit 10000",
};

/** Has others wait that would change the pipeline, or start or queue runs of it. @throws OrcaError `unknown-pipeline` */
export async function lockRegistered(client: pg.ClientBase, name: string): Promise<DescribedPipeline> {
  const { rows } = await client.query<{ description: DescribedPipeline }>(LOCKED, [name]);
  const [found] = rows;
  if (found !== undefined) return found.description;
  throw unknownPipeline(name, (await client.query<{ name: string }>(NAMES)).rows);
}

const LOCKED = "select description from orca.pipelines where name = $1 and program is not null for no key update";

function unknownPipeline(name: string, all: readonly { readonly name: string }[]): OrcaError {
  const meant = nearest(
    name,
    all.map((row) => row.name),
  );
  const todo = meant === undefined ? "register its program with orca register" : `did you mean '${meant}'?`;
  return new OrcaError("unknown-pipeline", `no pipeline '${name}' is registered: ${todo}`);
}
