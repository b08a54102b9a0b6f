import type { DuckDBConnection } from "@duckdb/node-api";
import type { Abortable } from "@orcajs/objectstore";

/** Rows that DuckDB gives: a scan, a query over scans, or rows that were put into DuckDB. */
export interface QuerySource {
  /** Makes what the query needs on a connection: files that are fetched, views, variables. */
  prepare(connection: DuckDBConnection, options?: Abortable): Promise<PreparedQuery>;
}

/** A query on its connection, until it is disposed. */
export interface PreparedQuery extends AsyncDisposable {
  /** One `SELECT` without parameters, which may stand in brackets: in a `COPY`, or as a table of another query. */
  readonly text: string;

  /** What to throw for an error of running the query: one that says which file is at fault, if one is, or else the error itself. */
  explain?(error: unknown): Promise<unknown>;
}
