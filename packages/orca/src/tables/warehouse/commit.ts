/** A commit that a step asks for, before it is known whether it has landed. */
import type { Snapshot, Table } from "@orcajs/iceberg";
import type { DatasetOrName } from "../../core/datasets/dataset.ts";
import type { KnownColumns } from "../where.ts";

/** What tells a commit from all others, what else its snapshot says, and what ends it. */
interface CommitManner {
  readonly once: Readonly<Record<string, string>>;
  /** Asked for when all that is read for the commit is known. */
  properties(): Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface Commit {
  readonly dataset: DatasetOrName;
  /** Whether it can be tried again where others were in the way. */
  readonly isRepeatable: boolean;
  /** What it comes to for a table of these columns. @throws OrcaError if it isn't one that the table takes. */
  of(table: KnownColumns): CommitToTable;
}

export interface CommitToTable {
  /** In a sentence: `appends to 'lake.clean'`. */
  readonly does: string;
  make(table: Table, manner: CommitManner): Promise<Snapshot>;
}
