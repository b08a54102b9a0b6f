import type { Abortable } from "@orcajs/objectstore";
import { commitFiles, type CommitOptions } from "./commit/commit-files.ts";
import type { Committed } from "./commit/commit-snapshot.ts";
import type { FileChange } from "./commit/file-change.ts";
import { commitChange } from "./catalog/commit-change.ts";
import { newerState } from "./catalog/newer-state.ts";
import type { TableOperations, TableState } from "./catalog/table-operations.ts";
import type { Engine } from "./engine/engine.ts";
import type { Row } from "./engine/relation.ts";
import { IcebergError } from "./errors.ts";
import { TableMaintenance } from "./maintenance/table-maintenance.ts";
import {
  schemaOf,
  type Snapshot,
  type SnapshotLogEntry,
  sortOrderOf,
  specOf,
  type TableMetadata,
} from "./metadata/table-metadata.ts";
import {
  type MetadataChange,
  propertiesChange,
  schemaChange,
  type SchemaChangeNotation,
  sortOrderChange,
  specChange,
  upgradeChange,
} from "./metadata/metadata-changes.ts";
import type { SortBy } from "./partition/sort-by.ts";
import type { SortOrder } from "./partition/sort-order.ts";
import type { SpecChange } from "./partition/spec-changes.ts";
import type { PartitionSpec } from "./partition/spec.ts";
import type { Predicate } from "./predicate/predicate.ts";
import { TableRefs } from "./refs/table-refs.ts";
import { appendRows, replacePartitions, type RowCommitOptions } from "./rows/add-rows.ts";
import { type ReplaceOptions, replaceRows } from "./rows/replace-rows.ts";
import { Scan, type ScannedTable, type ScanOptions } from "./scan/scan.ts";
import type { Schema } from "./schema/schema.ts";
import type { RowsToWrite } from "./write/write-rows.ts";

/**
 * A table, as it was when it was loaded, refreshed or last changed through this object. What others commit is seen after `refresh()`; changes are made
 * to the table as it is then, whatever this object has seen of it.
 *
 * A table that was opened by its location is to be disposed; those of a catalog are disposed with it.
 */
export class Table implements AsyncDisposable {
  readonly operations: TableOperations;
  readonly engine: Engine;
  readonly #owned: AsyncDisposable | undefined;
  #state: TableState;
  /** Its branches and tags. */
  readonly refs: TableRefs;
  /** What keeps it small and quick. */
  readonly maintenance: TableMaintenance;

