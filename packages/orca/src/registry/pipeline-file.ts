/** The file of a pipeline, before anything is done with it. */
import { realpathSync, statSync } from "node:fs";
import { extname, relative, resolve } from "node:path";
import { OrcaError } from "../core/errors.ts";

const EXTENSIONS = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"];

/**
 * The real path of a pipeline's file.
 *
 * @param folder what a relative path is relative to, and what paths in errors are.
 * @throws OrcaError `build-failed` where it can't be one.
 */
export function pipelineFile(file: string, folder: string): string {
  const path = resolve(folder, file);
  const shown = relative(folder, path) || ".";
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new OrcaError("build-failed", `there is no file ${shown}`);
  if (found.isDirectory()) throw new OrcaError("build-failed", `${shown} is a folder: give the pipeline's file`);
  if (!found.isFile()) throw new OrcaError("build-failed", `${shown} isn't a file: give the pipeline's file`);
  if (!EXTENSIONS.includes(extname(path))) {
    throw new OrcaError(
      "build-failed",
      `${shown} isn't TypeScript or JavaScript: its name must end in ${EXTENSIONS.join(", ")}`,
    );
  }
  return realpathSync(path);
}
