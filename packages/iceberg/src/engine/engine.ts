/** DuckDB, which reads and writes data files and runs SQL: one instance for all that a process does with tables. */
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { IcebergError } from "../errors.ts";
import type { SqlTag } from "../sql/in-sql.ts";
import { sqlTag } from "../sql/query.ts";
import { readTextsWhole } from "./whole-texts.ts";

export interface EngineOptions {
  /** DuckDB's limit, such as `2GB` or `50%`. Default: 80% of the machine's. */
  readonly memoryLimit?: string | undefined;
  /** Where DuckDB puts what doesn't fit into memory, and files of other machines are kept while they are read. Default: the system's. */
  readonly temporaryFolder?: string | undefined;
  /** How many threads work on queries. Default: one a core. */
  readonly threads?: number | undefined;
}

/** What waits between two interrupts: between two statements there is nothing to interrupt. */
const INTERRUPT_MS = 10;

export class Engine implements AsyncDisposable {
  readonly #options: EngineOptions;
  #instance: Promise<DuckDBInstance> | undefined;
  /** An instance that is closed while it makes a connection ends the process. */
  readonly #opening = new Set<Promise<EngineSession>>();

  /**
   * Makes queries: `` engine.sql`select day, sum(rain) from ${scan} where day > ${day} group by day` ``. Scans and other queries stand for
   * tables, and values are bound, never part of the text.
   *
   * @throws IcebergError `query-failed` if something that is interpolated can't stand in SQL.
   */
  readonly sql: SqlTag = sqlTag(this);

  /** Nothing is loaded before the first use: DuckDB takes longer than all else at start-up. */
  constructor(options: EngineOptions = {}) {
    this.#options = options;
  }

  /** Where files are kept that are of use only for a while. */
  get temporaryFolder(): string {
    return this.#options.temporaryFolder ?? tmpdir();
  }

  /**
   * Does work on a connection of its own, and interrupts its queries when the signal is aborted.
   *
   * @throws IcebergError `query-failed` with what DuckDB says; the signal's reason.
   */
  async use<T>(signal: AbortSignal | undefined, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    using session = await this.open(signal);
    try {
      return await work(session.connection);
    } catch (error) {
      throw session.errorOf(error);
    }
  }

  /** A connection of its own, whose queries are interrupted when the signal is aborted. @throws the signal's reason. */
  async open(signal?: AbortSignal): Promise<EngineSession> {
    signal?.throwIfAborted();
    const opening = this.#connect(signal);
    this.#opening.add(opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(opening);
    }
  }

  async #connect(signal: AbortSignal | undefined): Promise<EngineSession> {
    const instance = await (this.#instance ??= start(this.#options, this.temporaryFolder));
    return new EngineSession(await instance.connect(), signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const instance = this.#instance;
    this.#instance = undefined;
    await Promise.allSettled(this.#opening);
    // one that didn't start has nothing to close, and its users were told why
    (await instance?.catch(() => undefined))?.closeSync();
  }
}

/** A connection that is in use, until it is disposed. */
export class EngineSession implements Disposable {
  readonly connection: DuckDBConnection;
  readonly #signal: AbortSignal | undefined;
  #interrupting: NodeJS.Timeout | undefined;

  constructor(connection: DuckDBConnection, signal: AbortSignal | undefined) {
    this.connection = connection;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#interrupt);
  }

  readonly #interrupt = (): void => {
    this.#interrupting ??= setInterval(() => this.connection.interrupt(), INTERRUPT_MS);
    this.connection.interrupt();
  };

  /** What to throw for an error of the connection's: the signal's reason if it was aborted, or an IcebergError with what DuckDB says. */
  errorOf(error: unknown): unknown {
    if (this.#signal?.aborted) return this.#signal.reason;
    return isDuckError(error) ? new IcebergError("query-failed", sentenceOf(error), { cause: error }) : error;
  }

  [Symbol.dispose](): void {
    this.#signal?.removeEventListener("abort", this.#interrupt);
    clearInterval(this.#interrupting);
    this.connection.closeSync();
  }
}

async function start({ memoryLimit, threads }: EngineOptions, temporaryFolder: string): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  await readTextsWhole();
  try {
    const instance = await DuckDBInstance.create(":memory:", {
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      ...(memoryLimit !== undefined && { memory_limit: memoryLimit }),
      // one of its own, which DuckDB makes when it needs it: it deletes the files of another instance's when it ends
      temp_directory: path.join(temporaryFolder, `iceberg-duckdb-${randomUUID()}`),
      ...(threads !== undefined && { threads: String(threads) }),
    });
    const connection = await instance.connect();
    await connection.run("SET GLOBAL TimeZone = 'UTC'"); // of all connections to come
    connection.closeSync();
    return instance;
  } catch (cause) {
    const options = `memoryLimit ${memoryLimit ?? "none"}, threads ${threads ?? "all"}`;
    throw new IcebergError("query-failed", `DuckDB doesn't start with ${options}: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function isDuckError(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error;
}

/** What DuckDB says, without the layers that it went through and the drawing of where in the text it is. */
function sentenceOf({ message }: Error): string {
  return message
    .replace(/^Failed to \w+ statements?: /, "")
    .split(/\n\s*LINE \d+:/)[0]!
    .trim();
}
