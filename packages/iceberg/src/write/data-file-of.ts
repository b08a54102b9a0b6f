/** Written files as manifests have them. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { quotedName } from "../engine/duck-type.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { DataFile } from "../manifest/data-file.ts";
import type { FieldPlace } from "../schema/schema.ts";
import type { CopiedFile } from "./copy.ts";
import { columnMetrics, type NaNMetrics } from "./column-metrics.ts";
import { placeSql, parquetRows } from "./file-sql.ts";
import { type LeafColumn, type ParquetFooter, readFooter } from "../parquet/footer.ts";
import { partitionOf } from "./partition-of.ts";
import type { WrittenTable } from "./written-table.ts";

/** What is known of a file before it has its place. */
export interface MeasuredFile {
  /** Its path on this machine. */
  readonly local: string;
  readonly file: Omit<DataFile, "path">;
  readonly schema: ParquetFooter["schema"];
  readonly leaves: ReadonlyMap<number, LeafColumn>;
}

/** A file as a manifest has it, with its counts and bounds. */
export async function dataFileOf(
  connection: DuckDBConnection,
  files: TableFiles,
  table: WrittenTable,
  { path, hasNaN }: CopiedFile,
): Promise<MeasuredFile> {
  const footer = await readFooter(files, path);
  const leaves = leavesById(footer);
  const nans = await nansOf(connection, path, table, leaves, hasNaN);
  const { columns, modes } = table;
  return {
    local: path,
    leaves,
    schema: footer.schema,
    file: {
      content: "data",
      format: "parquet",
      partition: await partitionOf(connection, path, table, leaves),
      recordCount: footer.recordCount,
      sizeBytes: footer.sizeBytes,
      ...columnMetrics(leaves, { columns, modes, nans }),
      splitOffsets: footer.splitOffsets,
      sortOrderId: table.sortOrder.id,
    },
  };
}

/** The columns of a file that was written here, by their ids. */
export function leavesById({ leaves }: ParquetFooter): ReadonlyMap<number, LeafColumn> {
  return new Map(leaves.map((leaf) => [leaf.element.field_id ?? -1, leaf]));
}

/** NaNs of the floating columns. Where DuckDB found some its footer has no bounds: these columns are read again. */
async function nansOf(
  connection: DuckDBConnection,
  path: string,
  { columns }: WrittenTable,
  leaves: ReadonlyMap<number, LeafColumn>,
  hasNaN: ReadonlyMap<string, boolean>,
): Promise<ReadonlyMap<number, NaNMetrics>> {
  const nans = new Map<number, NaNMetrics>();
  const read: [number, FieldPlace][] = [];
  for (const [id, leaf] of leaves) {
    const place = columns.get(id);
    const known = place && hasNaN.get(place.path.map(quotedName).join("."));
    if (known === false) nans.set(id, { count: 0 });
    else if (known === true && !leaf.isRepeated) read.push([id, place]);
  }
  if (read.length === 0) return nans;
  const counted = read.flatMap(([, place]) => {
    const column = placeSql(place);
    return [
      `count(*) FILTER (isnan(${column}))`,
      ...["min", "max"].map((f) => `${f}(CAST(${column} AS DOUBLE)) FILTER (NOT isnan(${column}))`),
    ];
  });
  const reader = await connection.runAndReadAll(`SELECT ${counted.join(", ")} FROM ${parquetRows(path)}`);
  const [row] = reader.getRowsJS() as [(bigint | number | null)[]];
  for (const [i, [id]] of read.entries()) {
    const [count, lowest, highest] = row.slice(i * 3, i * 3 + 3);
    nans.set(id, {
      count: Number(count),
      lowest: (lowest ?? undefined) as number | undefined,
      highest: (highest ?? undefined) as number | undefined,
    });
  }
  return nans;
}
