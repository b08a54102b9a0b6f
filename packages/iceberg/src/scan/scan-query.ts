/** A scan as one query of DuckDB's. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Abortable } from "@orcajs/objectstore";
import { duckType, quotedName } from "../engine/duck-type.ts";
import type { PreparedQuery } from "../engine/query-source.ts";
import { IcebergError } from "../errors.ts";
import type { TableFiles } from "../files/table-files.ts";
import type { DataFile } from "../manifest/data-file.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";
import type { Field } from "../schema/type.ts";
import { isVector } from "./delete-index.ts";
import { faultOf } from "./file-faults.ts";
import { layoutsOf } from "./file-layout.ts";
import type { FileTask } from "./file-task.ts";
import { LocalFiles } from "./local-files.ts";
import type { ScanPlan } from "./plan.ts";
import { checkRowCounts } from "./row-counts.ts";
import { ScanText } from "./scan-text.ts";
import { vectorTable } from "./vector-table.ts";

export interface ScanQuery {
  readonly plan: Omit<ScanPlan, "snapshot">;
  /** The columns that are read, in their order. */
  readonly fields: readonly Field[];
  /** Which rows: those that the filter selects, or the others. Default: those that it selects. */
  readonly rows?: "selected" | "others" | undefined;
  /** The name of one more column, after the others: which of the plan's tasks a row is of, from 0. */
  readonly taskColumn?: string | undefined;
  readonly metadata: TableMetadata;
  readonly files: TableFiles;
  readonly temporaryFolder: string;
}

/**
 * Makes a query for the rows of a plan's files. Files of other machines are fetched first, and removed when it is disposed.
 *
 * @throws IcebergError `file-missing` or `invalid-file`, with the file; `unsupported`.
 */
export async function prepareScan(
  query: ScanQuery,
  connection: DuckDBConnection,
  options: Abortable = {},
): Promise<PreparedQuery> {
  const { plan, files, temporaryFolder } = query;
  const { tasks } = plan;
  const inDuck = parquetFiles(tasks);
  const local = new LocalFiles(files, temporaryFolder);
  const undo = new AsyncDisposableStack();
  undo.use(local);
  const explain = (error: unknown) =>
    faultOf(
      error,
      connection,
      Array.from(inDuck, ([uri, { sizeBytes }]) => ({ uri, path: local.pathOf(uri), sizeBytes })),
    );
  try {
    await local.make(inDuck.keys(), options);
    const paths = Array.from(inDuck.keys(), (uri) => local.pathOf(uri));
    const layouts = await layoutsOf(connection, paths);
    const counted = Array.from(inDuck, ([uri, { recordCount }]) => {
      const at = local.pathOf(uri);
      return { uri, path: at, recordCount, layout: layouts.get(at)! };
    });
    await checkRowCounts(connection, counted);
    const scan = new ScanText(
      query,
      (uri) => local.pathOf(uri),
      (uri) => layouts.get(local.pathOf(uri))!,
    );
    const texts: string[] = [];
    for (const some of scan.groups()) {
      const vectors = await vectorTable(connection, files, some, options);
      if (vectors !== undefined) undo.defer(() => vectors.drop());
      texts.push(scan.text(some, vectors?.name));
    }
    const text = texts.length === 0 ? noRows(query) : texts.join("\nUNION ALL ");
    return { text, explain, [Symbol.asyncDispose]: () => undo.disposeAsync() };
  } catch (error) {
    const explained = await explain(error);
    await undo.disposeAsync();
    throw explained;
  }
}

/** The files that DuckDB reads, by their URIs. */
function parquetFiles(tasks: readonly FileTask[]): ReadonlyMap<string, DataFile> {
  const found = new Map<string, DataFile>();
  for (const { file, deletes } of tasks)
    for (const entry of [file, ...deletes]) {
      const { format, path, content } = entry.file;
      if (isVector(entry) && content === "position-deletes") continue;
      if (format !== "parquet")
        throw new IcebergError("unsupported", `file ${path} is in ${format}, and only Parquet is read`);
      found.set(path, entry.file);
    }
  return found;
}

function noRows({ fields, taskColumn }: ScanQuery): string {
  const columns = fields.map((f) => `CAST(NULL AS ${duckType(f.type)}) AS ${quotedName(f.name)}`);
  if (taskColumn !== undefined) columns.push(`CAST(NULL AS INTEGER) AS ${quotedName(taskColumn)}`);
  return `SELECT ${columns.join(", ")} WHERE false`;
}
