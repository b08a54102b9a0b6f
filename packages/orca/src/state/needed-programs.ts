/** Which kept programs a database's pipelines and runs need. */
import type { Database } from "./database.ts";
import { ONE_AT_A_TIME } from "./registration.ts";

/** Tells a database from all others, for the folder that its programs are kept in: a copy of it has another one, which knows nothing of what it needs. */
export async function nameOfDatabase(database: Database): Promise<string> {
  const [row] = await database.query<{ name: string }>(NAME, []);
  return row!.name;
}

const NAME = {
  name: "name-of-database",
  text: `
    select (select system_identifier from pg_control_system()) || '-' || oid as name
    from pg_database where datname = current_database()`,
};

/**
 * Does work that must meet no registration halfway: what it is given is needed, and nothing else comes to be until it is done.
 *
 * @param work takes the programs of registered pipelines, which their queued runs are going to have, and those of runs that are going on.
 */
export async function withNeededPrograms<T>(
  database: Database,
  work: (needed: ReadonlySet<string>) => Promise<T>,
): Promise<T> {
  return await database.transaction(async (client) => {
    await client.query(ONE_AT_A_TIME);
    const { rows } = await client.query<{ program: string }>(NEEDED);
    return await work(new Set(rows.map((row) => row.program)));
  });
}

/** One statement: a run that is taken while it is registered anew has the one program or the other. */
const NEEDED = `
  select program from orca.pipelines where program is not null
  union
  select program from orca.runs where status = 'running' and program is not null`;
