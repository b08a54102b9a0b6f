/** Rows to come: what a scan or a query gives, in any form. */
import type { DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";
import type { Abortable } from "@orcajs/objectstore";
import type { Table } from "apache-arrow";
import { IcebergError } from "../errors.ts";
import type { Field } from "../schema/type.ts";
import type { Engine } from "./engine.ts";
import { fromDuck, type FromDuck } from "./duck-values.ts";
import { resultOf } from "./query-result.ts";
import type { PreparedQuery, QuerySource } from "./query-source.ts";

/** A row whose columns aren't known. */
export type Row = Record<string, unknown>;

/** Some of the rows, by columns. */
export interface ColumnBatch {
  readonly rowCount: number;
  /** The values of each column, in its order among the columns. */
  readonly columns: Readonly<Record<string, readonly unknown[]>>;
}

/**
 * Rows to come: they are read when they are asked for, and anew each time. Iterate over them, in bounded memory; have them as an array, as columns or in Arrow;
 * put them into SQL, where they stand for a table; or write them to a table, without a row in JavaScript.
 */
export abstract class Relation<out R = Row> implements AsyncIterable<R>, QuerySource {
  readonly engine: Engine;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  abstract prepare(connection: DuckDBConnection, options?: Abortable): Promise<PreparedQuery>;

  /** The fields of a table that the columns are, if they are of one: some types aren't the same in DuckDB. */
  protected fields(): Promise<readonly Field[] | undefined> {
    return Promise.resolve(undefined);
  }

  /** What is thrown where reading the rows has failed: for those who have errors of their own. */
  protected errorOf(error: unknown): unknown {
    return error;
  }

  [Symbol.asyncIterator](): AsyncGenerator<R, void, void> {
    return this.rows();
  }

  /** The rows, one after the other. */
  async *rows(options: Abortable = {}): AsyncGenerator<R, void, void> {
    for await (const { names, converters, chunk } of this.#chunks(options)) {
      const columns = this.#columnsOf(chunk, converters);
      for (let i = 0; i < chunk.rowCount; i++) {
        const row: Record<string, unknown> = {};
        for (let column = 0; column < names.length; column++) setColumn(row, names[column]!, columns[column]![i]);
        yield row as R;
      }
    }
  }

  /** All rows at once, in memory. */
  async toArray(options: Abortable = {}): Promise<R[]> {
    const rows: R[] = [];
    for await (const row of this.rows(options)) rows.push(row);
    return rows;
  }

  /** The rows by columns, some thousand at a time. */
  async *batches(options: Abortable = {}): AsyncGenerator<ColumnBatch, void, void> {
    for await (const { names, converters, chunk } of this.#chunks(options)) {
      if (chunk.rowCount === 0) return;
      const columns = this.#columnsOf(chunk, converters).map((values, i) => [names[i]!, values] as const);
      yield { rowCount: chunk.rowCount, columns: Object.fromEntries(columns) };
    }
  }

  /** All rows as a table of Arrow's, in memory. It takes the package `apache-arrow`. */
  async toArrow(options: Abortable = {}): Promise<Table> {
    const [{ arrowTable }, fields] = await Promise.all([import("./arrow.ts"), this.fields()]);
    return await arrowTable(this.#chunks(options), fields);
  }

  #columnsOf(chunk: DuckDBDataChunk, converters: readonly FromDuck[]): readonly unknown[][] {
    try {
      return converters.map((convert, i) => chunk.getColumnValues(i).map(convert));
    } catch (error) {
      throw this.errorOf(error);
    }
  }

  /** At least one, which has no rows if there are none. */
  async *#chunks({ signal }: Abortable): AsyncGenerator<DuckChunk, void, void> {
    const duck = await import("@duckdb/node-api");
    using session = await this.engine.open(signal);
    let prepared: PreparedQuery | undefined;
    try {
      prepared = await this.prepare(session.connection, { signal });
      const { names, result, rowCount } = await resultOf(session.connection, prepared.text, duck);
      let given = 0;
      const types = result.columnTypes();
      const fields = await this.fields();
      const converters = types.map((type, i) => fromDuck(type, duck, fields?.[i]?.type));
      for (let isFirst = true; ; isFirst = false) {
        const chunk = await result.fetchChunk();
        signal?.throwIfAborted();
        const isEnd = chunk === null || chunk.rowCount === 0;
        given += chunk?.rowCount ?? 0;
        if (isEnd && rowCount !== undefined && given < rowCount)
          throw new IcebergError(
            "query-failed",
            `${rowCount - given} of the query's ${rowCount} rows can't be read back from DuckDB's temporary files: look whether its temporary folder is full, or others delete files in it`,
          );
        if (isEnd && !isFirst) return;
        yield { names, types, converters, chunk: isEnd ? duck.DuckDBDataChunk.create(types, 0) : chunk };
        // a stream that isn't read to its end keeps the engine's files
        if (isEnd || (given === rowCount && !result.isStreaming)) return;
        signal?.throwIfAborted();
      }
    } catch (error) {
      const thrown = session.errorOf(error);
      if (signal?.aborted) throw thrown;
      throw this.errorOf(prepared?.explain === undefined ? thrown : await prepared.explain(thrown));
    } finally {
      await prepared?.[Symbol.asyncDispose]();
    }
  }
}

function setColumn(row: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
  else row[name] = value;
}

/** Some rows as DuckDB gives them. */
export interface DuckChunk {
  readonly names: readonly string[];
  readonly types: readonly import("@duckdb/node-api").DuckDBType[];
  readonly converters: readonly FromDuck[];
  readonly chunk: DuckDBDataChunk;
}
