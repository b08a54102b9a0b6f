/** Paths of sockets may have 103 bytes (107 on Linux): a longer one is reached through a symbolic link in the folder for temporary files. */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PATH_BYTES_MAX = 103;
/** The longest of the paths in the folder: `data/.s.PGSQL.5432` and `guardian-<number>.sock`. */
const INSIDE_BYTES_MAX = 28;

/**
 * A path of a folder by which the sockets in it can be reached: its own, or that of a link to it, which stays. The link is in a folder that
 * only this user may write to, so that nobody can put another in its place.
 *
 * @param home the real path. One with a comma gets a link too: libpq would take it for two.
 * @throws Error with a sentence if someone else has the link's place.
 */
export function shortPath(home: string): string {
  if (Buffer.byteLength(home) + INSIDE_BYTES_MAX <= PATH_BYTES_MAX && !home.includes(",")) return home;
  const uid = process.getuid?.();
  const folder = join(tmpdir(), `orca-postgres-${uid}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0)
    throw new Error(
      `${folder} isn't a folder that only you may use, so that sockets can't be reached through it: remove it`,
    );
  const link = join(folder, createHash("sha256").update(home).digest("hex").slice(0, 16));
  try {
    symlinkSync(home, link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || readlinkSync(link) !== home) throw error;
  }
  return link;
}
