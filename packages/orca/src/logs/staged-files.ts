/** The files of a run's logs that are to be uploaded, in the folder that they are written into. */
import { randomUUID } from "node:crypto";
import { type Dirent, readdirSync, renameSync, rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What ends the name of a file with what was in the bucket before, under the key of the log beside it. */
export const OLDER = ".older";

/**
 * What processes that are dead have left of a run: it is moved aside, so that logs which are begun now aren't among it.
 *
 * @param folder the run's.
 * @returns folders like the run's.
 */
export function takeLeft(folder: string): readonly string[] {
  const [parent, name] = [dirname(folder), basename(folder)];
  try {
    renameSync(folder, join(parent, `${name}.left.${randomUUID()}`));
  } catch {
    // nothing is left
  }
  return entriesOf(parent)
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(`${name}.left.`))
    .map((entry) => join(parent, entry.name));
}

/** The logs in a folder, and in its folders. */
export function logsIn(folder: string): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return logsIn(path);
    return entry.name.endsWith(OLDER) ? [] : [path];
  });
}

/** Removes a folder with its folders, unless there are files in them. */
export function removeEmpty(folder: string): void {
  for (const entry of entriesOf(folder)) if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  try {
    rmdirSync(folder);
  } catch {
    // it isn't empty, or isn't there
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
