/** Postgres, as Orca uses it: statements that may be sent again, through outages that pass. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { databaseError, isOutage } from "./database-error.ts";

/** A statement that is prepared once a connection, by its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface DatabaseOptions {
  /** How many connections there may be at once: 4. */
  readonly connections?: number;
  /** Whether rows are looked up by indexes wherever there is one, as is right for a few of many, rather than as the statistics say: false. */
  readonly byIndex?: boolean;
  /** How long an outage may last before what waits for the database fails. */
  readonly patienceMs: number;
  /** Is told, in a sentence, of an outage when it begins and when it is over. */
  readonly warn: (sentence: string) => void;
}

/** Waits between attempts to reach the database: doubled from the first to the last. */
const WAIT_MS = { first: 20, last: 1_000 };
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * A plan that was made when a table was small, or with statistics of then, reads it from end to end when it has grown: also those of triggers and of
 * foreign keys. The cost that earlier versions of Postgres put on such reads has them compile what they can't do otherwise.
 * A bitmap is of all that an index finds, however few of it are wanted.
 */
const BY_INDEX = "set enable_seqscan to off; set enable_bitmapscan to off; set jit to off";

export class Database implements AsyncDisposable {
  /** How long an outage may last before what waits for the database fails. */
  patienceMs: number;
  readonly #pool: pg.Pool;
  readonly #warn: (sentence: string) => void;

  /** @param url of a Postgres server, as libpq takes it. Nothing is connected before the first statement. */
  constructor(url: string, options: DatabaseOptions) {
    this.patienceMs = options.patienceMs;
    this.#warn = options.warn;
    this.#pool = new pg.Pool({
      ...connectionTo(url),
      max: options.connections ?? 4,
      allowExitOnIdle: true,
      verify: options.byIndex === true ? (client, done) => client.query(BY_INDEX, done) : undefined,
    });
    // of a connection that is lost while nothing waits for it: the next statement fails by it, or a new one is made
    this.#pool.on("error", () => {}).on("connect", (client) => client.on("error", () => {}));
  }

  /**
   * Runs a statement, again and again while the database is out of reach. It may then run twice, when the reply to the first was lost: it has
   * to find its own work.
   *
   * @returns the rows.
   * @throws OrcaError `database-unreachable` when patience is over.
   */
  async query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return await this.#patiently(async () => (await this.#pool.query<Row>({ ...statement, values: [...values] })).rows);
  }

  /** Does work in one transaction, with the same promise and the same demand as `query`. */
  async transaction<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    return await this.#patiently(async () => {
      const client = await this.#pool.connect();
      let fault: Error | undefined;
      try {
        await client.query("begin");
        const result = await work(client);
        await client.query("commit");
        return result;
      } catch (error) {
        fault = error as Error;
        if (!isOutage(error))
          await client.query("rollback").then(
            () => (fault = undefined),
            () => {},
          );
        throw error;
      } finally {
        client.release(fault); // one whose state isn't known is closed
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const warn = this.#warn;
    let downSince: number | undefined;
    for (let wait = WAIT_MS.first; ; wait = Math.min(wait * 2, WAIT_MS.last)) {
      try {
        const result = await work();
        if (downSince !== undefined) warn("the database is back");
        return result;
      } catch (error) {
        if (!isOutage(error)) throw databaseError(error);
        const now = performance.now();
        if (downSince === undefined && this.patienceMs > 0)
          warn(`the database is out of reach, and is tried again: ${(error as Error).message}`);
        downSince ??= now;
        if (now - downSince + wait > this.patienceMs) throw databaseError(error);
      }
      await sleep(wait * (0.5 + Math.random()));
    }
  }
}

/** What `pg` is to connect with. */
export function connectionTo(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "orca",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
}
