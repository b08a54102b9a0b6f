/** Commits of files that were written, and are added to what a table has. */
import type { Abortable } from "@orcajs/objectstore";
import { backOff } from "../catalog/backoff.ts";
import type { TableOperations, TableState } from "../catalog/table-operations.ts";
import { IcebergError } from "../errors.ts";
import { MAIN, type Snapshot, type TableMetadata } from "../metadata/table-metadata.ts";
import type { FileOfSpec } from "./file-change.ts";
import { StagedAppend } from "./staged-append.ts";

export interface AppendOptions extends Abortable {
  /** Properties of the snapshot's summary, besides the counts: a later commit can look them up. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
}

export interface Committed {
  readonly state: TableState;
  readonly snapshot: Snapshot;
}

/** How often a commit that met others is tried again, unless `commit.retry.num-retries` says so: as many as twenty writers make each other need. */
const RETRIES = 100;
const WAIT_MS = 20;

/**
 * Commits files to `main` as one snapshot, with all that others have committed meanwhile: only metadata is written anew for that. What a commit
 * that surely failed has written is deleted, and `undo` is called for the files themselves.
 *
 * @param base the table as it was when the files were written for it.
 * @throws IcebergError `commit-conflict` if the table's columns changed meanwhile, or others were always quicker; `commit-unknown`: the files are to
 * be left then; `table-missing`; `unsupported` for version 3; `invalid-change` for properties that are counts.
 */
export async function appendFiles(
  operations: TableOperations,
  base: TableState,
  files: readonly FileOfSpec[],
  { properties, signal }: AppendOptions = {},
  undo: () => Promise<void> = async () => {},
): Promise<Committed> {
  const staged = new StagedAppend(operations.files, { operation: "append", add: files, properties });
  const retries = Number(base.metadata.properties["commit.retry.num-retries"] ?? RETRIES);
  let mayBeApplied = false;
  let state = base;
  try {
    if (base.metadata["format-version"] > 2)
      throw new IcebergError("unsupported", `${operations.name} has version 3 of the format, which isn't written yet`);
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      checkSame(operations, base.metadata, state.metadata);
      const snapshot = await staged.snapshotOn(state.metadata, Date.now(), { signal });
      mayBeApplied = true;
      try {
        // a commit that is sent isn't aborted: whether it was applied would not be known
        const committed = await operations.commit(state, changeOf(state.metadata, snapshot));
        await staged.discard(snapshot);
        return { state: committed, snapshot };
      } catch (error) {
        mayBeApplied = !(error instanceof IcebergError) || error.code === "commit-unknown";
        if (!(error instanceof IcebergError && error.code === "commit-conflict") || attempt > retries) throw error;
      }
      await backOff(attempt, WAIT_MS, { signal });
      state = await operations.load({ signal });
    }
  } catch (error) {
    if (!mayBeApplied) {
      await staged.discard(undefined);
      await undo();
    }
    throw error;
  }
}

function changeOf(metadata: TableMetadata, snapshot: Snapshot): Parameters<TableOperations["commit"]>[1] {
  const uuid = metadata["table-uuid"];
  return {
    requirements: [
      ...(uuid === undefined ? [] : [{ type: "assert-table-uuid" as const, uuid }]),
      { type: "assert-current-schema-id", "current-schema-id": metadata["current-schema-id"] },
      { type: "assert-ref-snapshot-id", ref: MAIN, "snapshot-id": snapshot["parent-snapshot-id"] ?? null },
    ],
    updates: [
      { action: "add-snapshot", snapshot },
      { action: "set-snapshot-ref", "ref-name": MAIN, type: "branch", "snapshot-id": snapshot["snapshot-id"] },
    ],
  };
}

function checkSame({ name }: TableOperations, base: TableMetadata, now: TableMetadata): void {
  if (now["table-uuid"] !== base["table-uuid"])
    throw conflict(`${name} was dropped and made anew meanwhile: load it, and write the rows again`);
  if (now["current-schema-id"] !== base["current-schema-id"])
    throw conflict(`the columns of ${name} were changed meanwhile: refresh it, and write the rows again`);
}

function conflict(sentence: string): IcebergError {
  return new IcebergError("commit-conflict", sentence);
}
