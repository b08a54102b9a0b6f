/** The suite's own Postgres, and what it asks there besides the proxy: through all restarts. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type EmbeddedPostgres, openEmbedded } from "../../packages/orca/dist/postgres/embedded.js";

const TRIES_MAX = 400;
const TRY_AGAIN_MS = 50;
const TIMEOUTS = { connectionTimeoutMillis: 5_000, query_timeout: 20_000 };

export class ChaosDatabase implements AsyncDisposable {
  readonly name: string;
  /** The folder with the server's data and socket. */
  readonly #data: string;
  readonly #server: EmbeddedPostgres;
  readonly #admin: pg.Pool;
  readonly #pool: pg.Pool;

  private constructor(server: EmbeddedPostgres, name: string) {
    this.name = name;
    this.#server = server;
    this.#data = new URL(server.url).searchParams.get("host")!;
    this.#admin = this.#poolOf("postgres");
    this.#pool = this.#poolOf(name);
  }

  /** Makes an empty database. @param folder of a server that others may use as well. */
  static async create(folder: string, name: string): Promise<ChaosDatabase> {
    const database = new ChaosDatabase(await openEmbedded(folder), name);
    await database.#patiently(database.#admin, `drop database if exists ${name} with (force)`);
    await database.#patiently(database.#admin, `create database ${name}`);
    return database;
  }

  get url(): string {
    return `postgres://orca@localhost/${this.name}?host=${encodeURIComponent(this.#data)}`;
  }

  get socketPath(): string {
    return path.join(this.#data, ".s.PGSQL.5432");
  }

  /** Asks until the server answers. */
  async sql<Row extends object = Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    return (await this.#patiently(this.#pool, text, values)).rows as Row[];
  }

  /** Ends all connections to the database but the suite's. */
  async terminate(): Promise<void> {
    await this.#patiently(
      this.#admin,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name <> 'chaos'",
      [this.name],
    );
  }

  /** Locks the rows of the runs for that long, so that whatever changes them waits. Settles when they are locked. */
  async lockRuns(ms: number): Promise<void> {
    const client = await this.#pool.connect().catch(() => undefined);
    client?.on("error", () => {});
    const release = () =>
      client?.query("rollback").then(
        () => client.release(),
        (error: Error) => client.release(error),
      );
    try {
      await client?.query("begin; set local lock_timeout = 50"); // who has it may be held by the proxy
      await client?.query("select from orca.runs for update");
      setTimeout(() => void release(), ms);
    } catch {
      await release(); // there is no such table yet, or no server, or it is locked
    }
  }

  /** Ends the server by a signal, and waits until it is back. */
  async restart(signal: NodeJS.Signals): Promise<void> {
    const pid = () => Number(readFileSync(path.join(this.#data, "postmaster.pid"), "utf8").split("\n", 1)[0]);
    process.kill(pid(), signal);
    await sleep(TRY_AGAIN_MS);
    await this.sql("select");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
    await this.#patiently(this.#admin, `drop database if exists ${this.name} with (force)`);
    await this.#admin.end();
    await this.#server[Symbol.asyncDispose]();
  }

  #poolOf(database: string): pg.Pool {
    const pool = new pg.Pool({
      host: this.#data,
      user: "orca",
      database,
      max: 3,
      application_name: "chaos",
      ...TIMEOUTS,
    });
    return pool.on("error", () => {}); // the server is restarted under it
  }

  async #patiently(pool: pg.Pool, text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    for (let tries = 0; ; tries++) {
      try {
        return await pool.query(text, [...values]);
      } catch (error) {
        if (tries === TRIES_MAX || !isOfRestart(error as Error & { code?: string })) throw error;
        await sleep(TRY_AGAIN_MS);
      }
    }
  }
}

function isOfRestart({ code, message }: Error & { code?: string }): boolean {
  return code === undefined ? /connection|timeout/i.test(message) : /^(57P|08|E[A-Z]+$)/.test(code);
}
