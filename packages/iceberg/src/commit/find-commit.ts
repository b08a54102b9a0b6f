import { type Snapshot, snapshotById, snapshotOfRef, type TableMetadata } from "../metadata/table-metadata.ts";

/**
 * The newest snapshot of a branch whose summary has given properties: whoever commits with some of its own finds out whether it has done so already. No
 * file is read. What was expired isn't found.
 *
 * @param branch default: `main`.
 */
export function findCommit(
  { metadata }: { readonly metadata: TableMetadata },
  properties: Readonly<Record<string, string>>,
  branch?: string,
): Snapshot | undefined {
  const wanted = Object.entries(properties);
  const seen = new Set<bigint>();
  let snapshot = snapshotOfRef(metadata, branch);
  while (snapshot !== undefined && !seen.has(snapshot["snapshot-id"])) {
    const { summary = {} } = snapshot;
    if (wanted.every(([name, value]) => Object.hasOwn(summary, name) && summary[name] === value)) return snapshot;
    seen.add(snapshot["snapshot-id"]);
    const parent: bigint | undefined = snapshot["parent-snapshot-id"];
    snapshot = parent === undefined ? undefined : snapshotById(metadata, parent);
  }
  return undefined;
}
