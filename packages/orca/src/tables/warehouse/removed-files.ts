import { type FileOfSpec, IcebergError, type Table, withDeletes } from "@orcajs/iceberg";
import type { RemovedFile } from "../../core/table-files.ts";
import { pathOf } from "./change-form.ts";

/** Files of a table as it is now, by their paths, and what deletes rows of them alone. @throws IcebergError `invalid-change` for one that it hasn't. */
export async function removedFiles(
  table: Table,
  given: readonly RemovedFile[],
  options: { readonly signal: AbortSignal },
): Promise<readonly FileOfSpec[]> {
  if (given.length === 0) return [];
  const paths = new Set(given.map((file) => pathOf(file)!));
  const tasks = (await table.scan().files(options)).filter(({ file }) => paths.has(file.file.path));
  for (const { file } of tasks) paths.delete(file.file.path);
  const [missing] = paths;
  if (missing === undefined) return withDeletes(tasks);
  throw new IcebergError(
    "invalid-change",
    `${missing} can't be removed: the table has no such file, or others have removed it meanwhile`,
  );
}
