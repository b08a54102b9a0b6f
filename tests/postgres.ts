/** A real Postgres for tests: one server for all of them, and a database of its own for each that asks. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the server's own database. */
    readonly postgresUrl: string;
  }
}

/** A database that is dropped when it is disposed. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** Runs a statement as the database's owner, and gives its rows. */
  sql<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const server = inject("postgresUrl");
  await once(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 2, options: "-c search_path=public" });
  pool.on("error", () => {}); // tests end connections
  return {
    url: url.href,
    sql: async (text, values = []) => (await pool.query(text, [...values])).rows,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await once(server, `drop database ${name} with (force)`);
    },
  };
}

async function once(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
