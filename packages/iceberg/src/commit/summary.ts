/** The summary of a snapshot ("Snapshots", "Optional Snapshot Summary Fields"). */
import type { DataFile } from "../manifest/data-file.ts";
import type { Snapshot } from "../metadata/table-metadata.ts";
import { IcebergError } from "../errors.ts";
import type { FileChange, FileOfSpec } from "./file-change.ts";

/** What is counted of the files that a snapshot adds, under this name, and of all that are in it then, under the other. */
const COUNTS: readonly (readonly [added: string, total: string, of: (file: DataFile) => number])[] = [
  ["added-data-files", "total-data-files", (f) => (f.content === "data" ? 1 : 0)],
  ["added-records", "total-records", (f) => (f.content === "data" ? f.recordCount : 0)],
  ["added-files-size", "total-files-size", (f) => f.sizeBytes],
  ["added-delete-files", "total-delete-files", (f) => (f.content === "data" ? 0 : 1)],
  ["added-position-deletes", "total-position-deletes", (f) => (f.content === "position-deletes" ? f.recordCount : 0)],
  ["added-equality-deletes", "total-equality-deletes", (f) => (f.content === "equality-deletes" ? f.recordCount : 0)],
];
const OWN: ReadonlySet<string> = new Set([
  "operation",
  "changed-partition-count",
  ...COUNTS.flatMap(([added, total]) => [added, total]),
]);

/**
 * The summary of a snapshot that adds files. Totals go on from the parent's, and are left out where those aren't known.
 *
 * @throws IcebergError `invalid-change` if a property has the name of a count.
 */
export function summaryOf(
  { operation, add, properties = {} }: FileChange,
  parent: Snapshot | undefined,
): Readonly<Record<string, string>> {
  const own = Object.keys(properties).find((name) => OWN.has(name));
  if (own !== undefined)
    throw new IcebergError("invalid-change", `the snapshot's property ${own} is counted here: give yours another name`);
  const summary: Record<string, string> = { operation };
  for (const [added, total, of] of COUNTS) {
    const count = add.reduce((sum, { file }) => sum + of(file), 0);
    if (count > 0) summary[added] = String(count);
    const before = parent === undefined ? "0" : parent.summary?.[total];
    if (before !== undefined) summary[total] = String(Number(before) + count);
  }
  if (add.length > 0) summary["changed-partition-count"] = String(new Set(add.map(partitionText)).size);
  return { ...summary, ...properties };
}

function partitionText({ specId, file }: FileOfSpec): string {
  const values = file.partition.map((value) => (value instanceof Uint8Array ? [...value] : String(value)));
  return JSON.stringify([specId, values, file.partition.map((value) => typeof value)]);
}
