import { ObjectStoreError } from "./errors.ts";

const KEY_BYTES_MAX = 1024;
const SEGMENT_BYTES_MAX = 255;

/** What the names of a folder store's own files begin with. */
export const RESERVED = ".~";

/** What is wrong with a key: a sentence's end; nothing if nothing is. */
export function keyFault(key: string): string | undefined {
  if (typeof key !== "string") return "isn't a text";
  if (key === "") return "is empty";
  if (!key.isWellFormed()) return "has half of a surrogate pair in it";
  if (/\p{Cc}/u.test(key)) return "has a control character in it";
  if (Buffer.byteLength(key) > KEY_BYTES_MAX) return `has more than ${KEY_BYTES_MAX} bytes`;
  if (key.startsWith("/")) return "begins with a slash";
  for (const segment of key.split("/")) {
    if (segment === "") return "has an empty segment: two slashes, or one at its end";
    if (segment === "." || segment === "..") return `has the segment '${segment}'`;
    if (segment.startsWith(RESERVED))
      return `has a segment that begins with '${RESERVED}', as a folder store's own files do`;
    if (Buffer.byteLength(segment) > SEGMENT_BYTES_MAX) return `has a segment of more than ${SEGMENT_BYTES_MAX} bytes`;
  }
  return undefined;
}

/** @throws ObjectStoreError `invalid-key` on what can't be a key. */
export function checkKey(key: string): void {
  const fault = keyFault(key);
  if (fault !== undefined) throw new ObjectStoreError("invalid-key", `${quoted(key)} isn't a key: it ${fault}`);
}

/** @throws ObjectStoreError `invalid-key` on what can't be a folder of keys: `""`, or a key and a slash. */
export function checkFolder(folder: string): void {
  if (folder === "") return;
  if (!folder.endsWith("/"))
    throw new ObjectStoreError("invalid-key", `${quoted(folder)} isn't a folder: put a slash at its end`);
  checkKey(folder.slice(0, -1));
}

/** The order of keys: that of their UTF-8 bytes, which isn't JavaScript's beyond U+FFFF. */
export function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** A text in quotes that can stand in a message: short, and on one line. */
export function quoted(text: string): string {
  const whole = JSON.stringify(String(text));
  return whole.length <= 200 ? whole : `${whole.slice(0, 199)}…"`;
}
