/** DuckDB, which reads and writes data files and runs SQL: one instance for all that a process does with tables. */
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { IcebergError } from "../errors.ts";

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

  /** Nothing is loaded before the first use: DuckDB takes longer than all else at start-up. */
  constructor(options: EngineOptions = {}) {
    this.#options = options;
  }

  /**
   * Does work on a connection of its own, and interrupts its queries when the signal is aborted.
   *
   * @throws IcebergError `query-failed` with what DuckDB says; the signal's reason.
   */
  async use<T>(signal: AbortSignal | undefined, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const instance = await (this.#instance ??= start(this.#options));
    const connection = await instance.connect();
    let interrupting: NodeJS.Timeout | undefined;
    const interrupt = () => {
      interrupting ??= setInterval(() => connection.interrupt(), INTERRUPT_MS);
      connection.interrupt();
    };
    signal?.addEventListener("abort", interrupt);
    try {
      signal?.throwIfAborted();
      await connection.run("SET TimeZone = 'UTC'");
      return await work(connection);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw isDuckError(error) ? new IcebergError("query-failed", sentenceOf(error), { cause: error }) : error;
    } finally {
      signal?.removeEventListener("abort", interrupt);
      clearInterval(interrupting);
      connection.closeSync();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const instance = this.#instance;
    this.#instance = undefined;
    // one that didn't start has nothing to close, and its users were told why
    (await instance?.catch(() => undefined))?.closeSync();
  }
}

async function start({ memoryLimit, temporaryFolder, threads }: EngineOptions): Promise<DuckDBInstance> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  return await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    ...(memoryLimit !== undefined && { memory_limit: memoryLimit }),
    ...(temporaryFolder !== undefined && { temp_directory: temporaryFolder }),
    ...(threads !== undefined && { threads: String(threads) }),
  });
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
