/** Which file is at fault for a query that failed: DuckDB doesn't always say. */
import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { quotedPath } from "../engine/duck-type.ts";
import { IcebergError } from "../errors.ts";
import { missingFile } from "../files/missing-file.ts";
import { inParallel } from "../in-parallel.ts";

const STATS_AT_ONCE = 32;

/** Errors of DuckDB that a file can be the cause of; others are of the query's text or values. */
const OF_FILES = /^(?:IO|Invalid|Invalid Input|Serialization|Not implemented|INTERNAL) Error:/;

export interface FileAtFault {
  readonly uri: string;
  readonly path: string;
  /** As the table has it. */
  readonly sizeBytes: number;
}

/** An error that names the file, or the error itself if no file is at fault. */
export async function faultOf(
  error: unknown,
  connection: DuckDBConnection,
  files: readonly FileAtFault[],
): Promise<unknown> {
  const message = error instanceof Error ? error.message : "";
  if (error instanceof IcebergError && error.code !== "query-failed") return error;
  if (!OF_FILES.test(message)) return error;
  const options = { cause: error };
  const sizes = await inParallel(STATS_AT_ONCE, files, ({ path }) => sizeOf(path));
  const gone = files.find((_, i) => sizes[i] === undefined);
  if (gone !== undefined) return missingFile(gone.uri, error);
  const cut = files.findIndex((file, i) => sizes[i] !== file.sizeBytes);
  for (const file of cut === -1 ? files : [files[cut]!, ...files]) {
    const why = message.includes(file.path) ? message : await whyUnreadable(connection, file.path);
    if (why === undefined) continue;
    const size = sizes[files.indexOf(file)]!;
    const length = size === file.sizeBytes ? "" : `: it has ${size} bytes, and the table says ${file.sizeBytes}`;
    return new IcebergError("invalid-file", `data file ${file.uri} can't be read${length} (${why})`, options);
  }
  return error;
}

/** Undefined if there is no such file. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}

/** Reads a whole file: what is wrong may be anywhere in it. */
async function whyUnreadable(connection: DuckDBConnection, path: string): Promise<string | undefined> {
  const rows = `read_parquet([${quotedPath(path)}], hive_partitioning = false)`;
  try {
    // each of them fails by other parts of a footer
    for (const text of [`* FROM ${rows}`, `count(*) FROM ${rows}`, `* FROM parquet_schema([${quotedPath(path)}])`])
      // runs the query without keeping its rows
      await connection.run(`EXPLAIN ANALYZE SELECT ${text}`);
    return undefined;
  } catch (error) {
    return (error as Error).message.split("\n")[0]!;
  }
}
