/** What a commit does to a table's files. */
import type { DataFile } from "../manifest/data-file.ts";

/** A file, and the partition spec that its partition is of. */
export interface FileOfSpec {
  readonly specId: number;
  readonly file: DataFile;
}

/** What a snapshot's summary calls a commit ("Snapshots": `operation`). */
export type Operation = "append" | "overwrite" | "delete" | "replace";

export interface FileChange {
  readonly operation: Operation;
  readonly add?: readonly FileOfSpec[] | undefined;
  readonly remove?: readonly FileOfSpec[] | undefined;
  /** Properties of the snapshot's summary, besides the counts. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /** Default: `main`. */
  readonly branch?: string | undefined;
}
