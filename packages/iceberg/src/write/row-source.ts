/** Rows of JavaScript as a query: they are put into DuckDB, those that are too many into files. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { Abortable } from "@orcajs/objectstore";
import { duckType, quotedName, quotedPath, quotedText } from "../engine/duck-type.ts";
import type { PreparedQuery, QuerySource } from "../engine/query-source.ts";
import type { Field } from "../schema/type.ts";
import { duckValues } from "./duck-value.ts";
import { type GivenRows, rowBatches } from "./row-batches.ts";
import { rowValues } from "./row-values.ts";

/** So many values are kept in DuckDB's memory before they go to a file: about 100 MB of numbers. */
const KEPT_VALUES = 8_000_000;

/** Rows as a query over a temporary table, with the columns of `fields`. The table goes with the connection, which whoever writes rows has for that alone. */
export function rowSource(rows: GivenRows, fields: readonly Field[], temporaryFolder: string): QuerySource {
  return {
    async prepare(connection, options) {
      const spilled = new SpilledRows(temporaryFolder);
      try {
        const text = await fill(
          connection,
          rows,
          { fields, spilled, table: quotedName(`rows-${randomUUID()}`) },
          options,
        );
        return { text, [Symbol.asyncDispose]: () => spilled[Symbol.asyncDispose]() };
      } catch (error) {
        await spilled[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

interface RowTable {
  readonly fields: readonly Field[];
  readonly spilled: SpilledRows;
  /** Its name, quoted. */
  readonly table: string;
}

/** Files of rows that were too many for memory, in a folder that is made when there is one. */
class SpilledRows implements AsyncDisposable {
  readonly files: string[] = [];
  readonly #parent: string;
  #folder: string | undefined;

  constructor(parent: string) {
    this.#parent = parent;
  }

  async nextFile(): Promise<string> {
    this.#folder ??= await mkdtemp(path.join(this.#parent, "iceberg-rows-"));
    const file = path.join(this.#folder, `${this.files.length}.parquet`);
    this.files.push(file);
    return file;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

async function fill(
  connection: DuckDBConnection,
  rows: GivenRows,
  { fields, spilled, table }: RowTable,
  { signal }: Abortable = {},
): Promise<PreparedQuery["text"]> {
  const duckdb = await import("@duckdb/node-api");
  const converters = fields.map((f) => duckValues(duckdb, f.type));
  const names = new Set(fields.map((f) => f.name));
  const columns = fields.map((f) => `${quotedName(f.name)} ${duckType(f.type)}`).join(", ");
  const keptRows = Math.ceil(KEPT_VALUES / fields.length);
  const bare = table.slice(1, -1);
  await connection.run(`CREATE TEMP TABLE ${table} (${columns})`);
  let appender = await connection.createAppender(bare, "main", "temp");
  const types = fields.map((_, i) => appender.columnType(i));
  const chunk = duckdb.DuckDBDataChunk.create(types);
  let kept = 0;
  try {
    const valuesOf = (row: unknown, number: number) => rowValues(row, number, fields, names);
    for await (const batch of rowBatches(rows, fields, valuesOf, signal)) {
      const values: DuckDBValue[][] = fields.map(() => []);
      for (const converted of batch) {
        for (let i = 0; i < converted.length; i++) {
          const value = converted[i]!;
          values[i]!.push(value === null ? null : converters[i]!(value));
        }
      }
      chunk.reset();
      chunk.setColumns(values);
      appender.appendDataChunk(chunk);
      kept += batch.length;
      if (kept < keptRows) continue;
      // what waits for this thread, as an abort does, has its turn
      await setImmediate();
      signal?.throwIfAborted();
      appender.closeSync();
      await connection.run(
        `COPY temp.${table} TO ${quotedText(await spilled.nextFile())} (FORMAT parquet, COMPRESSION lz4)`,
      );
      await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} (${columns})`);
      appender = await connection.createAppender(bare, "main", "temp");
      kept = 0;
    }
  } finally {
    appender.closeSync();
  }
  const rest = `SELECT * FROM temp.${table}`;
  return spilled.files.length === 0
    ? rest
    : `SELECT * FROM read_parquet([${spilled.files.map(quotedPath).join(", ")}]) UNION ALL ${rest}`;
}
