/** Brings a database's schema up to this program's. */
import { createHash } from "node:crypto";
import type pg from "pg";
import { OrcaError } from "../core/errors.ts";
import type { Database } from "./database.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";

const SERVER_VERSION_MIN = 14;
/** Of all locks of Orca's that belong to no row. */
const LOCK = "orca.schema";

/**
 * Checks that a database is fit to record in, and applies the migrations that it lacks. Any number of processes may do it at once.
 *
 * @throws OrcaError `database-unfit` if the server is older than Postgres 14, may lose what it has committed, or has a schema of a newer Orca.
 */
export async function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const [server] = await database.query<{ version: number; sync: string; known: boolean }>(SERVER, []);
  checkServer(server!);
  if (server!.known && missing(migrations, await database.query<Applied>(APPLIED, [])).length === 0) return;
  await database.transaction(async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [LOCK]);
    await client.query(SCHEMA);
    const { rows } = await client.query<Applied>(APPLIED.text);
    for (const migration of missing(migrations, rows)) await apply(client, migration);
  });
}

interface Applied {
  readonly version: number;
  readonly checksum: string;
}

const SERVER = {
  name: "server",
  text: `select current_setting('server_version_num')::int / 10000 as version, current_setting('synchronous_commit') as sync,
           to_regclass('orca.schema_migrations') is not null as known`,
};
const APPLIED = { name: "applied", text: "select version, checksum from orca.schema_migrations order by version" };
/** `create schema if not exists` takes the right to make one also where it is there. */
const SCHEMA = `
  do $$ begin if to_regnamespace('orca') is null then create schema orca; end if; end $$;
  create table if not exists orca.schema_migrations (
    version integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`;

function checkServer({ version, sync }: { readonly version: number; readonly sync: string }): void {
  if (version < SERVER_VERSION_MIN)
    throw new OrcaError(
      "database-unfit",
      `the database is Postgres ${version}: Orca needs ${SERVER_VERSION_MIN} or newer`,
    );
  if (sync === "off")
    throw new OrcaError(
      "database-unfit",
      "the database has synchronous_commit off, so that it may lose what it said is recorded: set it to on",
    );
}

/** The migrations that aren't applied yet. */
function missing(migrations: readonly Migration[], applied: readonly Applied[]): readonly Migration[] {
  for (const { version, checksum } of applied) {
    const known = migrations[version - 1];
    if (known === undefined)
      throw new OrcaError(
        "database-unfit",
        `the database's schema is of a newer Orca (migration ${version}; this one knows ${migrations.length}): use that one`,
      );
    if (checksumOf(known) !== checksum)
      throw new OrcaError("database-unfit", `migration ${version} of the database's schema isn't the one of this Orca`);
  }
  return migrations.slice(applied.length);
}

async function apply(client: pg.ClientBase, migration: Migration): Promise<void> {
  const { version, name, sql } = migration;
  await client.query(sql);
  const values = [version, name, checksumOf(migration)];
  await client.query("insert into orca.schema_migrations (version, name, checksum) values ($1, $2, $3)", values);
}

function checksumOf({ sql }: Migration): string {
  return createHash("sha256").update(sql).digest("hex");
}
