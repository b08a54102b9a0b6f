/** What a commit does to a table's files. */
import type { DataFile } from "../manifest/data-file.ts";

/** A file, and the partition spec that its partition is of. */
export interface FileOfSpec {
  readonly specId: number;
  readonly file: DataFile;
}

/** What a snapshot's summary calls a commit ("Snapshots", `operation`): files added; rows changed; files and rows deleted; the same rows in other files. */
export type Operation = "append" | "overwrite" | "delete" | "replace";

export interface FileChange {
  readonly operation: Operation;
  /** Files of data or of deletes. */
  readonly add?: readonly FileOfSpec[] | undefined;
  /** Files that are in the table: they are found by their paths. */
  readonly remove?: readonly FileOfSpec[] | undefined;
  /**
   * How new the rows of added data files are, where they are older than the commit: those of a snapshot whose files are replaced, so that equality
   * deletes that came since go on applying ("Sequence Number Inheritance"). Default: as new as the commit.
   */
  readonly sequenceNumber?: number | undefined;
  /** Properties of the snapshot's summary, besides the counts. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
}
