/** What is given to be committed of files, at run time. */
import { OrcaError } from "../../core/errors.ts";
import type { FileChange, NewFile } from "../../core/table-files.ts";

const OPERATIONS: readonly string[] = ["append", "overwrite", "delete", "replace"] satisfies FileChange["operation"][];

/** @throws OrcaError `files-misfit` if it isn't a change of files. */
export function checkChange(change: unknown): asserts change is FileChange {
  const {
    operation,
    add = [],
    remove = [],
  } = (change ?? {}) as { operation?: unknown; add?: unknown; remove?: unknown };
  if (!OPERATIONS.includes(operation as string))
    throw misfit(
      `commit says what it does, append, overwrite, delete or replace: ctx.commit(dataset, { operation: "append", add: [path] })`,
    );
  for (const [files, what] of [
    [add, "add"],
    [remove, "remove"],
  ] as const)
    if (!Array.isArray(files)) throw misfit(`the files to ${what} are an array: { ${what}: [path] }`);
  if (operation === "append" && (remove as unknown[]).length > 0)
    throw misfit("an append removes no files: overwrite changes rows, and replace only the files that they are in");
  for (const file of add as unknown[])
    if (pathOf(file) === undefined)
      throw misfit("a file to add is the path of a Parquet file, { path, partition }, or what writeRows has returned");
  for (const file of remove as unknown[])
    if (pathOf(file) === undefined) throw misfit("a file to remove is its path, or as a scan's files() has it");
}

/** The path or URI of a file, however it is given; undefined if it is none. */
export function pathOf(file: unknown): string | undefined {
  if (typeof file === "string") return file === "" ? undefined : file;
  const { path, file: written } = (file ?? {}) as { path?: unknown; file?: { path?: unknown } };
  const found = written?.path ?? path;
  return typeof found === "string" && found !== "" ? found : undefined;
}

export function isWritten(file: NewFile): file is Extract<NewFile, { readonly specId: number }> {
  return typeof file === "object" && "file" in file;
}

function misfit(sentence: string): OrcaError {
  return new OrcaError("files-misfit", sentence);
}
