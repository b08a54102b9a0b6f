/** Counts and sizes of decoded manifests: long in Avro, and numbers here. */
import { IcebergError } from "../errors.ts";

/**
 * A count, size or sequence number.
 *
 * @throws IcebergError `invalid-manifest` if it is none.
 */
export function countOf(value: unknown, what: string): number {
  if (typeof value === "number") return value;
  throw new IcebergError(
    "invalid-manifest",
    `a manifest has ${String(value)} for ${what}, where a number was expected`,
  );
}

/** One that may be left out. */
export function optionalCount(value: unknown, what: string): number | undefined {
  return value === null || value === undefined ? undefined : countOf(value, what);
}

/** The word that an int stands for. */
export function wordOf<T extends string>(value: unknown, words: readonly T[], what: string): T {
  const word = words[value as number];
  if (word === undefined)
    throw new IcebergError("invalid-manifest", `a manifest has ${String(value)} for ${what}, which stands for nothing`);
  return word;
}

/** A list, map or bytes that may be left out; of another kind only if the file's schema gives the field's id to something else. */
export function optionalOf<T extends object>(
  value: unknown,
  kind: abstract new (...of: never) => T,
  what: string,
): T | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof kind) return value;
  throw new IcebergError("invalid-manifest", `a manifest has a ${typeof value} for ${what}`);
}

/** A snapshot's id. */
export function idOf(value: unknown): bigint {
  if (typeof value === "number" || typeof value === "bigint") return BigInt(value);
  throw new IcebergError("invalid-manifest", "a manifest has a snapshot id that isn't a number");
}
