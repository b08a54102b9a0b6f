/** What is recorded of a step's tables, as it happens. */
import type { Snapshot } from "./ctx.ts";
import type { AttemptId } from "./journal.ts";

/** A table that an attempt reads, and its snapshot: undefined if it has none. */
export interface TableRead {
  readonly dataset: string;
  readonly location: string;
  readonly snapshot: Snapshot | undefined;
}

/** A snapshot that an attempt has made, or has found made by an attempt before it. */
export interface TableCommit {
  /** Its place among the commits of the attempt, from 1. */
  readonly number: number;
  readonly dataset: string;
  readonly location: string;
  readonly snapshot: Snapshot;
  readonly operation: string;
  /** The hash of the code that made it, if the snapshot says it: that of an attempt before may have been another. */
  readonly code?: string | undefined;
  /** How many rows it brought, and how many the table has with it, if the snapshot says so. */
  readonly rowsAdded?: number | undefined;
  readonly rowsTotal?: number | undefined;
}

export interface TableRecords {
  /**
   * Records that an attempt reads a table.
   * @returns the snapshot to read: the one that the step's first attempt to read the table read, also before a resume.
   */
  read(id: AttemptId, read: TableRead): Promise<Snapshot | undefined>;
  committed(id: AttemptId, commit: TableCommit): Promise<void>;
  /** Is told that a step's attempts for a partition are over. */
  release?(step: string, partition: string | undefined): void;
}
