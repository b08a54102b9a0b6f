/** A branch put back to a snapshot that it had, or given what another snapshot added. */
import type { Abortable } from "@orcajs/objectstore";
import type { TableOperations, TableState } from "../catalog/table-operations.ts";
import { commitFiles } from "../commit/commit-files.ts";
import { ownProperties } from "../commit/summary.ts";
import { addedBy } from "../scan/added-entries.ts";
import { IcebergError } from "../errors.ts";
import { refused } from "../metadata/refused.ts";
import { MAIN, type SnapshotRef, type TableMetadata } from "../metadata/table-metadata.ts";
import { checkChoice, foundSnapshot } from "../scan/snapshot-choice.ts";
import { ancestorsOf, isAncestor } from "./ancestors.ts";
import { changeRef, refOf } from "./change-ref.ts";
import { branchOf } from "./refs.ts";

export interface BranchOptions extends Abortable {
  /** Default: `main`. */
  readonly branch?: string | undefined;
}

/**
 * Puts a branch back to one of its snapshots, by id or as it was at a time. What came after stays in the table until it expires.
 *
 * @throws IcebergError `invalid-change` if the branch doesn't follow on the snapshot; `snapshot-missing` if there is none, or the branch had none then.
 */
export async function rollbackTo(
  operations: TableOperations,
  to: { readonly id: bigint } | { readonly at: Date },
  { branch = MAIN, signal }: BranchOptions = {},
): Promise<TableState> {
  checkChoice(to, ["id", "at"]);
  const decide = (metadata: TableMetadata, ref: SnapshotRef | undefined) => {
    const from = branchOf(operations, branch, ref);
    const id = "id" in to ? foundSnapshot(metadata, to.id)["snapshot-id"] : idAt(metadata, from, to.at, branch);
    if (!isAncestor(metadata, id, from["snapshot-id"]))
      throw refused(`${branch} can't be put back to snapshot ${id}, on which it doesn't follow`);
    return { ...from, "snapshot-id": id };
  };
  return await changeRef(operations, branch, decide, { signal });
}

/**
 * Appends to a branch what a snapshot of another appended, as a snapshot of its own with the property `source-snapshot-id`; where that follows
 * right on the branch's, the branch is moved forward to it.
 *
 * @throws IcebergError `unsupported` if the snapshot is no append; `invalid-change` if the branch has it already; `snapshot-missing`; as `commitFiles` does.
 */
export async function cherryPick(
  operations: TableOperations,
  snapshotId: bigint,
  { branch = MAIN, signal }: BranchOptions = {},
): Promise<TableState> {
  const base = await operations.load({ signal });
  const { metadata } = base;
  const snapshot = foundSnapshot(metadata, snapshotId);
  const ref = refOf(metadata, branch);
  const head = ref === undefined && branch === MAIN ? undefined : branchOf(operations, branch, ref)["snapshot-id"];
  const picked = ancestorsOf(metadata, head).some(
    (s) => s["snapshot-id"] === snapshotId || s.summary?.["source-snapshot-id"] === String(snapshotId),
  );
  if (picked) throw refused(`${branch} of ${operations.name} has what snapshot ${snapshotId} did already`);
  if (snapshot["parent-snapshot-id"] === head) {
    const forward = (_: TableMetadata, now: SnapshotRef | undefined): SnapshotRef => {
      if (now?.["snapshot-id"] !== head)
        throw new IcebergError("commit-conflict", `others have committed to ${branch} meanwhile: do this again`);
      return { type: "branch", ...now, "snapshot-id": snapshotId };
    };
    return await changeRef(operations, branch, forward, { signal });
  }
  const { operation = "append", ...summary } = snapshot.summary ?? {};
  if (operation !== "append")
    throw new IcebergError(
      "unsupported",
      `snapshot ${snapshotId} isn't an append but ${operation}: only what was appended is right in any branch`,
    );
  const added = await addedBy(operations.files, snapshot, () => true, { signal });
  const change = {
    operation,
    add: added.map(({ entry, specId }) => ({ specId, file: entry.file })),
    properties: { ...ownProperties(summary), "source-snapshot-id": String(snapshotId) },
  } as const;
  return (await commitFiles(operations, change, { base, branch, signal })).state;
}

function idAt(metadata: TableMetadata, ref: SnapshotRef, at: Date, branch: string): bigint {
  const atMs = at instanceof Date ? at.getTime() : NaN;
  const snapshot = ancestorsOf(metadata, ref["snapshot-id"]).find((s) => s["timestamp-ms"] <= atMs);
  if (snapshot !== undefined) return snapshot["snapshot-id"];
  const when = Number.isNaN(atMs) ? "no valid time" : at.toISOString();
  throw new IcebergError("snapshot-missing", `${branch} had no snapshot at ${when}, or it isn't known any more`);
}
