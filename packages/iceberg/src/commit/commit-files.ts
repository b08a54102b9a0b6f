/** Commits of files: added to what a table has, or in the place of it. */
import type { Abortable } from "@orcajs/objectstore";
import { backOff } from "../catalog/backoff.ts";
import type { TableOperations, TableState } from "../catalog/table-operations.ts";
import { IcebergError } from "../errors.ts";
import { refused } from "../metadata/refused.ts";
import { MAIN, type Snapshot, snapshotOfRef, type TableMetadata } from "../metadata/table-metadata.ts";
import type { Predicate } from "../predicate/predicate.ts";
import { checkAdded } from "./added-files.ts";
import { checkAddedData, checkAddedDeletes } from "./conflicts.ts";
import type { FileChange } from "./file-change.ts";
import type { Removed, RemovedSelection } from "./removed-files.ts";
import { RemovedPaths } from "./removed-selection.ts";
import { commitSettings } from "./settings.ts";
import { snapshotsSince } from "./snapshots-since.ts";
import { StagedCommit } from "./staged-commit.ts";
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
  /** Whether the added files are deleted if the commit surely failed. Default: false. */
  readonly deletesAddedOnFailure?: boolean | undefined;
}

export interface Committed {
  readonly state: TableState;
  readonly snapshot: Snapshot;
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
  return await commitSelected(operations, change, paths, options, (removed, isBase) => paths?.check(removed, isBase));
}

/** Commits a change that removes whatever a selection has when it is committed. */
export async function commitSelected(
  operations: TableOperations,
  change: FileChange,
  selection: RemovedSelection | undefined,
  options: CommitOptions,
  checkRemoved: (removed: Removed, isBase: boolean) => void,
): Promise<Committed> {
  const { branch = MAIN, signal, deletesAddedOnFailure = false } = options;
  const { files } = operations;
  const staged = new StagedCommit(files, change, selection, branch);
  const beganMs = Date.now();
  let mayBeApplied = false;
  try {
    const base = options.base ?? (await operations.load({ signal }));
    const { retries, waitMs, waitMsMax, timeoutMs } = commitSettings(base.metadata);
    const baseId = snapshotOfRef(base.metadata, branch)?.["snapshot-id"];
    const validateFrom = options.validateFrom ?? baseId;
    checkProperties(change);
    checkAdded(base.metadata, change);
    let state = base;
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const { metadata } = state;
      checkSame(operations, base.metadata, metadata, change);
      checkBranch(operations, metadata, branch);
      const check = async (removed: Removed) => {
        checkRemoved(removed, snapshotOfRef(metadata, branch)?.["snapshot-id"] === validateFrom);
        await checkConflicts(operations, metadata, change, removed, { ...options, branch, validateFrom });
      };
      const snapshot = await staged.snapshotOn(metadata, Date.now(), check, { signal });
      mayBeApplied = true;
      try {
        // a commit that is sent isn't aborted: whether it was applied would not be known
        const committed = await operations.commit(state, changeOf(metadata, branch, snapshot));
        await staged.discardFailed();
        return { state: committed, snapshot };
      } catch (error) {
        mayBeApplied = !(error instanceof IcebergError) || error.code === "commit-unknown";
        const isConflict = error instanceof IcebergError && error.code === "commit-conflict";
        if (!isConflict || attempt > retries || Date.now() - beganMs >= timeoutMs) throw error;
      }
      await backOff(attempt, waitMs, { signal }, waitMsMax);
      state = await operations.load({ signal });
    }
  } catch (error) {
    if (!mayBeApplied) {
      await staged.discardAll();
      const added = deletesAddedOnFailure ? (change.add ?? []).map(({ file }) => file.path) : [];
      if (added.length > 0) await files.delete(added).catch(() => undefined); // they are orphans then
    }
    throw error;
  }
}

async function checkConflicts(
  { files }: TableOperations,
  metadata: TableMetadata,
  change: FileChange,
  removed: Removed,
  { branch, validateFrom, conflictFilter, signal }: CommitOptions & { readonly branch: string },
): Promise<void> {
  if (removed.files.length === 0 && conflictFilter === undefined) return;
  const since = snapshotsSince(metadata, branch, validateFrom);
  if (conflictFilter !== undefined) await checkAddedData(metadata, files, since, conflictFilter, { signal });
  const areEqualityDeletesKept = change.sequenceNumber !== undefined;
  // rows that go whole may be deleted twice
  if ((change.add ?? []).length > 0)
    await checkAddedDeletes(metadata, files, since, removed.files, areEqualityDeletesKept, { signal });
}

function changeOf(
  metadata: TableMetadata,
  branch: string,
  snapshot: Snapshot,
): Parameters<TableOperations["commit"]>[1] {
  const uuid = metadata["table-uuid"];
  const id = snapshot["snapshot-id"];
  return {
    requirements: [
      ...(uuid === undefined ? [] : [{ type: "assert-table-uuid" as const, uuid }]),
      { type: "assert-current-schema-id", "current-schema-id": metadata["current-schema-id"] },
      { type: "assert-ref-snapshot-id", ref: branch, "snapshot-id": snapshot["parent-snapshot-id"] ?? null },
    ],
    updates: [
      { action: "add-snapshot", snapshot },
      // how long the branch is kept stays as it is
      { action: "set-snapshot-ref", "ref-name": branch, type: "branch", ...metadata.refs[branch], "snapshot-id": id },
    ],
  };
}

function checkSame({ name }: TableOperations, base: TableMetadata, now: TableMetadata, { add = [] }: FileChange): void {
  if (now["format-version"] > 2)
    throw new IcebergError("unsupported", `${name} has version 3 of the format, which isn't written yet`);
  if (now["table-uuid"] !== base["table-uuid"])
    throw conflict(`${name} was dropped and made anew meanwhile: load it, and write the rows again`);
  if (add.length === 0) return;
  if (now["current-schema-id"] !== base["current-schema-id"])
    throw conflict(`the columns of ${name} were changed meanwhile: refresh it, and write the rows again`);
  const specs = new Set(now["partition-specs"].map((spec) => spec["spec-id"]));
  const gone = add.find(({ specId }) => !specs.has(specId));
  if (gone !== undefined)
    throw conflict(`${name} has no partition spec ${gone.specId} any more: refresh it, and write the rows again`);
}

function checkBranch({ name }: TableOperations, { refs }: TableMetadata, branch: string): void {
  const ref = Object.hasOwn(refs, branch) ? refs[branch] : undefined;
  if (ref === undefined && branch !== MAIN)
    throw new IcebergError("snapshot-missing", `${name} has no branch ${branch}: create it first`);
  if (ref?.type === "tag") throw refused(`${branch} is a tag of ${name}, which doesn't move: commit to a branch`);
}

function conflict(sentence: string): IcebergError {
  return new IcebergError("commit-conflict", sentence);
}
