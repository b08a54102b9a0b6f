import { createHash, randomUUID } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { RESERVED } from "../key.ts";
import { unless } from "./disk-error.ts";

const LEFTOVER_HOURS = 24;

/** A new name for something temporary in a folder. */
export function temporaryPath(folder: string): string {
  return path.join(folder, `${RESERVED}${randomUUID()}`);
}

/** Where the lock of a file is: beside it, so that stores whose folders lie in one another share it. */
export function lockPath(file: string): string {
  // names that some file systems take for one have one lock
  const name = path.basename(file).normalize("NFC").toLowerCase();
  return path.join(
    path.dirname(file),
    `${RESERVED}${createHash("sha256").update(name).digest("hex").slice(0, 32)}.lock`,
  );
}

/** Removes what writers that were killed left in a folder, if it is older than a day: a write is never as long without touching its file. */
export async function removeLeftovers(folder: string): Promise<void> {
  const oldest = Date.now() - LEFTOVER_HOURS * 3_600_000;
  const names = (await unless(["ENOENT", "ENOTDIR"], readdir(folder))) ?? [];
  for (const name of names.filter((name) => name.startsWith(RESERVED))) {
    const file = path.join(folder, name);
    const stats = await unless(["ENOENT"], stat(file));
    if (stats !== undefined && stats.mtimeMs < oldest) await rm(file, { recursive: true, force: true });
  }
}
