/** Whether Parquet files have the rows that the table says: one whose footer is damaged may be read as one of fewer. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { quotedPath } from "../engine/duck-type.ts";
import { IcebergError } from "../errors.ts";
import type { FileLayout } from "./file-layout.ts";
import { Kept } from "./kept.ts";

/** How many rows files have at least, by path. */
const kept = new Kept<number>();

export interface CountedFile {
  readonly uri: string;
  /** On this machine. */
  readonly path: string;
  /** As the table has it. */
  readonly recordCount: number;
  readonly layout: FileLayout;
}

/**
 * Counts the rows of files by their footers, as DuckDB will read them: 0.1 ms a file, once in a process. More rows than the table says are taken all the same, as
 * writers may count otherwise.
 *
 * @throws IcebergError `invalid-file`, with the first that has fewer.
 */
export async function checkRowCounts(connection: DuckDBConnection, files: readonly CountedFile[]): Promise<void> {
  const unknown = files.filter(({ path, recordCount }) => (kept.get(path) ?? -1) < recordCount);
  for (const group of Map.groupBy(unknown, ({ layout }) => layout).values()) {
    const said = group.reduce((sum, { recordCount }) => sum + recordCount, 0);
    const found = await count(connection, group);
    if (found < said) await refuseShort(connection, group);
    for (const { path, recordCount } of group) rowsCounted(path, recordCount);
  }
}

/** Is told how many rows a file's footer has. */
export function rowsCounted(path: string, rowCount: number): void {
  kept.set(path, rowCount);
}

async function refuseShort(connection: DuckDBConnection, files: readonly CountedFile[]): Promise<void> {
  for (const file of files) {
    const found = await count(connection, [file]);
    if (found < file.recordCount)
      throw new IcebergError(
        "invalid-file",
        `data file ${file.uri} can't be read: it has ${found} rows, and the table says ${file.recordCount}`,
      );
  }
}

async function count(connection: DuckDBConnection, files: readonly CountedFile[]): Promise<number> {
  const paths = files.map(({ path }) => quotedPath(path)).join(", ");
  const reader = await connection.runAndReadAll(
    `SELECT count(*) FROM read_parquet([${paths}], hive_partitioning = false, union_by_name = false)`,
  );
  return Number(reader.getRows()[0]![0]);
}
