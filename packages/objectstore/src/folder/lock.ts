import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { ObjectStoreError } from "../errors.ts";
import { wait } from "../wait.ts";
import { codeOf, unless } from "./disk-error.ts";
import { lockPath, temporaryPath } from "./own-files.ts";

/** How long a holder may be seen without an end before its lock is taken from it. Only a guess at its death: see `withLock`. */
const STALE_MILLISECONDS = 1_000;
const WAIT_MILLISECONDS_MAX = 20;
const PATIENCE_MILLISECONDS = 60_000;

/** What `use` gives when its lock was taken from it. */
export const LOST = Symbol("lost");

/**
 * Calls `use` with a folder that is there as long as this process has the file's lock, and until it doesn't return `LOST`.
 *
 * The lock is a folder beside the file with the holder's own folder in it. Node has no locks that end with their process, so one that isn't given
 * back is taken away after a while: its holder's folder is moved out of it. A holder that only was slow can't do harm, as `use` changes the
 * file by one rename from or to its own folder: that fails once the lock is lost, whatever the clocks say.
 *
 * @throws ObjectStoreError `failed` if others have the lock for a minute.
 */
export async function withLock<T>(
  file: string,
  signal: AbortSignal | undefined,
  use: (held: string) => Promise<T | typeof LOST>,
): Promise<T> {
  const lock = lockPath(file);
  const deadline = performance.now() + PATIENCE_MILLISECONDS;
  while (performance.now() < deadline) {
    const held = await acquire(lock, deadline, signal);
    if (held === undefined) break;
    try {
      const result = await use(held);
      if (result !== LOST) return result;
    } finally {
      await rm(held, { recursive: true, force: true });
      await unless(["ENOENT", "ENOTEMPTY", "EEXIST"], rmdir(lock));
    }
  }
  throw new ObjectStoreError(
    "failed",
    `others have kept ${file} locked for a minute: try again when fewer write to it`,
  );
}

/** The holder's folder in the lock; nothing if the lock could not be had until the deadline. */
async function acquire(lock: string, deadline: number, signal?: AbortSignal): Promise<string | undefined> {
  const prepared = temporaryPath(path.dirname(lock));
  const token = randomUUID();
  await mkdir(prepared);
  await mkdir(path.join(prepared, token));
  let isMoved = false;
  try {
    const seen = { holder: "", since: 0 };
    for (let tries = 1; performance.now() < deadline; tries++) {
      signal?.throwIfAborted();
      isMoved = await moved(prepared, lock);
      if (isMoved) return path.join(lock, token);
      await evictStale(lock, seen);
      await wait(Math.random() * Math.min(tries, WAIT_MILLISECONDS_MAX), signal);
    }
    return undefined;
  } finally {
    if (!isMoved) await rm(prepared, { recursive: true, force: true });
  }
}

/** Whether a folder could be moved: it can if nothing is at the place, or an empty folder. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Takes the lock from a holder that was seen with it for too long, by this process's own clock. */
async function evictStale(lock: string, seen: { holder: string; since: number }): Promise<void> {
  const [holder] = (await unless(["ENOENT"], readdir(lock))) ?? [];
  if (holder === undefined) return;
  if (holder !== seen.holder) {
    [seen.holder, seen.since] = [holder, performance.now()];
    return;
  }
  if (performance.now() - seen.since < STALE_MILLISECONDS) return;
  const evicted = temporaryPath(path.dirname(lock));
  await unless(["ENOENT"], rename(path.join(lock, holder), evicted));
  await rm(evicted, { recursive: true, force: true });
}
