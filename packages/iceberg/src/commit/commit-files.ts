/** Commits of files: added to what a table has, or in the place of it. */
import type { Abortable } from "@orcajs/objectstore";
import type { TableOperations, TableState } from "../catalog/table-operations.ts";
import { IcebergError } from "../errors.ts";
import { MAIN, snapshotOfRef, type TableMetadata } from "../metadata/table-metadata.ts";
import type { Predicate } from "../predicate/predicate.ts";
import { checkAdded } from "./added-files.ts";
import { type Committed, commitSnapshot } from "./commit-snapshot.ts";
import { checkAddedData, checkAddedDeletes } from "./conflicts.ts";
import { discardFiles } from "./discard-files.ts";
import type { FileChange } from "./file-change.ts";
import type { Removed, RemovedSelection } from "./removed-files.ts";
import { RemovedPaths } from "./removed-paths.ts";
import { snapshotsSince } from "./snapshots-since.ts";
import { StagedFiles } from "./staged-files.ts";
import { checkProperties } from "./summary.ts";

export interface CommitOptions extends Abortable {
  /** The table as it was when the change was decided. Default: as it is at the call. */
  readonly base?: TableState | undefined;
  /** Default: `main`. Another must be there. */
  readonly branch?: string | undefined;
  /** The snapshot that the change was decided by; what came after it is looked through for conflicts. Default: the branch's in `base`. */
  readonly validateFrom?: bigint | undefined;
  /** If others have added rows that this may select, the change is refused ("serializable"). Default: they may add what they like ("snapshot isolation"). */
  readonly conflictFilter?: Predicate | undefined;
  /**
   * Properties that tell this commit from all others; they are in its summary. If the branch has a snapshot with them already, nothing is committed, that
   * snapshot is given, and `deletesAddedOnFailure` goes for the added files: however often it is tried, and by whom, one lands. Default: none.
   */
  readonly once?: Readonly<Record<string, string>> | undefined;
  /** Whether the added files are deleted if the commit surely failed. Default: false. */
  readonly deletesAddedOnFailure?: boolean | undefined;
}

/**
 * Commits a change of files to a branch as one snapshot, beside all that others commit meanwhile: only metadata is written anew for that. What a
 * commit that surely failed has written is deleted.
 *
 * @throws IcebergError `commit-conflict` if the table's columns changed meanwhile, files to be removed were removed or had rows deleted, rows came that
 * `conflictFilter` selects, or others were always quicker; `commit-unknown`: the files are to be left then; `invalid-change`, with the file or
 * property; `snapshot-missing` if there is no such branch; `file-missing` or `invalid-manifest`, with the manifest; `table-missing`; `read-only`;
 * `unsupported` for version 3.
 */
export async function commitFiles(
  operations: TableOperations,
  change: FileChange,
  options: CommitOptions = {},
): Promise<Committed> {
  const { remove = [] } = change;
  const paths = remove.length === 0 ? undefined : new RemovedPaths(remove);
  return await commitSelected(operations, change, paths, options, async (metadata, removed, base) => {
    const { branch } = options;
    const validateFrom = options.validateFrom ?? snapshotOfRef(base, branch)?.["snapshot-id"];
    paths?.check(removed, snapshotOfRef(metadata, branch)?.["snapshot-id"] === validateFrom);
    await checkConflicts(operations, metadata, change, removed, { ...options, validateFrom });
  });
}

/** Is given what is removed from a table. @throws what ends the commit. */
type CheckRemoved = (metadata: TableMetadata, removed: Removed, base: TableMetadata) => Promise<void>;

/** Commits a change that removes what a selection has, of the table as it is then. */
export async function commitSelected(
  operations: TableOperations,
  given: FileChange,
  selection: RemovedSelection | undefined,
  options: CommitOptions,
  checkRemoved: CheckRemoved,
): Promise<Committed> {
  const { branch = MAIN, once, signal, deletesAddedOnFailure = false } = options;
  const { files } = operations;
  const change = once === undefined ? given : { ...given, properties: { ...given.properties, ...once } };
  const discardAdded = async () => {
    if (deletesAddedOnFailure) await discardFiles(files, change.add ?? []);
  };
  let base: TableState;
  try {
    base = options.base ?? (await operations.load({ signal }));
    checkProperties(change);
    checkAdded(base.metadata, change);
  } catch (error) {
    await discardAdded();
    throw error;
  }
  const check = async (metadata: TableMetadata, removed: Removed) => {
    checkFit(operations, base.metadata, metadata, change);
    await checkRemoved(metadata, removed, base.metadata);
  };
  const staged = new StagedFiles(files, { change, removed: selection, branch, check, discardAdded });
  return await commitSnapshot(operations, staged, { base, branch, once, signal });
}

async function checkConflicts(
  { files }: TableOperations,
  metadata: TableMetadata,
  change: FileChange,
  removed: Removed,
  { branch = MAIN, validateFrom, conflictFilter, signal }: CommitOptions,
): Promise<void> {
  if (removed.files.length === 0 && conflictFilter === undefined) return;
  const since = snapshotsSince(metadata, branch, validateFrom);
  if (conflictFilter !== undefined) await checkAddedData(metadata, files, since, conflictFilter, { signal });
  const areEqualityDeletesKept = change.sequenceNumber !== undefined;
  // rows that go without others in their place may be deleted twice
  if ((change.add ?? []).length > 0)
    await checkAddedDeletes(metadata, files, since, removed.files, areEqualityDeletesKept, { signal });
}

/** Whether the added files still are what the table has. */
function checkFit({ name }: TableOperations, base: TableMetadata, now: TableMetadata, { add = [] }: FileChange): void {
  if (add.length === 0) return;
  if (now["current-schema-id"] !== base["current-schema-id"])
    throw conflict(`the columns of ${name} were changed meanwhile: refresh it, and write the rows again`);
  const specs = new Set(now["partition-specs"].map((spec) => spec["spec-id"]));
  const gone = add.find(({ specId }) => !specs.has(specId));
  if (gone !== undefined)
    throw conflict(`${name} has no partition spec ${gone.specId} any more: refresh it, and write the rows again`);
}

function conflict(sentence: string): IcebergError {
  return new IcebergError("commit-conflict", sentence);
}
