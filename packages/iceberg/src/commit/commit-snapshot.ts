/** A new snapshot of a branch, committed beside all that others commit meanwhile. */
import type { Abortable } from "@orcajs/objectstore";
import type { TableChange, TableOperations, TableState } from "../catalog/table-operations.ts";
import { IcebergError } from "../errors.ts";
import { refused } from "../metadata/refused.ts";
import { sameTable } from "../metadata/requirements.ts";
import { MAIN, type Snapshot, type TableMetadata } from "../metadata/table-metadata.ts";
import { findCommit } from "./find-commit.ts";
import { commitSettings } from "./settings.ts";
import { waitForOthers } from "./wait-for-others.ts";

export interface Committed {
  readonly state: TableState;
  readonly snapshot: Snapshot;
}

/** A snapshot that is under way. */
export interface StagedSnapshot {
  /**
   * Writes what the snapshot needs on a table, for the first try or another.
   * @throws what ends the commit.
   */
  snapshotOn(metadata: TableMetadata, options: Abortable): Promise<Snapshot>;
  /** Deletes what was written for tries that came to nothing. */
  discardFailed(): Promise<void>;
  /** Deletes all that was written. */
  discardAll(): Promise<void>;
}

export interface SnapshotTarget extends Abortable {
  /** The table as it was when the change was decided. */
  readonly base: TableState;
  readonly branch: string;
  /** Properties that only this commit's snapshot has: if the branch has one already, that is it. */
  readonly once?: Readonly<Record<string, string>> | undefined;
}

/** Tries until the snapshot is in the branch, as long as only others' commits are in the way. What a commit that surely failed has written is discarded. */
export async function commitSnapshot(
  operations: TableOperations,
  staged: StagedSnapshot,
  { base, branch, once, signal }: SnapshotTarget,
): Promise<Committed> {
  const beganMs = Date.now();
  let mayBeApplied = false;
  try {
    const settings = commitSettings(base.metadata);
    let state = base;
    let attemptBeganMs = beganMs;
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      checkTable(operations, base.metadata, state.metadata, branch);
      // on the very state that the commit requires, so that of all who try one lands
      const landed = once && findCommit(state, once, branch);
      if (landed !== undefined) {
        await staged.discardAll();
        return { state, snapshot: landed };
      }
      const snapshot = await staged.snapshotOn(state.metadata, { signal });
      mayBeApplied = true;
      try {
        // a commit that is sent isn't aborted: whether it was applied would not be known
        const committed = await operations.commit(state, changeOf(state.metadata, branch, snapshot));
        await staged.discardFailed();
        return { state: committed, snapshot };
      } catch (error) {
        mayBeApplied = !(error instanceof IcebergError) || error.code === "commit-unknown";
        const isConflict = error instanceof IcebergError && error.code === "commit-conflict";
        if (!isConflict || attempt > settings.retries || Date.now() - beganMs >= settings.timeoutMs) throw error;
      }
      await waitForOthers(settings, { attempt, tookMs: Date.now() - attemptBeganMs, signal });
      attemptBeganMs = Date.now();
      state = await operations.load({ signal });
    }
  } catch (error) {
    if (!mayBeApplied) await staged.discardAll();
    throw error;
  }
}

function changeOf(metadata: TableMetadata, branch: string, snapshot: Snapshot): TableChange {
  const id = snapshot["snapshot-id"];
  return {
    requirements: [
      ...sameTable(metadata),
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

function checkTable({ name }: TableOperations, base: TableMetadata, now: TableMetadata, branch: string): void {
  if (now["format-version"] > 2)
    throw new IcebergError("unsupported", `${name} has version 3 of the format, which isn't written yet`);
  if (now["table-uuid"] !== base["table-uuid"])
    throw new IcebergError(
      "commit-conflict",
      `${name} was dropped and made anew meanwhile: load it, and do this again`,
    );
  const ref = Object.hasOwn(now.refs, branch) ? now.refs[branch] : undefined;
  if (ref === undefined && branch !== MAIN)
    throw new IcebergError("snapshot-missing", `${name} has no branch ${branch}: create it first`);
  if (ref?.type === "tag") throw refused(`${branch} is a tag of ${name}, which doesn't move: commit to a branch`);
}
