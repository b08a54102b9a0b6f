/** One log as an object of a bucket. */
import { createReadStream, existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import type { ObjectStore } from "@orcajs/objectstore";
import { OLDER } from "./staged-files.ts";

const NEWLINE = 0x0a;

/** A log's file, and the key of its object. */
export interface StagedLog {
  readonly file: string;
  readonly key: string;
}

/**
 * Writes a log for the first time in this process. If there is an object that this log isn't the continuation of, as when two databases have
 * a run of one number, it is kept in front.
 *
 * @param bytes how many of the file's.
 */
export async function putFirst(store: ObjectStore, log: StagedLog, bytes: number, signal: AbortSignal): Promise<void> {
  try {
    await store.put(log.key, contents(log, bytes), { ifAbsent: true, contentType: CONTENT_TYPE, signal });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "conflict") throw error;
    const { bytes: there } = await store.get(log.key, { signal });
    if (!(await continues(log, bytes, there))) await writeFile(log.file + OLDER, there);
    await putAgain(store, log, bytes, signal);
  }
}

/** Writes it over what this process has written of it. */
export async function putAgain(store: ObjectStore, log: StagedLog, bytes: number, signal: AbortSignal): Promise<void> {
  await store.put(log.key, contents(log, bytes), { contentType: CONTENT_TYPE, signal });
}

/** Removes the files of a log that is uploaded. */
export async function removeStaged({ file }: StagedLog): Promise<void> {
  await rm(file, { force: true });
  await rm(file + OLDER, { force: true });
}

const CONTENT_TYPE = "text/plain; charset=utf-8";

async function* contents({ file }: StagedLog, bytes: number): AsyncGenerator<Uint8Array, void, void> {
  let last = NEWLINE;
  if (existsSync(file + OLDER))
    for await (const piece of createReadStream(file + OLDER) as AsyncIterable<Buffer>) {
      yield piece;
      last = piece.at(-1)!;
    }
  if (last !== NEWLINE) yield Buffer.from("\n");
  if (bytes > 0) yield* createReadStream(file, { end: bytes - 1 }) as AsyncIterable<Buffer>;
}

/** Whether an object's bytes are the beginning of a log. */
async function continues({ file }: StagedLog, bytes: number, there: Uint8Array): Promise<boolean> {
  const older = existsSync(file + OLDER) ? await readFile(file + OLDER) : Buffer.alloc(0);
  const newline = older.length > 0 && older.at(-1) !== NEWLINE ? "\n" : "";
  const own = (await readFile(file)).subarray(0, bytes);
  return Buffer.concat([older, Buffer.from(newline), own])
    .subarray(0, there.length)
    .equals(there);
}
