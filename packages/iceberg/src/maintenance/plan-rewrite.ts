/** Which data files are to be written anew: small ones together, large ones in parts, and those of which rows were deleted. */
import type { Abortable } from "@orcajs/objectstore";
import type { TableOperations, TableState } from "../catalog/table-operations.ts";
import { commitFiles } from "../commit/commit-files.ts";
import type { Committed } from "../commit/commit-snapshot.ts";
import type { FileOfSpec } from "../commit/file-change.ts";
import { binsOf } from "../commit/merged-manifests.ts";
import { withDeletes } from "../commit/plan-delete.ts";
import type { TableFiles } from "../files/table-files.ts";
import { MAIN, type Snapshot } from "../metadata/table-metadata.ts";
import type { Predicate } from "../predicate/predicate.ts";
import { partitionKey } from "../scan/delete-index.ts";
import type { FileTask } from "../scan/file-task.ts";
import { planFiles, type ScanPlan } from "../scan/plan.ts";
import { writeSettings } from "../write/write-settings.ts";

export interface RewritePlanOptions extends Abortable {
  /** Default: `main`. */
  readonly branch?: string | undefined;
  /** Only files that may have such rows; they are rewritten whole. Default: all. */
  readonly where?: Predicate | undefined;
  /** Default: `write.target-file-size-bytes`, or 512 MiB. */
  readonly targetFileSizeBytes?: number | undefined;
  /** How many small files of a partition are worth a rewrite. Default: 5. */
  readonly minInputFiles?: number | undefined;
  /** How many delete files apply to a file that is worth a rewrite of its own. Default: 1. */
  readonly minDeleteFiles?: number | undefined;
}

/** Files of one partition whose rows are written anew together, with the deletes that apply to each. */
export interface RewriteGroup {
  readonly specId: number;
  readonly tasks: readonly FileTask[];
  readonly sizeBytes: number;
}

export interface RewritePlan extends Pick<ScanPlan, "schema" | "filter"> {
  /** The table that was planned for. */
  readonly base: TableState;
  readonly branch: string;
  /** Undefined if the branch has none; then there are no groups. */
  readonly snapshot: Snapshot | undefined;
  readonly groups: readonly RewriteGroup[];
  readonly targetFileSizeBytes: number;
}

/** Files less than this share of the target are small, and those over the other large. */
const [SMALL, LARGE] = [0.75, 1.8];

/** Plans a rewrite of the files of each partition and spec. Groups may be rewritten and committed one by one. @throws IcebergError as a scan does. */
export async function planRewrite(
  { state, files }: { readonly state: TableState; readonly files: TableFiles },
  options: RewritePlanOptions = {},
): Promise<RewritePlan> {
  const { branch = MAIN, where, minInputFiles = 5, minDeleteFiles = 1, signal } = options;
  const { targetFileSizeBytes } = writeSettings(state.metadata, { targetFileSizeBytes: options.targetFileSizeBytes });
  const { tasks, ...plan } = await planFiles({ state, files }, { where, snapshot: { ref: branch }, signal });
  const isWorth = (task: FileTask) =>
    task.deletes.length >= minDeleteFiles || task.file.file.sizeBytes > LARGE * targetFileSizeBytes;
  const candidates = tasks.filter((task) => isWorth(task) || task.file.file.sizeBytes < SMALL * targetFileSizeBytes);
  const groups = [...Map.groupBy(candidates, ({ file }) => partitionKey(file)).values()].flatMap((ofPartition) =>
    binsOf(
      ofPartition.map((task) => ({ task, length: task.file.file.sizeBytes })),
      targetFileSizeBytes,
    )
      .map((bin) => bin.map(({ task }) => task))
      .filter((bin) => bin.some(isWorth) || bin.length >= minInputFiles)
      .map(groupOf),
  );
  return { ...plan, base: state, branch, groups, targetFileSizeBytes };
}

/**
 * Commits new files in the place of a group's, as a `replace`. Those of the group's spec are as new as the snapshot that was planned for, so that equality
 * deletes that came since apply to them.
 *
 * @param add what the rows of the group were written to, without those that its deletes delete.
 * @throws IcebergError `commit-conflict` if others removed a file of the group meanwhile, or deleted rows of one by position, or in any way where the new
 * files are of another spec; as `commitFiles` does.
 */
export async function commitRewrite(
  operations: TableOperations,
  { base, branch, snapshot }: RewritePlan,
  { tasks, specId }: RewriteGroup,
  add: readonly FileOfSpec[],
  options: Abortable & { readonly properties?: Readonly<Record<string, string>> | undefined } = {},
): Promise<Committed> {
  const { properties, signal } = options;
  // equality deletes are of a partition of one spec, and say nothing of the files of another
  const isOfSameSpec = add.every((file) => file.specId === specId);
  const change = {
    operation: "replace" as const,
    add,
    remove: withDeletes(tasks),
    sequenceNumber: isOfSameSpec ? snapshot?.["sequence-number"] : undefined,
    properties,
  };
  const validateFrom = snapshot?.["snapshot-id"];
  return await commitFiles(operations, change, { base, branch, validateFrom, deletesAddedOnFailure: true, signal });
}

function groupOf(tasks: readonly FileTask[]): RewriteGroup {
  return {
    specId: tasks[0]!.file.specId,
    tasks,
    sizeBytes: tasks.reduce((sum, { file }) => sum + file.file.sizeBytes, 0),
  };
}
