/** The rows of chosen files: for those who write them anew, or count them. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Abortable } from "@orcajs/objectstore";
import type { PreparedQuery } from "../engine/query-source.ts";
import { Relation } from "../engine/relation.ts";
import type { Field } from "../schema/type.ts";
import type { FileTask } from "./file-task.ts";
import type { ScanPlan } from "./plan.ts";
import type { ScannedTable } from "./scan.ts";
import { prepareScan, type ScanQuery } from "./scan-query.ts";

/** Some of a plan's files, with the deletes that apply to each. */
export type ChosenFiles = Omit<ScanPlan, "snapshot">;

/** What of the rows is read. */
type Reading = Pick<ScanQuery, "fields" | "rows" | "taskColumn">;

/** The rows of files, without what deletes delete. */
class RowsOfFiles extends Relation {
  readonly #table: ScannedTable;
  readonly #files: ChosenFiles;
  readonly #reading: Reading;

  constructor(table: ScannedTable, files: ChosenFiles, reading: Reading) {
    super(table.engine);
    this.#table = table;
    this.#files = files;
    this.#reading = reading;
  }

  override async prepare(connection: DuckDBConnection, options: Abortable = {}): Promise<PreparedQuery> {
    const { state, operations, engine } = this.#table;
    const { temporaryFolder } = engine;
    const table = { metadata: state.metadata, files: operations.files, temporaryFolder };
    return await prepareScan({ ...table, ...this.#reading, plan: this.#files }, connection, options);
  }

  protected override fields(): Promise<readonly Field[]> {
    return Promise.resolve(this.#reading.fields);
  }
}

/** All columns of those rows that the filter selects, or of the others. */
export function rowsOfFiles(table: ScannedTable, files: ChosenFiles, rows: ScanQuery["rows"]): Relation {
  return new RowsOfFiles(table, files, { fields: files.schema.fields, rows });
}

/** How many rows of each file the filter selects: only its columns are read. */
export async function selectedCounts(
  table: ScannedTable,
  files: ChosenFiles,
  options: Abortable = {},
): Promise<ReadonlyMap<FileTask, number>> {
  const { engine } = table;
  const tasks = new RowsOfFiles(table, files, { fields: [], taskColumn: "task" });
  const counts = engine.sql<{ task: number; n: bigint }>`select task, count(*) as n from ${tasks} group by task`;
  const found = await counts.toArray(options);
  return new Map(found.map(({ task, n }) => [files.tasks[task]!, Number(n)]));
}
