import type { Abortable } from "@orcajs/objectstore";
import type { TableChange, TableOperations, TableState } from "../catalog/table-operations.ts";
import { IcebergError } from "../errors.ts";
import type { TableMetadata } from "../metadata/table-metadata.ts";
import { commitSettings } from "./settings.ts";
import { waitForOthers } from "./wait-for-others.ts";

/** The table before a commit and after it: the same if there was nothing to change. */
export interface DecidedCommit {
  readonly before: TableState;
  readonly after: TableState;
}

/**
 * Commits a change that is decided by the table as it is, and decided anew if others were quicker.
 *
 * @param decide gives nothing if there is nothing to change. What it throws ends this.
 * @throws IcebergError as `TableOperations.commit` does.
 */
export async function commitDecided(
  operations: TableOperations,
  decide: (metadata: TableMetadata) => TableChange | undefined,
  { signal }: Abortable,
): Promise<DecidedCommit> {
  let attemptBeganMs = Date.now();
  let before = await operations.load({ signal });
  const settings = commitSettings(before.metadata);
  for (let attempt = 1; ; attempt++) {
    const change = decide(before.metadata);
    if (change === undefined) return { before, after: before };
    try {
      return { before, after: await operations.commit(before, change) };
    } catch (error) {
      const isConflict = error instanceof IcebergError && error.code === "commit-conflict";
      if (!isConflict || attempt > settings.retries) throw error;
    }
    await waitForOthers(settings, { attempt, tookMs: Date.now() - attemptBeganMs, signal });
    attemptBeganMs = Date.now();
    before = await operations.load({ signal });
  }
}
