/** Writes a built file. */
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { OrcaError } from "../core/errors.ts";

/**
 * @param file the pipeline's file, which mustn't be overwritten.
 * @throws OrcaError `build-failed` where a build can't be written to `out`.
 */
export function checkOut(out: string, file: string, folder: string): void {
  const shown = relative(folder, out) || ".";
  if (out === file)
    throw new OrcaError("build-failed", `${shown} is the pipeline's own file: write the build to another`);
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OrcaError("build-failed", `${shown} is a folder: give the file to write, such as ${join(shown, "lake")}`);
  }
}

/**
 * Writes an executable file under another name beside its place, and then puts it there: whoever opens it finds the old one or the new.
 *
 * @param tryOut is given the file before it is put in its place; where that rejects, the old one stays.
 * @throws OrcaError `build-failed` where it can't be written.
 */
export async function replaceFile(out: string, text: string, tryOut: (path: string) => Promise<void>): Promise<void> {
  const temporary = join(dirname(out), `.${basename(out)}-${randomUUID()}`);
  const written = async (write: () => Promise<unknown>) =>
    await write().catch((cause: Error) => {
      throw new OrcaError("build-failed", `${out} can't be written: ${cause.message}`, { cause });
    });
  try {
    await written(() => mkdir(dirname(out), { recursive: true }));
    await written(() => writeFile(temporary, text, { flag: "wx" }));
    await written(() => chmod(temporary, 0o755));
    await tryOut(temporary);
    await written(() => rename(temporary, out));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined); // as where its folder is none: the first error says why
    throw error;
  }
}
