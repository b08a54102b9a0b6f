/** What of a table's files a filter is about: those that go whole, and those that must be written anew without some rows. */
import type { Abortable } from "@orcajs/objectstore";
import type { TableState } from "../catalog/table-operations.ts";
import type { TableFiles } from "../files/table-files.ts";
import { MAIN, type Snapshot } from "../metadata/table-metadata.ts";
import type { Predicate } from "../predicate/predicate.ts";
import { onlyFileOf } from "../scan/delete-index.ts";
import type { FileTask } from "../scan/file-task.ts";
import { planFiles, type ScanPlan } from "../scan/plan.ts";
import type { FileOfSpec } from "./file-change.ts";

export interface DeletePlanOptions extends Abortable {
  /** Default: `main`. */
  readonly branch?: string | undefined;
}

export interface DeletePlan extends Pick<ScanPlan, "schema" | "filter"> {
  /** The branch's snapshot: `validateFrom` of the commit. Undefined if it has none; then there are no files. */
  readonly snapshot: Snapshot | undefined;
  /** Files of which all rows are selected: they are removed, and not read. */
  readonly whole: readonly FileTask[];
  /** Files of which some rows may be selected, with the deletes that apply to each: they are removed, and their other rows added in new files. */
  readonly partly: readonly FileTask[];
}

/**
 * Plans a delete or an overwrite by a filter. Files that surely have no such rows aren't in the plan.
 *
 * @throws IcebergError as a scan does; `invalid-predicate`.
 */
export async function planDelete(
  table: { readonly state: TableState; readonly files: TableFiles },
  where: Predicate,
  { branch = MAIN, signal }: DeletePlanOptions = {},
): Promise<DeletePlan> {
  const { tasks, ...plan } = await planFiles(table, { where, snapshot: { ref: branch }, signal });
  return { ...plan, whole: tasks.filter(({ isWhole }) => isWhole), partly: tasks.filter(({ isWhole }) => !isWhole) };
}

/** The files, and the delete files that are of them alone: what is removed where their rows go. */
export function withDeletes(tasks: readonly FileTask[]): readonly FileOfSpec[] {
  return [...tasks.map(({ file }) => file), ...deletesOf(tasks)];
}

/** The delete files that are of one of the files alone, each once. */
function deletesOf(tasks: readonly FileTask[]): readonly FileOfSpec[] {
  const paths = new Set(tasks.map(({ file }) => file.file.path));
  const deletes = tasks.flatMap((task) => task.deletes).filter((d) => paths.has(onlyFileOf(d) ?? ""));
  return [...new Map(deletes.map((d) => [d.file.path, d])).values()];
}
