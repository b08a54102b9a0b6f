/** The database that a command works in. */
import { Database } from "../state/database.ts";
import { migrate } from "../state/migrate.ts";
import type { Environment } from "./environment.ts";

/** A database that is fit to record in. */
export interface OpenDatabase extends AsyncDisposable {
  readonly database: Database;
  /** Where it is, for other processes. */
  readonly url: string;
}

/**
 * Opens the database that a variable names, and brings its schema up to date.
 *
 * @throws OrcaError `database-unreachable`, at once; `database-unfit`.
 */
export async function openDatabase(
  url: string,
  { ORCA_DATABASE_PATIENCE_SECONDS }: Environment,
  warn: (sentence: string) => void,
): Promise<OpenDatabase> {
  await using starting = new Database(url, { patienceMs: 0, warn, connections: 1 });
  await migrate(starting);
  const database = new Database(url, { patienceMs: ORCA_DATABASE_PATIENCE_SECONDS * 1000, warn });
  return { database, url, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}
