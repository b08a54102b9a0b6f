import { ObjectStoreError } from "../errors.ts";
import { quoted } from "../key.ts";

/** The code of a system's error (`ENOENT`); nothing for other errors. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** A promise's value; nothing if it fails with one of these codes. */
export async function unless<T>(codes: readonly string[], promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (codes.includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** What the system's error is for who uses the store; other errors stay as they are. `what` is what couldn't be done: `write "a/b"`. */
export function diskError(error: unknown, location: string, verb: string, key: string): unknown {
  const code = codeOf(error);
  if (error instanceof ObjectStoreError || code === undefined || !("syscall" in (error as Error))) return error;
  const what = `can't ${verb} ${quoted(key)} in ${location}`;
  switch (code) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new ObjectStoreError("access-denied", `${what}: this process may not (${code})`, { cause: error });
    case "ENOTDIR":
    case "EISDIR":
    case "EEXIST":
      return new ObjectStoreError(
        "invalid-key",
        `${what}: in a folder no key can be another's folder, as "a" is that of "a/b"`,
        { cause: error },
      );
    case "ENAMETOOLONG":
      return new ObjectStoreError("invalid-key", `${what}: its path is longer than the system takes`, { cause: error });
    case "ENOSPC":
    case "EDQUOT":
      return new ObjectStoreError("failed", `${what}: the disk is full (${code})`, { cause: error });
    default:
      return new ObjectStoreError("failed", `${what}: ${(error as Error).message}`, { cause: error });
  }
}
