/** SQL without tables, in DuckDB: loaded when the first query runs, since it takes longer than all else at start-up. */
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { OrcaError } from "../../core/errors.ts";
import type { SqlFragment } from "../../core/sql/fragment.ts";
import type { Row } from "../../core/sql/relation.ts";
import { fromDuck, type Duck } from "./duck-values.ts";
import { queryText } from "./query-text.ts";
import type { TablesUser } from "../step-tables.ts";

const INTERRUPT_MS = 10;

/** The SQL engine of a run without tables. */
export class SqlEngine implements AsyncDisposable {
  #engine: Promise<{ readonly duck: Duck; readonly instance: DuckDBInstance }> | undefined;
  /** An instance that is closed while it makes a connection ends the process. */
  readonly #opening = new Set<Promise<Session>>();

  /**
   * Runs a query on a connection of its own, so that queries of different steps don't see what others set. It is interrupted when the
   * signal is aborted: DuckDB's threads would hold the process until it is done.
   */
  async query(fragment: SqlFragment, { signal }: Pick<TablesUser, "signal">): Promise<Row[]> {
    const { duck, connection } = await this.#open(signal);
    let interrupting: NodeJS.Timeout | undefined;
    const interrupt = () => {
      // again and again: between two statements there is nothing to interrupt
      interrupting ??= setInterval(() => connection.interrupt(), INTERRUPT_MS);
      connection.interrupt();
    };
    signal.addEventListener("abort", interrupt);
    try {
      await connection.run("SET TimeZone = 'UTC'");
      const { text, values } = queryText(fragment, duck);
      await checkStatement(connection, text);
      const result = await connection.run(text, values);
      const names = result.deduplicatedColumnNames();
      const types = result.columnTypes();
      const rows = await result.getRows();
      signal.throwIfAborted();
      return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, fromDuck(row[i]!, types[i]!, duck)])));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof OrcaError) throw error;
      throw new OrcaError("sql-misfit", `SQL failed: ${sentenceOf(error as Error)}`, { cause: error });
    } finally {
      signal.removeEventListener("abort", interrupt);
      clearInterval(interrupting);
      connection.closeSync();
    }
  }

  async #open(signal: AbortSignal): Promise<Session> {
    const opening = this.#connect(signal);
    this.#opening.add(opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(opening);
    }
  }

  async #connect(signal: AbortSignal): Promise<Session> {
    const { duck, instance } = await (this.#engine ??= start());
    signal.throwIfAborted();
    return { duck, connection: await instance.connect() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const engine = this.#engine;
    this.#engine = undefined;
    await Promise.allSettled(this.#opening);
    // one that didn't start has nothing to close, and its queries have said why
    (await engine?.catch(() => undefined))?.instance.closeSync();
  }
}

interface Session {
  readonly duck: Duck;
  readonly connection: DuckDBConnection;
}

async function start(): Promise<{ readonly duck: Duck; readonly instance: DuckDBInstance }> {
  try {
    const duck = await import("@duckdb/node-api");
    // its decoder takes a byte order mark at the beginning of a text for no part of it; it is looked up at each text
    const { default: accessors } = await import("@duckdb/node-api/lib/vectors/dataAccessors.js");
    Object.assign(accessors, { textDecoder: new TextDecoder("utf-8", { ignoreBOM: true }) });
    const instance = await duck.DuckDBInstance.create(":memory:", {
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
    });
    return { duck, instance };
  } catch (error) {
    const says = (error as Error).message;
    throw new OrcaError("sql-misfit", `SQL's engine, DuckDB, doesn't start: ${says}`, { cause: error });
  }
}

/** @throws OrcaError `sql-misfit` if a text isn't one statement: of several, DuckDB would give the last one's rows. */
async function checkStatement(connection: DuckDBConnection, text: string): Promise<void> {
  if (/^[\s;]*$/.test(text)) throw new OrcaError("sql-misfit", "SQL has no statement");
  const { count } = await connection.extractStatements(text);
  if (count === 1) return;
  // DuckDB makes several of one that pivots; unlike several, it may stand in brackets
  const isOne = await connection.extractStatements(`FROM (${text.replace(/;\s*$/, "")}\n)`).then(
    () => true,
    () => false,
  );
  if (!isOne) throw new OrcaError("sql-misfit", "SQL takes one statement, and this is several: write a query for each");
}

/** What DuckDB says, without the layers that it went through and the drawing of where in the text it is. */
function sentenceOf({ message }: Error): string {
  return message
    .replace(/^Failed to \w+ statements?: /, "")
    .split(/\n\s*LINE \d+:/)[0]!
    .trim();
}
