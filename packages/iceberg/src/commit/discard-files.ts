import type { TableFiles } from "../files/table-files.ts";
import type { FileOfSpec } from "./file-change.ts";

/** Deletes files that no commit will have, as far as that can be: the rest are orphans, and why there are some matters more. */
export async function discardFiles(files: TableFiles, written: readonly FileOfSpec[]): Promise<void> {
  await files.delete(written.map(({ file }) => file.path)).catch(() => undefined);
}
