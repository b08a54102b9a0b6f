/** Which rows come into which file, and in which order. */
import { stat } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { quotedName, quotedText } from "../engine/duck-type.ts";
import { type Copy, type CopiedFile, copyRows, runCopy } from "./copy.ts";
import { parquetRows } from "./file-sql.ts";
import { partitionKeySql, registerHashes } from "./partition-key.ts";
import { sortTerms } from "./sort-terms.ts";
import type { WriteSettings } from "./write-settings.ts";
import type { WrittenTable } from "./written-table.ts";

export interface Arrangement {
  readonly connection: DuckDBConnection;
  readonly table: WrittenTable;
  readonly settings: WriteSettings;
  /** The path of what is to have a name: all are deleted at the end. */
  readonly pathOf: (name: string) => string;
}

/** A file that is so many times larger than is wanted is parted. */
const TOO_LARGE = 1.5;

/** Writes a query's rows into files, each of one partition, and sorted if the table is. */
export async function arrangeRows(arrangement: Arrangement, select: string): Promise<readonly CopiedFile[]> {
  const { connection, table, pathOf } = arrangement;
  const terms = sortTerms(table);
  const isParted = table.partitionFields.length > 0;
  if (isParted || terms.length > 0) await registerHashes(connection);
  if (terms.length > 0) return await sortedFiles(arrangement, select, terms);
  if (!isParted) return await copy(arrangement, select, { files: "sized" }, pathOf("rows"));
  return await splitLarge(arrangement, await partedFiles(arrangement, select));
}

/**
 * Files of partitions. Their rows come one partition after the other: unordered, 30,000,000 rows of 1,000 partitions took three times as long and
 * became 52,000 files, as DuckDB writes 100 at once and begins another where it has ended one.
 */
async function partedFiles(arrangement: Arrangement, select: string): Promise<readonly CopiedFile[]> {
  const by = keyName(arrangement.table);
  const rows = `SELECT *, ${partitionKeySql(arrangement.table)} AS ${quotedName(by)} FROM (${select}) ORDER BY ${quotedName(by)}`;
  return await copy(arrangement, rows, { files: "parted", by }, arrangement.pathOf("rows"));
}

/** Files that are much too large, each written again as several. */
async function splitLarge(arrangement: Arrangement, files: readonly CopiedFile[]): Promise<readonly CopiedFile[]> {
  const split: CopiedFile[] = [];
  for (const [i, file] of files.entries())
    if (file.sizeBytes <= arrangement.settings.targetFileSizeBytes * TOO_LARGE) split.push(file);
    else {
      const select = `SELECT * FROM ${parquetRows(file.path)}`;
      split.push(...(await copy(arrangement, select, { files: "sized" }, arrangement.pathOf(`split-${i}`))));
    }
  return split;
}

/**
 * Files of rows in the table's order. Only a copy into one file keeps it, so that all rows are sorted into one, of which each part is copied then:
 * those of a partition, and of them as many as a file is to have.
 */
async function sortedFiles(
  arrangement: Arrangement,
  select: string,
  terms: readonly string[],
): Promise<readonly CopiedFile[]> {
  const { connection, table, settings, pathOf } = arrangement;
  const name = keyName(table);
  const key = quotedName(name);
  const staged = pathOf("sorted.parquet");
  const order = [key, ...terms].join(", ");
  await runCopy(
    connection,
    `COPY (SELECT *, ${partitionKeySql(table)} AS ${key} FROM (${select}) ORDER BY ${order}) TO ${quotedText(staged)}
     (FORMAT parquet, COMPRESSION ${settings.compression}, ROW_GROUP_SIZE ${settings.rowGroupRows})`,
  );
  const counted = await connection.runAndReadAll(
    `SELECT count(*)::DOUBLE FROM ${parquetRows(staged)} GROUP BY ${key} ORDER BY ${key}`,
  );
  const counts = counted.getRowsJS().map(([count]) => count as number);
  const rowBytes = (await stat(staged)).size / counts.reduce((sum, n) => sum + n, 0);
  const rowsMax = Math.ceil((settings.targetFileSizeBytes * TOO_LARGE) / rowBytes);
  const files: CopiedFile[] = [];
  let start = 0;
  for (const count of counts) {
    const rows = count > rowsMax ? Math.ceil(settings.targetFileSizeBytes / rowBytes) : count;
    for (let at = 0; at < count; at += rows) {
      const part = `SELECT * EXCLUDE (${key}) FROM ${parquetRows(staged)} LIMIT ${Math.min(rows, count - at)} OFFSET ${start + at}`;
      files.push(...(await copy(arrangement, part, { files: "one" }, pathOf(`sorted-${files.length}.parquet`))));
    }
    start += count;
  }
  return files;
}

function copy(
  { connection, table: { schema }, settings }: Arrangement,
  select: string,
  into: Copy["into"],
  target: string,
): Promise<readonly CopiedFile[]> {
  return copyRows(connection, { select, schema, settings, into }, target);
}

/** A name that no column has, for the key of a row's partition. */
function keyName({ schema }: WrittenTable): string {
  const names = new Set(schema.fields.map((f) => f.name.toLowerCase()));
  let name = "partition_key";
  while (names.has(name)) name += "_";
  return name;
}
