/** What a scan reads. */
import type { FileOfSpec } from "../commit/file-change.ts";

/** A file of a snapshot. Of its statistics those are there that planning needed. */
export interface PlannedFile extends FileOfSpec {
  /** How new its rows are, or its deletes ("Scan Planning"). */
  readonly sequenceNumber: number;
}

/** A file whose rows may be selected, and what deletes some of them. */
export interface FileTask {
  readonly file: PlannedFile;
  readonly deletes: readonly PlannedFile[];
  /** Whether the filter is known to select every row of the file. */
  readonly isWhole: boolean;
}
