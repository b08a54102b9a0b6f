/** A table's rows to come. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Abortable } from "@orcajs/objectstore";
import type { TableOperations, TableState } from "../catalog/table-operations.ts";
import type { Engine } from "../engine/engine.ts";
import type { PreparedQuery } from "../engine/query-source.ts";
import { Relation, type Row } from "../engine/relation.ts";
import { IcebergError } from "../errors.ts";
import type { Snapshot } from "../metadata/table-metadata.ts";
import { and, type Predicate } from "../predicate/predicate.ts";
import type { Schema } from "../schema/schema.ts";
import type { Field } from "../schema/type.ts";
import type { FileTask } from "./file-task.ts";
import type { ChangesBetween } from "./incremental.ts";
import { planFiles, type ScanPlan } from "./plan.ts";
import { prepareScan } from "./scan-query.ts";
import { chosenSnapshot, type SnapshotChoice } from "./snapshot-choice.ts";

export interface ScanOptions {
  /** Which rows. Default: all. */
  readonly where?: Predicate | undefined;
  /** Which columns, in this order: the others aren't read. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** Default: that of `main`. */
  readonly snapshot?: SnapshotChoice | undefined;
  /** Only the rows that were appended between two snapshots. */
  readonly changes?: ChangesBetween | undefined;
}

/** What is scanned, and by what. */
export interface ScannedTable {
  readonly operations: TableOperations;
  /** The table as it is read, whatever others do to it meanwhile. */
  readonly state: TableState;
  readonly engine: Engine;
}

/**
 * The rows of a table. Nothing is read before they are asked for.
 *
 * @throws IcebergError `snapshot-missing`; `invalid-predicate` for a column that isn't there.
 */
export function scanTable<R = Row>(table: ScannedTable, options: ScanOptions = {}): Scan<R> {
  return new Scan<R>(table, options);
}

/** The rows of a snapshot that a filter selects, with some of the columns. */
export class Scan<out R = Row> extends Relation<R> {
  readonly #table: ScannedTable;
  readonly #options: ScanOptions;
  /** The columns that are read. */
  readonly schema: Schema;
  /** The snapshot that is read; undefined if the table has none yet. */
  readonly snapshot: Snapshot | undefined;

  constructor(table: ScannedTable, options: ScanOptions) {
    super(table.engine);
    this.#table = table;
    this.#options = options;
    const { snapshot, changes } = options;
    const chosen = chosenSnapshot(table.state.metadata, changes?.to === undefined ? snapshot : { id: changes.to });
    this.snapshot = chosen.snapshot;
    this.schema = { ...chosen.schema, fields: chosenFields(chosen.schema, options.columns), identifierIds: [] };
  }

  /** Only these columns, in this order; the others aren't read. */
  columns<const K extends keyof R & string>(...names: readonly K[]): Scan<Pick<R, K>> {
    return new Scan(this.#table, { ...this.#options, columns: names });
  }

  /** Only the rows that the filter selects as well. */
  where(filter: Predicate): Scan<R> {
    const { where } = this.#options;
    return new Scan(this.#table, { ...this.#options, where: where === undefined ? filter : and(where, filter) });
  }

  /**
   * The files that may have rows which are selected.
   * @throws IcebergError `invalid-predicate`; `file-missing` or `invalid-manifest`, with the manifest; `unsupported`.
   */
  async files(options: Abortable = {}): Promise<readonly FileTask[]> {
    return (await this.#plan(options)).tasks;
  }

  override async prepare(connection: DuckDBConnection, options: Abortable = {}): Promise<PreparedQuery> {
    const { state, operations, engine } = this.#table;
    const plan = await this.#plan(options);
    const query = {
      plan,
      fields: this.schema.fields,
      metadata: state.metadata,
      files: operations.files,
      temporaryFolder: engine.temporaryFolder,
    };
    return await prepareScan(query, connection, options);
  }

  protected override fields(): Promise<readonly Field[]> {
    return Promise.resolve(this.schema.fields);
  }

  #plan(options: Abortable): Promise<ScanPlan> {
    const { state, operations } = this.#table;
    return planFiles({ state, files: operations.files }, { ...this.#options, ...options });
  }
}

function chosenFields({ fields }: Schema, columns: readonly string[] | undefined): readonly Field[] {
  if (columns !== undefined && !(Array.isArray(columns) && columns.length > 0))
    throw new IcebergError(
      "invalid-predicate",
      "columns is a list of one column's name or several: leave it out for all",
    );
  return (
    columns?.map((name) => {
      const field = fields.find((f) => f.name === name);
      if (field !== undefined) return field;
      throw new IcebergError(
        "invalid-predicate",
        `there is no column ${name}: there are ${fields.map((f) => f.name).join(", ")}`,
      );
    }) ?? fields
  );
}
