/** What deletion vectors hold, as a table of DuckDB's. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { type Abortable, ObjectStoreError } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";
import { readingError } from "../files/missing-file.ts";
import type { TableFiles } from "../files/table-files.ts";
import { isVector } from "./delete-index.ts";
import { deletedPositions } from "./deletion-vector.ts";
import type { FileTask } from "./file-task.ts";

/** Tables have names of their own: several may be on one connection. */
let tables = 0;

/** A temporary table of the rows that the tasks' vectors delete: `i` is the index of the task, and `pos` the row. Undefined if there are none. */
export async function vectorTable(
  connection: DuckDBConnection,
  files: TableFiles,
  tasks: readonly FileTask[],
  options: Abortable,
): Promise<{ readonly name: string; readonly drop: () => Promise<void> } | undefined> {
  if (!tasks.some(({ deletes }) => deletes.some(isVector))) return undefined;
  const { BIGINT, DuckDBDataChunk } = await import("@duckdb/node-api");
  const table = `iceberg_vectors_${tables++}`;
  await connection.run(`CREATE TEMP TABLE ${table} (i BIGINT, pos BIGINT)`);
  const appender = await connection.createAppender(table, "main", "temp");
  try {
    for (const [i, { deletes }] of tasks.entries())
      for (const { file } of deletes.filter(isVector)) {
        const { path, contentOffset: start, contentSizeBytes: length } = file;
        if (start === undefined || length === undefined)
          throw new IcebergError("invalid-manifest", `deletion vector ${path} has no offset or size`);
        const blob = await read(files, path, { ...options, range: { start, end: start + length } });
        for (const positions of deletedPositions(blob, `${path} at ${start}`))
          for (let from = 0; from < positions.length; from += CHUNK_ROWS) {
            const some = positions.slice(from, from + CHUNK_ROWS);
            const chunk = DuckDBDataChunk.create([BIGINT, BIGINT]);
            chunk.setColumns([some.map(() => BigInt(i)), some]);
            appender.appendDataChunk(chunk);
          }
      }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
  return {
    name: `temp.main.${table}`,
    drop: async () => void (await connection.run(`DROP TABLE IF EXISTS temp.main.${table}`)),
  };
}

/** As many rows as DuckDB's chunks hold. */
const CHUNK_ROWS = 2048;

async function read(files: TableFiles, uri: string, options: Parameters<TableFiles["read"]>[1]): Promise<Uint8Array> {
  try {
    return await files.read(uri, options);
  } catch (cause) {
    if (cause instanceof ObjectStoreError && cause.code === "invalid-range")
      throw new IcebergError("invalid-file", `file ${uri} is shorter than the table says`, { cause });
    throw readingError(uri, cause);
  }
}
