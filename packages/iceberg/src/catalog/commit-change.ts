import type { Abortable } from "@orcajs/objectstore";
import { IcebergError } from "../errors.ts";
import { checkRequirements } from "../metadata/requirements.ts";
import { backOff } from "./backoff.ts";
import type { TableChange, TableOperations, TableState } from "./table-operations.ts";

const ATTEMPTS_MAX = 10;
const FIRST_WAIT_MS = 20;

/**
 * Commits a change of a table's metadata alone, which is right for whatever the table has become as long as its requirements hold: on a conflict it
 * is tried again until they don't.
 *
 * @throws IcebergError as `TableOperations.commit` does
 */
export async function commitChange(
  operations: TableOperations,
  base: TableState,
  change: TableChange,
  options: Abortable = {},
): Promise<TableState> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operations.commit(base, change, options);
    } catch (error) {
      if (!(error instanceof IcebergError && error.code === "commit-conflict") || attempt === ATTEMPTS_MAX) throw error;
      base = await operations.load(options);
      checkRequirements(base.metadata, change.requirements);
      await backOff(attempt, FIRST_WAIT_MS, options);
    }
  }
}
