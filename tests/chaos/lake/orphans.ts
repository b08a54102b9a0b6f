/** Files that no table has: of attempts that were cut off. */
import type { Catalog } from "@orcajs/iceberg";

/** A commit writes no more files than these: of each of two partitions a data file, and a few manifests, lists, metadata files and temporary ones. */
const FILES_OF_COMMIT_MAX = 12;

/** Counts them, and removes what is none of the store's own. @param causes how often there was a cause for some. */
export async function brokenOrphans(
  catalog: Catalog,
  own: readonly string[],
  causes: number,
): Promise<{ readonly orphans: number; readonly broken: readonly string[] }> {
  const found = [...own];
  for (const name of ["lake.source", "lake.raw", "lake.clean", "lake.totals"]) {
    const table = await catalog.loadTable(name);
    const later = { olderThan: new Date(Date.now() + 60_000), allowsRecent: true };
    found.push(...(await table.maintenance.removeOrphans(later)).map(({ uri }) => uri));
  }
  const isExplained = found.length <= causes * FILES_OF_COMMIT_MAX;
  const broken = isExplained ? [] : [`${found.length} files are left for ${causes} causes: ${found.join(", ")}`];
  return { orphans: found.length, broken };
}
