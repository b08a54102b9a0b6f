/** Rows into data files, which no snapshot has yet. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Abortable } from "@orcajs/objectstore";
import type { FileOfSpec } from "../commit/file-change.ts";
import type { Engine } from "../engine/engine.ts";
import { IcebergError } from "../errors.ts";
import { inParallel } from "../in-parallel.ts";
import type { QuerySource } from "../engine/query-source.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";
import { partitionPath } from "../partition/path.ts";
import { knowWritten } from "../scan/file-layout.ts";
import { arrangeRows } from "./arrange.ts";
import { canBeCopied } from "./copy-limits.ts";
import { dataFileOf, leavesById, type MeasuredFile } from "./data-file-of.ts";
import { encodeFile } from "./encode-files.ts";
import { readFooter } from "../parquet/footer.ts";
import { Output } from "./output.ts";
import { rowSource } from "./row-source.ts";
import type { GivenRows } from "./row-batches.ts";
import { checkRequired } from "./required-columns.ts";
import { tableColumns } from "./table-columns.ts";
import { type WantedSettings, type WriteSettings, writeSettings } from "./write-settings.ts";
import { type WrittenTable, writtenTable } from "./written-table.ts";

/** The table that is written to, and what with. */
export interface WriteContext {
  readonly metadata: TableMetadata;
  readonly files: TableFiles;
  readonly engine: Engine;
}

export interface WriteOptions extends Abortable, WantedSettings {
  /** The schema that rows are to have. Default: the table's current one. */
  readonly schemaId?: number | undefined;
  /** The partition spec that files are written by. Default: the table's current one. */
  readonly specId?: number | undefined;
}

/** A query, rows as objects, or record batches or a table of Arrow. */
export type RowsToWrite = QuerySource | GivenRows;

/**
 * Writes rows into new data files of a table and says what they are, for a commit. If it fails or is aborted, it deletes what it has written.
 *
 * @throws IcebergError `invalid-rows` if a row doesn't fit the table's columns; `query-failed`; the signal's reason.
 */
export async function writeRows(
  { metadata, files, engine }: WriteContext,
  source: RowsToWrite,
  options: WriteOptions = {},
): Promise<readonly FileOfSpec[]> {
  const { signal } = options;
  const settings = writeSettings(metadata, options);
  const table = writtenTable(metadata, options);
  const { temporaryFolder } = engine;
  const rows = isQuery(source) ? source : rowSource(source, table.schema.fields, temporaryFolder);
  await using output = await Output.open(files, settings.dataFolder, temporaryFolder);
  try {
    const measured = await engine.use(signal, async (connection) => {
      await using query = await rows.prepare(connection, { signal });
      try {
        return await writtenFiles(connection, query.text, table, settings, { files, output });
      } catch (error) {
        throw error instanceof IcebergError ? error : ((await query.explain?.(error)) ?? error);
      }
    });
    const placed = await inParallel(PLACED_AT_ONCE, measured, async ({ local, file, schema }): Promise<FileOfSpec> => {
      const path = await output.place(local, partitionPath(table.partitionFields, file.partition), { signal });
      const here = files.localPath(path);
      if (here !== undefined) knowWritten(here, schema, file.recordCount);
      return { specId: table.spec.id, file: { ...file, path } };
    });
    await output.sync();
    return placed;
  } catch (error) {
    // what can't be deleted is an orphan, and what went wrong first is what matters
    await output.undo().catch(() => undefined);
    throw error;
  }
}

/** What isn't rows at all is told by who takes them. */
function isQuery(source: RowsToWrite): source is QuerySource {
  return typeof source === "object" && (source as object | null) !== null && "prepare" in source;
}

const PLACED_AT_ONCE = 8;

/** The files of a query's rows, where they were written to. */
async function writtenFiles(
  connection: DuckDBConnection,
  text: string,
  table: WrittenTable,
  settings: WriteSettings,
  { files, output }: { readonly files: TableFiles; readonly output: Output },
): Promise<readonly MeasuredFile[]> {
  const select = await tableColumns(connection, text, table.schema.fields);
  const pathOf = (name: string) => output.path(name);
  const { schema } = table;
  const copied = await arrangeRows({ connection, table, settings, pathOf }, select);
  if (canBeCopied(schema.fields)) {
    const measured = await inParallel(1, copied, (file) => dataFileOf(connection, files, table, file));
    checkRequired(schema.fields, measured);
    return measured;
  }
  const footers = await inParallel(1, copied, ({ path }) => readFooter(files, path));
  checkRequired(
    schema.fields,
    footers.map((footer) => ({ leaves: leavesById(footer) })),
  );
  return await inParallel(1, copied, async (file, i) => {
    const encoded = await encodeFile({ connection, schema, settings }, file, pathOf(`encoded-${i}.parquet`));
    return await dataFileOf(connection, files, table, encoded);
  });
}
