import type { TableFiles } from "../../files/table-files.ts";
import type { DropTableOptions } from "../catalog.ts";
import { deleteHint, listVersions } from "./version-files.ts";

/** Commits that are made while a table is dropped are dropped as well, so many of them. */
const ROUNDS_MAX = 10;

/**
 * Makes a table's folder no table any more: deletes its version files, the last one at the end, so that readers see the table as it was until they
 * see none. Then, to purge it, deletes all files in the folder.
 */
export async function dropFolder(
  files: TableFiles,
  location: string,
  { purge = false, signal }: DropTableOptions,
): Promise<void> {
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const versions = await listVersions(files, location, { signal });
    const last = versions.at(-1);
    if (last === undefined) break;
    await files.delete(
      versions.slice(0, -1).map((file) => file.uri),
      { signal },
    );
    await files.delete([last.uri], { signal });
  }
  await deleteHint(files, location, { signal });
  if (!purge) return;
  const uris: string[] = [];
  for await (const { uri } of files.list(location, { signal })) uris.push(uri);
  await files.delete(uris, { signal });
}
