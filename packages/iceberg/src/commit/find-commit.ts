import { MAIN, type Snapshot, snapshotOfRef, type TableMetadata } from "../metadata/table-metadata.ts";
import { ancestorsOf } from "../refs/ancestors.ts";

/**
 * The newest snapshot of a branch whose summary has given properties: whoever commits with some of its own finds out whether it has done so already. No
 * file is read. What was expired isn't found.
 *
 * @param branch default: `main`.
 */
export function findCommit(
  { metadata }: { readonly metadata: TableMetadata },
  properties: Readonly<Record<string, string>>,
  branch: string = MAIN,
): Snapshot | undefined {
  const wanted = Object.entries(properties);
  const head = snapshotOfRef(metadata, branch)?.["snapshot-id"];
  return ancestorsOf(metadata, head).find(({ summary = {} }) =>
    wanted.every(([name, value]) => Object.hasOwn(summary, name) && summary[name] === value),
  );
}
