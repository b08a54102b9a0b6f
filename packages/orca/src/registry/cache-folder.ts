/** Where Orca keeps what can be made again: what builds compress, and the native code that built files unpack. */

const { lstatSync, mkdirSync } = process.getBuiltinModule("node:fs");
const { homedir, tmpdir } = process.getBuiltinModule("node:os");
const { isAbsolute, join } = process.getBuiltinModule("node:path");

/** The folder of Orca's in the user's cache: `$XDG_CACHE_HOME/orca`, or `~/.cache/orca`. @throws Error where it can't be made. */
export function userCache(): string {
  const given = process.env["XDG_CACHE_HOME"] ?? ""; // a relative one is to be ignored: the XDG Base Directory Specification
  return ownFolder(join(isAbsolute(given) ? given : join(homedir(), ".cache"), "orca"));
}

/** One among the temporary files, for a user whose cache can't be written. @throws Error where it can't be made. */
export function temporaryCache(): string {
  return ownFolder(join(tmpdir(), `orca-${process.getuid?.() ?? "cache"}`));
}

/** Makes a folder that no other user can change, as code is loaded from it. */
function ownFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  const user = process.getuid?.();
  if (user === undefined || ((uid === user || uid === 0) && (mode & 0o022) === 0)) return folder;
  throw new Error(`${folder} is another user's, or others can write to it`);
}
