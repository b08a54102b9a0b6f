/** The summary of a snapshot ("Snapshots"; "Optional Snapshot Summary Fields"). */
import type { DataFile } from "../manifest/data-file.ts";
import { checkTexts } from "../metadata/texts.ts";
import { refused } from "../metadata/refused.ts";
import type { Snapshot } from "../metadata/table-metadata.ts";
import { partitionKey } from "../scan/delete-index.ts";
import type { FileChange, FileOfSpec, Operation } from "./file-change.ts";

type Count = (file: DataFile) => number;

const isData = ({ content }: DataFile) => content === "data";
const isVector = ({ format }: DataFile) => format === "puffin";
const isPositions = ({ content }: DataFile) => content === "position-deletes";
const isEquality = ({ content }: DataFile) => content === "equality-deletes";
const one =
  (is: (file: DataFile) => boolean): Count =>
  (file) =>
    is(file) ? 1 : 0;
const rows =
  (is: (file: DataFile) => boolean): Count =>
  (file) =>
    is(file) ? file.recordCount : 0;

/** What is counted of the files that a snapshot adds, of those that it removes, and of all that are in it then. */
const COUNTS: readonly (readonly [added: string, removed: string, total: string | undefined, count: Count])[] = [
  ["added-data-files", "deleted-data-files", "total-data-files", one(isData)],
  ["added-records", "deleted-records", "total-records", rows(isData)],
  ["added-files-size", "removed-files-size", "total-files-size", (file) => file.contentSizeBytes ?? file.sizeBytes],
  ["added-delete-files", "removed-delete-files", "total-delete-files", one((file) => !isData(file))],
  [
    "added-position-delete-files",
    "removed-position-delete-files",
    undefined,
    one((f) => isPositions(f) && !isVector(f)),
  ],
  ["added-equality-delete-files", "removed-equality-delete-files", undefined, one(isEquality)],
  ["added-dvs", "removed-dvs", undefined, one(isVector)],
  ["added-position-deletes", "removed-position-deletes", "total-position-deletes", rows(isPositions)],
  ["added-equality-deletes", "removed-equality-deletes", "total-equality-deletes", rows(isEquality)],
];

const OPERATIONS: ReadonlySet<string> = new Set(["append", "overwrite", "delete", "replace"] satisfies Operation[]);

/** How many of the files that a commit removed have rows that it added in others. Writers that don't say it may have rewritten any. */
export const REWRITTEN_FILES = "rewritten-data-files";

/** What is written here, or would be taken for counts of this snapshot. */
const OWN: ReadonlySet<string> = new Set([
  "operation",
  "changed-partition-count",
  "deleted-duplicate-files",
  "manifests-created",
  "manifests-kept",
  "manifests-replaced",
  "entries-processed",
  ...COUNTS.flatMap(([added, removed, total]) => [added, removed, ...(total === undefined ? [] : [total])]),
]);

/**
 * Passes if properties can be in a summary besides its own.
 * @throws IcebergError `invalid-change` if one isn't a text or has the name of a count, or the operation is none.
 */
export function checkProperties({ operation, properties = {} }: FileChange): void {
  if (!OPERATIONS.has(operation))
    throw refused(`the operation is ${String(operation)}: it is one of ${[...OPERATIONS].join(", ")}`);
  checkTexts(properties, "the snapshot's property");
  const own = Object.keys(properties).find((name) => OWN.has(name));
  if (own !== undefined) throw refused(`the snapshot's property ${own} is counted here: give yours another name`);
}

/** The properties of a snapshot's summary that aren't counts. */
export function ownProperties(summary: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(summary).filter(([name]) => !OWN.has(name)));
}

/** Totals go on from the parent's, and are left out where those aren't known or can't be right. */
export function summaryOf(
  { operation, add = [], properties = {} }: FileChange,
  removed: readonly FileOfSpec[],
  parent: Snapshot | undefined,
): Readonly<Record<string, string>> {
  const summary: Record<string, string> = { operation };
  for (const [addedName, removedName, totalName, of] of COUNTS) {
    const [added, gone] = [sum(add, of), sum(removed, of)];
    if (added > 0) summary[addedName] = String(added);
    if (gone > 0) summary[removedName] = String(gone);
    if (totalName === undefined) continue;
    const total = Number(parent === undefined ? 0 : parent.summary?.[totalName]) + added - gone;
    if (Number.isSafeInteger(total) && total >= 0) summary[totalName] = String(total);
  }
  const partitions = new Set([...add, ...removed].map(partitionKey));
  if (partitions.size > 0) summary["changed-partition-count"] = String(partitions.size);
  return { ...summary, ...properties };
}

function sum(files: readonly FileOfSpec[], of: Count): number {
  return files.reduce((total, { file }) => total + of(file), 0);
}
