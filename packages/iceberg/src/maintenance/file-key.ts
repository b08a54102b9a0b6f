/** One form for the forms that a file's URI has in the metadata of different writers. */
import { createHash } from "node:crypto";

/** The same text for all forms of a URI: `s3a:` and `s3n:` are `s3:`, and `file:/a`, `file:///a` and `//a` are `/a`. */
export function normalUri(uri: string): string {
  const [, name] = /^s3[an]?:\/\/(.*)$/s.exec(uri) ?? [];
  if (name !== undefined) return `s3://${name}`;
  const [, path] = /^(?:file:(?:\/\/localhost(?=\/))?)?\/+(.*)$/s.exec(uri) ?? [];
  return path === undefined ? uri : `/${path.replace(/\/{2,}/g, "/")}`;
}

/** A number for a URI, the same for all of its forms: a set of these has a tenth of the memory of the texts, and a file that shares another's stays. */
export function fileKey(uri: string): number {
  return Number(createHash("sha1").update(normalUri(uri)).digest().readBigUInt64LE() >> 11n);
}
