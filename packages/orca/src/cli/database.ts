/** The database that a command works in. */
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { OrcaError } from "../core/errors.ts";
import type { DatabaseUrl } from "../postgres/database-url.ts";
import { openEmbedded } from "../postgres/embedded.ts";
import { dataOf } from "../postgres/places.ts";
import { Database } from "../state/database.ts";
import { migrate } from "../state/migrate.ts";
import { warningsOf, type Terminal } from "./command-line.ts";
import type { Environment } from "./environment.ts";
import { needsDatabase } from "./run-command.ts";

/** A database that is fit to record in. */
export interface OpenDatabase extends AsyncDisposable {
  readonly database: Database;
  /** Where it is, for other processes. */
  readonly url: string;
}

/**
 * Opens the database that a variable names, and brings its schema up to date. An embedded one is started if it doesn't run, and used until this
 * is disposed.
 *
 * @param options.make whether an embedded one is made where there is none.
 * @param options.byIndex as of a `Database`.
 * @throws OrcaError `database-unreachable`, at once; `database-unfit`; `embedded-postgres`.
 */
export async function openDatabase(
  place: DatabaseUrl,
  environment: Environment,
  warn: (sentence: string) => void,
  { make, byIndex = false }: { readonly make: boolean; readonly byIndex?: boolean },
): Promise<OpenDatabase> {
  if (place.kind === "embedded" && !make) needsCluster(place.folder);
  if (place.kind === "server") return await openAt(place.url, environment, warn, byIndex);
  const server = await openEmbedded(place.folder);
  try {
    const open = await openAt(server.url, environment, warn, byIndex);
    return {
      ...open,
      async [Symbol.asyncDispose]() {
        await open[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** Opens the one that there is, for a command that makes none. @throws OrcaError as `openDatabase`; `usage` if none is named. */
export async function openExisting(environment: Environment, terminal: Terminal): Promise<OpenDatabase> {
  return await openDatabase(needsDatabase(environment), environment, warningsOf(terminal), { make: false });
}

async function openAt(
  url: string,
  { ORCA_DATABASE_PATIENCE_SECONDS }: Environment,
  warn: (sentence: string) => void,
  byIndex: boolean,
): Promise<OpenDatabase> {
  const database = new Database(url, { patienceMs: 0, warn, byIndex });
  try {
    await migrate(database);
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
  database.patienceMs = ORCA_DATABASE_PATIENCE_SECONDS * 1000;
  return { database, url, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

function needsCluster(folder: string): void {
  if (existsSync(join(dataOf(folder), "PG_VERSION"))) return;
  const from = isAbsolute(folder) ? "" : `, as seen from ${process.cwd()}`;
  throw new OrcaError("database-unreachable", `there is no database in ${folder}${from}: a run makes one`);
}
