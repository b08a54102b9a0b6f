/** Small files made larger ones, and rows that were deleted left out. */
import type { Abortable } from "@orcajs/objectstore";
import type { Committed } from "../commit/commit-snapshot.ts";
import { discardFiles } from "../commit/discard-files.ts";
import type { FileOfSpec } from "../commit/file-change.ts";
import { IcebergError } from "../errors.ts";
import { rowsOfFiles } from "../scan/rows-of-files.ts";
import type { ScannedTable } from "../scan/scan.ts";
import { writeRows, type WriteOptions } from "../write/write-rows.ts";
import {
  commitRewrite,
  planRewrite,
  type RewriteGroup,
  type RewritePlan,
  type RewritePlanOptions,
} from "./plan-rewrite.ts";

export interface RewriteOptions extends RewritePlanOptions, Pick<WriteOptions, "compression" | "rowGroupRows"> {
  /** Properties of the snapshots' summaries, besides the counts. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
}

export interface RewrittenFiles {
  /** One for each group of files that was rewritten. */
  readonly commits: readonly Committed[];
  readonly removed: number;
  readonly added: number;
}

/**
 * Writes the files anew that are worth it, by the table's current columns, partitions and order. Each group of files is a commit of its own: if one
 * fails, those before it stay.
 *
 * @throws IcebergError `invalid-file` if a file hasn't the rows that its manifest says; as a scan, `writeRows` and `commitRewrite` do.
 */
export async function rewriteFiles(
  table: ScannedTable,
  { compression, rowGroupRows, properties, ...options }: RewriteOptions = {},
): Promise<RewrittenFiles> {
  const { operations, state } = table;
  const { signal } = options;
  const plan = await planRewrite({ state, files: operations.files }, options);
  const { targetFileSizeBytes } = plan;
  const commits: Committed[] = [];
  let [removed, added] = [0, 0];
  for (const group of plan.groups) {
    const written = await rewritten(table, plan, group, { targetFileSizeBytes, compression, rowGroupRows, signal });
    commits.push(await commitRewrite(operations, plan, group, written, { properties, signal }));
    removed += group.tasks.length;
    added += written.length;
  }
  return { commits, removed, added };
}

async function rewritten(
  table: ScannedTable,
  plan: RewritePlan,
  { tasks }: RewriteGroup,
  options: WriteOptions & Abortable,
): Promise<readonly FileOfSpec[]> {
  const { operations, state, engine } = table;
  const { files } = operations;
  const all = tasks.map((task) => ({ ...task, isWhole: true })); // a filter chooses files, not rows
  const rows = rowsOfFiles(table, { ...plan, tasks: all }, "selected");
  const written = await writeRows({ metadata: state.metadata, files, engine }, rows, options);
  const [before, after] = [rowCount(tasks.map(({ file }) => file)), rowCount(written)];
  const hasDeletes = tasks.some((task) => task.deletes.length > 0);
  if (hasDeletes ? after <= before : after === before) return written;
  await discardFiles(files, written);
  throw new IcebergError(
    "invalid-file",
    `files of ${operations.name} have ${after} rows, where the manifests say ${before}: ${tasks[0]!.file.file.path} and others are left as they are`,
  );
}

function rowCount(files: readonly FileOfSpec[]): number {
  return files.reduce((sum, { file }) => sum + file.recordCount, 0);
}
