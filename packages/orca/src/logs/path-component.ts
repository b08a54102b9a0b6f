/** Names of pipelines, steps and partitions as names of folders, on every file system and in object storage. */
import { createHash } from "node:crypto";

/** A file system takes 255 bytes; this leaves room for the hash. */
const ESCAPED_LENGTH_MAX = 200;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * A name as one component of a path. Lower-case letters, digits, `_` and `-` stand for themselves, an upper-case letter has a `=` before
 * it (`loadEvents` is `load=Events`), and anything else is `=` and its code in hexadecimal (`a.b` is `a=2eb`). Names that differ give
 * components that differ, also where case counts for nothing. None is `.`, `..` or a device of Windows. A name whose component would be
 * longer than 200 bytes, or that isn't ASCII, keeps its beginning and ends in `==` and its hash.
 */
export function pathComponent(name: string): string {
  const escaped = DEVICE.test(name)
    ? hexOf(name[0]!) + name.slice(1)
    : name.replaceAll(/[^a-z0-9_-]/g, escapedCharacter);
  const isAscii = /^[\0-\x7f]*$/.test(name);
  if (isAscii && escaped.length <= ESCAPED_LENGTH_MAX) return escaped;
  const hash = createHash("sha256").update(name, "utf16le").digest("hex");
  return `${escaped.slice(0, ESCAPED_LENGTH_MAX)}==${hash.slice(0, 32)}`;
}

function escapedCharacter(character: string): string {
  return /[A-Z]/.test(character) ? `=${character}` : hexOf(character);
}

function hexOf(character: string): string {
  return `=${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
