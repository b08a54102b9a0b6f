import type { BigIntStats } from "node:fs";
import { stat, utimes } from "node:fs/promises";
import { unless } from "./disk-error.ts";

const MICROSECOND = 1e-6;

/**
 * The etag of a file: its inode, its time and its size. Replacing makes a new inode; an inode that is used again has a later time, as
 * `stamp` sees to. A hash of the contents would have to read them, for `head` and `list` too.
 */
export function etagOf({ ino, mtimeNs, size }: BigIntStats): string {
  return [ino, mtimeNs, size].map((n) => n.toString(36)).join("-");
}

/** The file at a path, symbolic links followed; nothing if there is none. A folder isn't one. */
export async function fileAt(path: string): Promise<BigIntStats | undefined> {
  const stats = await unless(["ENOENT", "ENOTDIR"], stat(path, { bigint: true }));
  return stats?.isFile() === true ? stats : undefined;
}

/**
 * Gives a file that is to be written at a key its time, which is later than that of what is there. The time the system gives is that of its
 * clock's last tick, milliseconds ago, so that two versions could have the same.
 * @returns the etag that the file has from now on.
 */
export async function stamp(path: string, replaced?: BigIntStats): Promise<string> {
  const now = Date.now() / 1e3 + (performance.now() % 1) / 1e3;
  const before = replaced === undefined ? 0 : Number(replaced.mtimeNs) / 1e9;
  await utimes(path, now, Math.max(now, before + MICROSECOND));
  return etagOf(await stat(path, { bigint: true }));
}
