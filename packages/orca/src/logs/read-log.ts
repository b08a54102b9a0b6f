/** Reads the log of an attempt, from wherever it is. */
import { open } from "node:fs/promises";
import type { ObjectStore } from "@orcajs/objectstore";
import { OrcaError } from "../core/errors.ts";
import { isInBucket, rootOf } from "./log-place.ts";

/** How much of a log is read at once, at most. */
export const LOG_BYTES_MAX = 1024 * 1024;

/** Bytes from `start` on, up to `end` if it is given; or the last ones. */
export type LogRange = { readonly start: number; readonly end?: number } | { readonly last: number };

export interface LogPart {
  /** At most `LOG_BYTES_MAX`: the next ones begin at `start + bytes.length`. None beyond the log's end. */
  readonly bytes: Uint8Array;
  readonly start: number;
  /** How many bytes the log has so far. */
  readonly size: number;
}

/**
 * A part of a log; nothing if there is none at the location. One that is in a bucket has what was uploaded of it so far.
 *
 * @param location as it is recorded with the attempt.
 * @param logs what `ORCA_LOGS` is now: it may say how its bucket is reached.
 * @throws OrcaError `logs-unreachable`.
 */
export async function readLog(location: string, range: LogRange, logs?: string): Promise<LogPart | undefined> {
  try {
    return isInBucket(location) ? await inBucket(location, range, logs) : await inFolder(location, range);
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: unknown };
    if (code === "ENOENT" || code === "not-found") return undefined;
    throw new OrcaError("logs-unreachable", `the log ${location} can't be read: ${message}`, { cause: error });
  }
}

async function inFolder(path: string, range: LogRange): Promise<LogPart> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { start, end } = within(range, size);
    const bytes = new Uint8Array(end - start);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    return { bytes: bytes.subarray(0, bytesRead), start, size };
  } finally {
    await file.close();
  }
}

async function inBucket(location: string, range: LogRange, logs: string | undefined): Promise<LogPart | undefined> {
  const { store, key } = await objectAt(location, logs);
  await using _ = store;
  const info = await store.head(key);
  if (info === undefined) return undefined;
  const { start, end } = within(range, info.size);
  if (start === end) return { bytes: new Uint8Array(0), start, size: info.size };
  // a log only grows: what was there when its size was asked for is there now
  const { bytes, size } = await store.get(key, { range: { start, end } });
  return { bytes, start, size };
}

async function objectAt(
  location: string,
  logs: string | undefined,
): Promise<{ readonly store: ObjectStore; readonly key: string }> {
  const { openObjectStore } = await import("@orcajs/objectstore");
  const root = logs !== undefined && isInBucket(logs) ? `${rootOf(logs)}/` : undefined;
  if (root !== undefined && location.startsWith(root))
    return { store: openObjectStore(logs!), key: location.slice(root.length) };
  const [, bucket, key] = /^(s3:\/\/[^/]*)\/(.*)$/is.exec(location) ?? ["", location, ""];
  return { store: openObjectStore(bucket), key };
}

function within(range: LogRange, size: number): { readonly start: number; readonly end: number } {
  if ("last" in range) return { start: Math.max(0, size - Math.min(range.last, LOG_BYTES_MAX)), end: size };
  const start = Math.min(range.start, size);
  const end = Math.min(range.end ?? size, start + LOG_BYTES_MAX, size);
  return { start, end: Math.max(start, end) };
}
