/** What a commit does to a table's files. */
import type { DataFile } from "../manifest/data-file.ts";

/** A file, and the partition spec that its partition is of. */
export interface FileOfSpec {
  readonly specId: number;
  readonly file: DataFile;
}

export interface FileChange {
  /** What a snapshot's summary calls the commit ("Snapshots": `operation`). */
  readonly operation: "append";
  readonly add: readonly FileOfSpec[];
  /** Properties of the snapshot's summary, besides the counts. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
}
