/** Writes a built file. */
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { OrcaError } from "../core/errors.ts";
import { beginsBuild } from "./executable.ts";

/**
 * Where a build is written: `out` with its folder's links followed, and its own.
 *
 * @param file the real path of the pipeline's file, of which a sentence says more than of another.
 * @throws OrcaError `build-failed` where a build can't be written to `out`.
 */
export function placeOfBuild(out: string, file: string, folder: string): string {
  const shown = relative(folder, out) || ".";
  const found = statSync(out, { throwIfNoEntry: false });
  const place = found === undefined ? join(realFolder(dirname(out)), basename(out)) : realpathSync(out);
  if (place === file) throw refused(`${shown} is the pipeline's own file: write the build to another`);
  if (found?.isDirectory())
    throw refused(`${shown} is a folder: give the file to write, such as ${join(shown, "lake")}`);
  if (found !== undefined && !found.isFile())
    throw refused(`${shown} isn't a file that a build could take the place of`);
  if (found !== undefined && !isBuild(place))
    throw refused(`${shown} isn't a build of Orca's, and would be lost: write the build to another file`);
  return place;
}

/** Enough for the first line of a build, and for the second to be known. */
const FIRST_BYTES = 512;

/** Of what can't be read nothing says that it is one. */
function isBuild(path: string): boolean {
  try {
    const first = Buffer.alloc(FIRST_BYTES);
    const file = openSync(path, "r");
    readSync(file, first);
    closeSync(file);
    return beginsBuild(first.toString());
  } catch {
    return false;
  }
}

/** Of a folder that is still to be made, as far as it is there. */
function realFolder(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  return dirname(folder) === folder ? folder : join(realFolder(dirname(folder)), basename(folder));
}

function refused(sentence: string): OrcaError {
  return new OrcaError("build-failed", sentence);
}

/**
 * Writes an executable file under another name beside its place, and then puts it there: whoever opens it finds the old one or the new.
 *
 * @param parts what is in it.
 * @param tryOut is given the file before it is put in its place; where that rejects, the old one stays.
 * @throws OrcaError `build-failed` where it can't be written.
 */
export async function replaceFile(
  out: string,
  parts: readonly Buffer[],
  tryOut: (path: string) => Promise<void>,
): Promise<void> {
  // Node goes by the ending when the file is tried
  const temporary = join(dirname(out), `.${randomUUID()}-${basename(out)}`);
  const written = async (write: () => Promise<unknown>) =>
    await write().catch((cause: Error) => {
      throw new OrcaError("build-failed", `${out} can't be written: ${cause.message}`, { cause });
    });
  try {
    await written(() => mkdir(dirname(out), { recursive: true }));
    await written(() => writeFile(temporary, parts, { flag: "wx" }));
    await written(() => chmod(temporary, 0o755));
    await tryOut(temporary);
    await written(() => rename(temporary, out));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined); // as where its folder is none: the first error says why
    throw error;
  }
}
