/** Tries a built file: what breaks a rule only when the pipeline's file is loaded is said by the build, not by the first run. */
import { execFile } from "node:child_process";
import { basename, extname } from "node:path";
import { OrcaError } from "../core/errors.ts";

/** A pipeline's file declares; one that takes longer to load does something else. */
const LOAD_MS_MAX = 30_000;
const DESCRIPTION_BYTES_MAX = 64 << 20;

/**
 * Has a built file describe itself.
 *
 * @param words what Node is given to run it: the file's path is the last.
 * @param name what the file is called in a sentence.
 * @throws OrcaError `build-failed` with what it says where it can't.
 */
export async function tryOut(words: readonly string[], name: string, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const options = { timeout: LOAD_MS_MAX, maxBuffer: DESCRIPTION_BYTES_MAX, ...(signal && { signal }) };
    execFile(process.execPath, [...words, "describe"], options, (error, _described, said) => {
      if (error === null) return resolve();
      if (signal?.aborted) return reject(signal.reason as Error);
      const text = said
        .replaceAll(basename(words.at(-1)!), name)
        .replaceAll(/^warning: .*\n/gm, "") // of the environment, which the build itself warns about
        .replace(/^error: /, "")
        .trim();
      const late = `${name} isn't loaded after ${LOAD_MS_MAX / 1000} s: a pipeline's file declares its steps, and they do the work`;
      const unrunnable = `Node runs no file here whose name ends in ${extname(words.at(-1)!)}: give the build a name without an ending`;
      const why = said.includes("ERR_UNKNOWN_FILE_EXTENSION") ? unrunnable : text;
      reject(
        new OrcaError("build-failed", error.killed ? late : why || `${name} can't describe itself: ${error.message}`),
      );
    });
  });
}
