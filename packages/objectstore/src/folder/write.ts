import type { BigIntStats } from "node:fs";
import { type FileHandle, link, mkdir, open, rename, rmdir, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { pieces } from "../body.ts";
import { type Condition, conditionFails } from "../condition.ts";
import type { ObjectBody } from "../object-store.ts";
import { codeOf, unless } from "./disk-error.ts";
import { LOST, withLock } from "./lock.ts";
import { temporaryPath } from "./own-files.ts";
import { etagOf, fileAt, stamp } from "./version.ts";

const FOLDER_TRIES = 10;

/** What is to be written where. */
export interface FileWrite {
  readonly location: string;
  readonly key: string;
  readonly file: string;
  readonly body: ObjectBody;
  readonly condition: Condition | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Writes a file whole, or nothing, and puts it on the disk: returns its etag. */
export async function writeFile(write: FileWrite): Promise<string> {
  const folder = path.dirname(write.file);
  // the body needs not be written for what fails already
  if (write.condition !== undefined) await checkCondition(write);
  const temporary = await writeTemporary(folder, write);
  let etag: string;
  try {
    write.signal?.throwIfAborted();
    etag = await putInPlace(temporary, write);
  } finally {
    await remove(temporary);
  }
  await sync(folder);
  return etag;
}

/** Deletes a file, and the folders above it that are empty then, up to `root`. If the power fails at once, it may be there again. */
export async function deleteFile(file: string, root: string, signal: AbortSignal | undefined): Promise<void> {
  if ((await fileAt(file)) === undefined) return;
  const moveAway = async (held: string) => {
    const moved = await unless(
      ["ENOENT"],
      rename(file, path.join(held, "old")).then(() => true),
    );
    // either the lock is gone or the file is
    return moved === undefined && (await fileAt(file)) !== undefined ? LOST : undefined;
  };
  await unless(["ENOENT"], withLock(file, signal, moveAway));
  await removeEmpty(path.dirname(file), root);
}

async function putInPlace(temporary: string, write: FileWrite): Promise<string> {
  const { location, key, file, condition, signal } = write;
  // a link makes a name or fails: where there is no file, no lock is needed, as no one who has it puts one in place of nothing
  if (condition === undefined || condition === "absent") {
    const etag = await stamp(temporary);
    if (await linked(temporary, file)) return etag;
    if (condition === "absent") throw conditionFails(location, key, condition);
  }
  return await withLock(
    file,
    signal,
    async (held) => await replace(temporary, file, held, await checkCondition(write)),
  );
}

/** The file that there is, if it is as the condition wants. */
async function checkCondition({ location, key, file, condition }: FileWrite): Promise<BigIntStats | undefined> {
  const there = await fileAt(file);
  const holds =
    condition === undefined ||
    (condition === "absent" ? there === undefined : there !== undefined && etagOf(there) === condition.etag);
  if (!holds) throw conditionFails(location, key, condition);
  return there;
}

/** The fenced write: its second name is in the holder's own folder, and is renamed from there. */
async function replace(
  temporary: string,
  file: string,
  held: string,
  replaced: BigIntStats | undefined,
): Promise<string | typeof LOST> {
  const etag = await stamp(temporary, replaced);
  const ready = path.join(held, "new");
  try {
    await link(temporary, ready);
    await rename(ready, file);
    return etag;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return (await isSameFile(temporary, file)) ? etag : LOST;
  }
}

/** Whether a file could be given a second name: not if something else has it. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    if ((await unless(["ENOENT"], stat(to)))?.isDirectory() === true) throw error;
    return await isSameFile(from, to);
  }
}

/** Whether two names are one file's: over a network, what was done can be answered by an error when its first answer was lost. */
async function isSameFile(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([fileAt(a), fileAt(b)]);
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

/** Writes the body to a new file beside where it is to be, and puts it on the disk. */
async function writeTemporary(folder: string, { key, body, signal }: FileWrite): Promise<string> {
  const temporary = temporaryPath(folder);
  const handle = await openIn(folder, temporary);
  try {
    for await (const piece of pieces(key, body, signal)) await handle.writeFile(piece);
    await handle.sync();
  } catch (error) {
    await remove(temporary);
    throw error;
  } finally {
    await handle.close();
  }
  return temporary;
}

/** Opens a new file in a folder, which is made if it isn't there. A delete that finds the folder empty may remove it in between. */
async function openIn(folder: string, file: string): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    try {
      return await open(file, "wx");
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || tries === FOLDER_TRIES) throw error;
      await makeFolder(folder);
    }
  }
}

async function remove(file: string): Promise<void> {
  await unless(["ENOENT"], unlink(file));
}

/** Makes a folder and those above it, on the disk too. Node's own way of it never ends where the system makes no folders, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const above = path.dirname(folder);
  try {
    await mkdir(folder);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT" || above === folder) throw error;
    await makeFolder(above);
    await unless(["EEXIST"], mkdir(folder));
  }
  await sync(above);
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeEmpty(folder: string, root: string): Promise<void> {
  for (let at = folder; at.length > root.length; at = path.dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      // not empty, not there, or not this process's to remove: the object is deleted all the same
      return;
    }
  }
}
