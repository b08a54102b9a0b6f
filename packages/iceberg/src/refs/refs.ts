/** Branches and tags ("Snapshot References"). */
import type { Abortable } from "@orcajs/objectstore";
import type { TableOperations, TableState } from "../catalog/table-operations.ts";
import { IcebergError } from "../errors.ts";
import { refused } from "../metadata/refused.ts";
import { MAIN, type SnapshotRef, type TableMetadata } from "../metadata/table-metadata.ts";
import { foundSnapshot } from "../scan/snapshot-choice.ts";
import { isAncestor } from "./ancestors.ts";
import { changeRef, refOf } from "./change-ref.ts";

/** How long a branch or tag, and a branch's snapshots, are kept when snapshots are expired. What isn't given is the table's to say. */
export interface Retention {
  /** Not for `main`, which always stays. */
  readonly maxRefAgeMs?: number | undefined;
  /** Of branches alone. */
  readonly maxSnapshotAgeMs?: number | undefined;
  /** Of branches alone. */
  readonly minSnapshotsToKeep?: number | undefined;
}

export interface NewRefOptions extends Retention, Abortable {
  /** Default: the snapshot of `main`. */
  readonly snapshotId?: bigint | undefined;
}

/** @throws IcebergError `invalid-change` if there is one of the name already; `snapshot-missing`. */
export async function createBranch(
  operations: TableOperations,
  name: string,
  options: NewRefOptions = {},
): Promise<TableState> {
  return await createRef(operations, name, "branch", options);
}

/** @throws IcebergError `invalid-change` if there is one of the name already; `snapshot-missing`. */
export async function createTag(
  operations: TableOperations,
  name: string,
  options: NewRefOptions = {},
): Promise<TableState> {
  return await createRef(operations, name, "tag", options);
}

/**
 * Sets a branch or tag to any snapshot of the table, whatever it was before.
 * @throws IcebergError `snapshot-missing` if there is no such branch or tag, or snapshot.
 */
export async function replaceRef(
  operations: TableOperations,
  name: string,
  snapshotId: bigint,
  options: Abortable = {},
): Promise<TableState> {
  const decide = (metadata: TableMetadata, ref: SnapshotRef | undefined) => {
    foundSnapshot(metadata, snapshotId);
    return { ...found(operations, name, ref), "snapshot-id": snapshotId };
  };
  return await changeRef(operations, name, decide, options);
}

/** Removes a branch or tag; its snapshots stay until they expire. @throws IcebergError `invalid-change` for `main`; `snapshot-missing`. */
export async function removeRef(
  operations: TableOperations,
  name: string,
  options: Abortable = {},
): Promise<TableState> {
  if (name === MAIN) throw refused(`${MAIN} can't be removed: it is what the table is`);
  let isFirst = true;
  const decide = (_: TableMetadata, ref: SnapshotRef | undefined) => {
    // others may remove it at the same time
    if (isFirst) found(operations, name, ref);
    isFirst = false;
    return undefined;
  };
  return await changeRef(operations, name, decide, options);
}

/** Says how long a branch or tag is kept. What isn't given is the table's to say. @throws IcebergError `invalid-change`; `snapshot-missing`. */
export async function setRetention(
  operations: TableOperations,
  name: string,
  retention: Retention,
  options: Abortable = {},
): Promise<TableState> {
  const decide = (_: TableMetadata, ref: SnapshotRef | undefined) => {
    const { type, "snapshot-id": id } = found(operations, name, ref);
    return { "snapshot-id": id, type, ...kept(name, type, retention) };
  };
  return await changeRef(operations, name, decide, options);
}

/**
 * Moves a branch forward to where another, or a tag, is.
 * @throws IcebergError `invalid-change` if the branch has snapshots that the other hasn't; `snapshot-missing`.
 */
export async function fastForward(
  operations: TableOperations,
  branch: string,
  to: string,
  options: Abortable = {},
): Promise<TableState> {
  const decide = (metadata: TableMetadata, ref: SnapshotRef | undefined) => {
    const { "snapshot-id": target } = found(operations, to, refOf(metadata, to));
    if (ref === undefined && branch === MAIN) return { type: "branch" as const, "snapshot-id": target };
    const from = branchOf(operations, branch, ref);
    if (!isAncestor(metadata, from["snapshot-id"], target))
      throw refused(`${branch} can't be moved to ${to}, which doesn't follow on snapshot ${from["snapshot-id"]}`);
    return { ...from, "snapshot-id": target };
  };
  return await changeRef(operations, branch, decide, options);
}

export function branchOf(operations: TableOperations, name: string, ref: SnapshotRef | undefined): SnapshotRef {
  const branch = found(operations, name, ref);
  if (branch.type !== "branch") throw refused(`${name} is a tag of ${operations.name}, which doesn't move`);
  return branch;
}

async function createRef(
  operations: TableOperations,
  name: string,
  type: SnapshotRef["type"],
  { snapshotId, signal, ...retention }: NewRefOptions,
): Promise<TableState> {
  if (name === "") throw refused(`a ${type} needs a name`);
  if (name === MAIN && type === "tag") throw refused(`${MAIN} is a branch and can't be a tag`);
  const settings = kept(name, type, retention);
  const decide = (metadata: TableMetadata, ref: SnapshotRef | undefined) => {
    if (ref !== undefined) throw refused(`${operations.name} has a ${ref.type} ${name} already`);
    const id = snapshotId ?? metadata["current-snapshot-id"];
    if (id === undefined)
      throw new IcebergError(
        "snapshot-missing",
        `${operations.name} has no snapshot yet that a ${type} could be of: append rows first`,
      );
    foundSnapshot(metadata, id);
    return { "snapshot-id": id, type, ...settings };
  };
  return await changeRef(operations, name, decide, { signal });
}

function found({ name: table }: TableOperations, name: string, ref: SnapshotRef | undefined): SnapshotRef {
  if (ref === undefined) throw new IcebergError("snapshot-missing", `${table} has no branch or tag ${name}`);
  return ref;
}

function kept(name: string, type: SnapshotRef["type"], retention: Retention): Partial<SnapshotRef> {
  const { maxRefAgeMs, maxSnapshotAgeMs, minSnapshotsToKeep } = retention;
  for (const [what, value] of Object.entries({ maxRefAgeMs, maxSnapshotAgeMs, minSnapshotsToKeep }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      throw refused(`${what} of ${name} is ${value}, which isn't a whole number above 0`);
  if (type === "tag" && (maxSnapshotAgeMs !== undefined || minSnapshotsToKeep !== undefined))
    throw refused(`${name} is a tag, of one snapshot: only maxRefAgeMs says how long it is kept`);
  if (name === MAIN && maxRefAgeMs !== undefined) throw refused(`${MAIN} always stays: it has no maxRefAgeMs`);
  return {
    ...(minSnapshotsToKeep !== undefined && { "min-snapshots-to-keep": minSnapshotsToKeep }),
    ...(maxSnapshotAgeMs !== undefined && { "max-snapshot-age-ms": maxSnapshotAgeMs }),
    ...(maxRefAgeMs !== undefined && { "max-ref-age-ms": maxRefAgeMs }),
  };
}
