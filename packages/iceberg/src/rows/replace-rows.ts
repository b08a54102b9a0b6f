/** Rows that a filter selects, deleted or replaced by others: files that have some are written anew without them ("copy-on-write"). */
import type { Abortable } from "@orcajs/objectstore";
import { commitFiles } from "../commit/commit-files.ts";
import type { Committed } from "../commit/commit-snapshot.ts";
import { discardFiles } from "../commit/discard-files.ts";
import type { FileOfSpec } from "../commit/file-change.ts";
import { type DeletePlan, planDelete, withDeletes } from "../commit/plan-delete.ts";
import { REWRITTEN_FILES } from "../commit/summary.ts";
import { IcebergError } from "../errors.ts";
import type { Predicate } from "../predicate/predicate.ts";
import { rowsOfFiles, selectedCounts } from "../scan/rows-of-files.ts";
import type { ScannedTable } from "../scan/scan.ts";
import { type RowsToWrite, writeRows } from "../write/write-rows.ts";
import { landedBefore, propertiesOf, type RowCommitOptions } from "./add-rows.ts";
import { checkSelected } from "./check-selected.ts";

export interface ReplaceOptions extends RowCommitOptions {
  /**
   * What others may commit meanwhile: `serializable`, no rows that the filter may select; `snapshot`, any rows, and those that they add stay.
   * Default: `serializable`.
   */
  readonly isolation?: "serializable" | "snapshot" | undefined;
}

/**
 * Deletes the rows that a filter selects, and adds others if some are given, in one snapshot. Files of which all rows are selected aren't read, and of
 * those that may have some only the filter's columns, unless there are some.
 *
 * @param rows each must be selected by the filter.
 * @throws IcebergError `invalid-rows` also for a row that the filter doesn't select; `invalid-predicate`; as a scan, `writeRows` and `commitFiles` do.
 */
export async function replaceRows(
  table: ScannedTable,
  where: Predicate,
  rows: RowsToWrite | undefined,
  options: ReplaceOptions = {},
): Promise<Committed> {
  // a filter that is left out would select all rows
  if ((where as Predicate | undefined) === undefined)
    throw new IcebergError("invalid-predicate", "which rows is not said: give a filter, or ALWAYS for all of them");
  const landed = landedBefore(table, options);
  if (landed !== undefined) return landed;
  const { branch, once, properties: _, isolation = "serializable", ...writing } = options;
  const { signal } = writing;
  const { operations, state, engine } = table;
  const { files } = operations;
  const plan = await withoutUntouched(table, await planDelete({ state, files }, where, { branch, signal }), { signal });
  const context = { metadata: state.metadata, files, engine };
  const add: FileOfSpec[] = [];
  try {
    if (rows !== undefined) {
      add.push(...(await writeRows(context, rows, writing)));
      await checkSelected(table, plan, add, { signal });
    }
    if (plan.partly.length > 0) {
      const others = rowsOfFiles(table, { ...plan, tasks: plan.partly }, "others");
      add.push(...(await writeRows(context, others, writing)));
    }
  } catch (error) {
    await discardFiles(files, add);
    throw error;
  }
  const change = {
    operation: add.length === 0 ? ("delete" as const) : ("overwrite" as const),
    add,
    remove: withDeletes([...plan.whole, ...plan.partly]),
    properties: { ...propertiesOf(options), [REWRITTEN_FILES]: String(plan.partly.length) },
  };
  return await commitFiles(operations, change, {
    base: state,
    branch,
    once,
    validateFrom: plan.snapshot?.["snapshot-id"],
    conflictFilter: isolation === "serializable" ? where : undefined,
    deletesAddedOnFailure: true,
    signal,
  });
}

/** Files that might have had such rows, and have none, stay as they are; those that have no others go whole. */
async function withoutUntouched(table: ScannedTable, plan: DeletePlan, options: Abortable): Promise<DeletePlan> {
  if (plan.partly.length === 0) return plan;
  const counts = await selectedCounts(table, { ...plan, tasks: plan.partly }, options);
  const touched = plan.partly.filter((task) => counts.has(task));
  const isWhole = touched.map((task) => counts.get(task) === task.file.file.recordCount);
  return {
    ...plan,
    whole: [...plan.whole, ...touched.filter((_, i) => isWhole[i])],
    partly: touched.filter((_, i) => !isWhole[i]),
  };
}
