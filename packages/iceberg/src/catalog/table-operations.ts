import type { Abortable } from "@orcajs/objectstore";
import type { TableFiles } from "../files/table-files.ts";
import type { TableRequirement } from "../metadata/requirements.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";
import type { TableUpdate } from "../metadata/updates.ts";

/** A table's metadata, as it was at one time. */
export interface TableState {
  readonly metadata: TableMetadata;
  /** The URI of the metadata file. */
  readonly metadataLocation: string;
}

/** What a commit changes, and what it requires of the table. */
export interface TableChange {
  readonly requirements: readonly TableRequirement[];
  readonly updates: readonly TableUpdate[];
}

/** One table, however its catalog keeps it: the metadata, which changes by compare-and-swap, and the files. */
export interface TableOperations {
  /** What messages call the table: `weather.rain`, or its location. */
  readonly name: string;
  readonly files: TableFiles;
  /** Whether the table is only read, so that none of its files may be deleted. Default: false. */
  readonly isReadOnly?: boolean;

  /**
   * The table as it is now.
   * @throws IcebergError `table-missing` if it was dropped.
   */
  load(options?: Abortable): Promise<TableState>;

  /**
   * Applies updates if the table is still as `base` has it, as far as the requirements go, and gives the table as it is then. A reply that was lost
   * is looked for: a commit that was applied is never called a conflict.
   *
   * @throws IcebergError `commit-conflict` if others changed the table, with nothing applied; `commit-unknown` if whether it was applied can't be found
   * out: its files are to be left; `table-missing`; `read-only`.
   */
  commit(base: TableState, change: TableChange, options?: Abortable): Promise<TableState>;
}
