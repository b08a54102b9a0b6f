import type { Snapshot, Table } from "../core/ctx.ts";
import type { AnyColumns } from "../core/datasets/column-notation.ts";
import type { DatasetOrName } from "../core/datasets/dataset.ts";
import type { AttemptId } from "../core/journal.ts";
import type { FileChange } from "../core/table-files.ts";
import type { Row, Scan, SqlPieces, Relation } from "../core/sql/relation.ts";

/** What tables know of the attempt that uses them. */
export interface TablesUser {
  readonly id: AttemptId;
  /** Aborted when the attempt is to stop: what waits for rows stops, too. */
  readonly signal: AbortSignal;
  /** Whether the attempt is over, so that what it still does counts for nothing. */
  readonly isOver: boolean;
}

/** The tables that a step's context reaches, at run time: `StepCtx` of core, without its types. */
export interface StepTables {
  readonly scan: (dataset: DatasetOrName, options?: { readonly where?: Row }) => Scan;
  readonly append: (dataset: DatasetOrName, rows: unknown) => Promise<Snapshot>;
  readonly overwrite: (dataset: DatasetOrName, rows: unknown, options: { readonly where: Row }) => Promise<Snapshot>;
  readonly commit: (dataset: DatasetOrName, change: FileChange) => Promise<Snapshot>;
  readonly table: (dataset: DatasetOrName) => Promise<Table>;
  readonly ensureTable: (dataset: DatasetOrName, columns?: AnyColumns) => Promise<Table>;
  readonly sql: SqlPieces & ((texts: TemplateStringsArray, ...values: readonly unknown[]) => Relation);
}
