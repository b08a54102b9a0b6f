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

/** All columns of those rows that the filter selects, or of the others, without what deletes delete. */
export class RowsOfFiles extends Relation {
  readonly #table: ScannedTable;
  readonly #files: ChosenFiles;
  readonly #rows: ScanQuery["rows"];

  constructor(table: ScannedTable, files: ChosenFiles, rows: ScanQuery["rows"]) {
    super(table.engine);
    this.#table = table;
    this.#files = files;
    this.#rows = rows;
  }

  override async prepare(connection: DuckDBConnection, options: Abortable = {}): Promise<PreparedQuery> {
    const query = { ...queryOf(this.#table, this.#files), fields: this.#files.schema.fields, rows: this.#rows };
    return await prepareScan(query, connection, options);
  }

  protected override fields(): Promise<readonly Field[]> {
    return Promise.resolve(this.#files.schema.fields);
  }
}

/** How many rows of each file the filter selects: only its columns are read. */
export async function selectedCounts(
  table: ScannedTable,
  files: ChosenFiles,
  options: Abortable = {},
): Promise<ReadonlyMap<FileTask, number>> {
  const { engine } = table;
  const tasksOfRows = new TasksOfRows(table, files);
  const counts = engine.sql<{ task: number; n: bigint }>`select task, count(*) as n from ${tasksOfRows} group by task`;
  const found = await counts.toArray(options);
  return new Map(found.map(({ task, n }) => [files.tasks[task]!, Number(n)]));
}

/** For each row that the filter selects, the number of its file among the tasks. */
class TasksOfRows extends Relation {
  readonly #table: ScannedTable;
  readonly #files: ChosenFiles;

  constructor(table: ScannedTable, files: ChosenFiles) {
    super(table.engine);
    this.#table = table;
    this.#files = files;
  }

  override async prepare(connection: DuckDBConnection, options: Abortable = {}): Promise<PreparedQuery> {
    return await prepareScan(
      { ...queryOf(this.#table, this.#files), fields: [], taskColumn: "task" },
      connection,
      options,
    );
  }
}

function queryOf({ state, operations, engine }: ScannedTable, plan: ChosenFiles) {
  return { plan, metadata: state.metadata, files: operations.files, temporaryFolder: engine.temporaryFolder };
}