  /** @param owned what is disposed with the table. */
  constructor(operations: TableOperations, state: TableState, engine: Engine, owned?: AsyncDisposable) {
    this.operations = operations;
    this.engine = engine;
    this.#state = state;
    this.#owned = owned;
    const part = { operations, state: () => this.#state, adopt: (s: TableState) => this.#adopt(s) };
    this.refs = new TableRefs(part);
    this.maintenance = new TableMaintenance(part, engine);
  }

  /** Its name in its catalog: `weather.rain`; of a table that was opened by its location, that. */
  get name(): string {
    return this.operations.name;
  }

  /** The URI of its folder. */
  get location(): string {
    return this.metadata.location;
  }

  get metadata(): TableMetadata {
    return this.#state.metadata;
  }

  /** The metadata, and the URI of its file. */
  get state(): TableState {
    return this.#state;
  }

  get schema(): Schema {
    return schemaOf(this.metadata);
  }

  /** How new files are partitioned. */
  get spec(): PartitionSpec {
    return specOf(this.metadata);
  }

  /** How new files are sorted. */
  get sortOrder(): SortOrder {
    return sortOrderOf(this.metadata);
  }

  get properties(): Readonly<Record<string, string>> {
    return this.metadata.properties;
  }

  /** Which snapshot became current when, from the first that is still known. */
  get history(): readonly SnapshotLogEntry[] {
    return this.metadata["snapshot-log"];
  }

  /** The snapshots of all branches, in the order in which they were made. */
  snapshots(): readonly Snapshot[] {
    return this.metadata.snapshots;
  }

  /** Takes up what others have committed. @throws IcebergError `table-missing` if the table was dropped. */
  async refresh(options: Abortable = {}): Promise<this> {
    this.#state = await this.operations.load(options);
    return this;
  }

  /**
   * Changes columns, one change after the other. Rows that are there stay readable.
   *
   * @throws IcebergError `invalid-change`, with the column and the rule; `commit-conflict` if others changed the columns since this object saw them:
   * refresh it and decide anew.
   */
  async changeSchema(changes: readonly SchemaChangeNotation[], options: Abortable = {}): Promise<void> {
    await this.#change((metadata) => schemaChange(metadata, changes), options);
  }

  /**
   * Changes how new files are partitioned. Files that are there keep their partitions.
   *
   * @throws IcebergError `invalid-change`, with the field and the rule; `commit-conflict` if others changed the partitions or columns since this
   * object saw them.
   */
  async changeSpec(changes: readonly SpecChange[], options: Abortable = {}): Promise<void> {
    await this.#change((metadata) => specChange(metadata, changes), options);
  }

  /**
   * Sets how new files are sorted; not, if no columns are given.
   *
   * @throws IcebergError `invalid-change`, with the column; `commit-conflict` if others changed the order or the columns since this object saw them.
   */
  async changeSortOrder(by: readonly (string | SortBy)[], options: Abortable = {}): Promise<void> {
    await this.#change((metadata) => sortOrderChange(metadata, by), options);
  }

  async setProperties(properties: Readonly<Record<string, string>>, options: Abortable = {}): Promise<void> {
    await this.#change((metadata) => propertiesChange(metadata, properties, []), options);
  }

  /** Removes properties, those that there are. */
  async removeProperties(names: readonly string[], options: Abortable = {}): Promise<void> {
    await this.#change((metadata) => propertiesChange(metadata, {}, names), options);
  }

  /** Makes a table of version 1 one of version 2; one that is stays as it is. @throws IcebergError `invalid-change` if it has a later version. */
  async upgrade(formatVersion: 2, options: Abortable = {}): Promise<void> {
    await this.#change((metadata) => upgradeChange(metadata, formatVersion), options);
  }

  /**
   * The rows of the table as this object has it, or as it was. Nothing is read before they are asked for.
   *
   * @throws IcebergError `snapshot-missing`; `invalid-predicate` for a column that isn't there.
   */
  scan<R = Row>(options: ScanOptions = {}): Scan<R> {
    return new Scan<R>(this.#context, options);
  }

  /**
   * Appends rows in one snapshot, beside whatever others commit meanwhile; no rows make a snapshot too. What a failed append has written is
   * deleted, unless whether it was applied can't be found out.
   *
   * @throws IcebergError `invalid-rows`, with the row and the column; `commit-conflict` if others changed the columns since this object saw them;
   * `commit-unknown`; `table-missing`; `read-only`; `snapshot-missing` if there is no such branch.
   */
  async append(rows: RowsToWrite, options?: RowCommitOptions): Promise<Snapshot> {
    return this.#committed(await appendRows(this.#context, rows, options));
  }

  /**
   * Replaces exactly the rows that a filter selects, also by none, in one snapshot: a rerun leaves what one run does. The table is as it is at the
   * call, whatever this object has seen of it. Files that have some of the rows are written anew without them.
   *
   * @param options `where`: each of the new rows must be selected by it too; `ALWAYS` replaces the whole table.
   * @throws IcebergError `invalid-rows` also for a row that `where` doesn't select; `invalid-predicate`; `commit-conflict` also if others added or deleted
   * such rows meanwhile; as `append` does.
   */
  async overwrite(
    rows: RowsToWrite,
    { where, ...options }: ReplaceOptions & { readonly where: Predicate },
  ): Promise<Snapshot> {
    return this.#committed(await replaceRows(await this.#current(options), where, rows, options));
  }

  /**
   * Replaces all rows of those partitions that the given rows are in, whatever others put into them meanwhile; of a table that isn't partitioned, that is
   * all of it. Where there may be no rows for a partition, `overwrite` it by a filter.
   *
   * @throws IcebergError `unsupported` if the table has files of other partition specs; as `append` does.
   */
  async overwritePartitions(rows: RowsToWrite, options: RowCommitOptions = {}): Promise<Snapshot> {
    return this.#committed(await replacePartitions(await this.#current(options), rows, options));
  }

  /**
   * Deletes the rows that a filter selects, of the table as it is at the call; if there are none, that makes a snapshot too. Files that have other rows
   * besides are written anew without them.
   *
   * @throws IcebergError `invalid-predicate`; `commit-conflict` if others added or deleted such rows meanwhile; as `append` does.
   */
  async delete(where: Predicate, options: ReplaceOptions = {}): Promise<Snapshot> {
    return this.#committed(await replaceRows(await this.#current(options), where, undefined, options));
  }

  /**
   * Commits files that were written, and removes some, with any operation, in one snapshot.
   *
   * @throws IcebergError as the function `commitFiles` does.
   */
  async commit(change: FileChange, options: CommitOptions = {}): Promise<Snapshot> {
    return this.#committed(await commitFiles(this.operations, change, { base: this.#state, ...options }));
  }

  get #context(): ScannedTable {
    return { operations: this.operations, state: this.#state, engine: this.engine };
  }

  /** The table as it is now, with the columns that this object has seen. @throws IcebergError `commit-conflict` if they were changed. */
  async #current({ signal }: Abortable): Promise<ScannedTable> {
    const seen = this.metadata["current-schema-id"];
    const state = await this.operations.load({ signal });
    if (state.metadata["current-schema-id"] !== seen)
      throw new IcebergError(
        "commit-conflict",
        `the columns of ${this.name} were changed meanwhile: refresh it, and do this again`,
      );
    return { ...this.#context, state };
  }

  #committed({ state, snapshot }: Committed): Snapshot {
    this.#adopt(state);
    return snapshot;
  }

  #adopt(state: TableState): void {
    this.#state = newerState(this.#state, state);
  }

  async #change(change: (metadata: TableMetadata) => MetadataChange, options: Abortable): Promise<void> {
    const changes = change(this.metadata);
    if (changes.updates.length === 0) return;
    this.#adopt(await commitChange(this.operations, this.#state, changes, options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned?.[Symbol.asyncDispose]();
  }
}
