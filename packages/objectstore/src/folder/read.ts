import { constants, type BigIntStats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ObjectStoreError } from "../errors.ts";
import { quoted } from "../key.ts";
import { unless } from "./disk-error.ts";

const PIECE_BYTES = 256 * 1024;

/** A file that is open for reading. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: BigIntStats;
}

/** Opens a file; nothing if there is none. What is read is this version, whatever is put at its path meanwhile. */
export async function openFile(path: string): Promise<OpenFile | undefined> {
  // without NONBLOCK, opening a named pipe waits for who writes to it
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  const handle = await unless(["ENOENT", "ENOTDIR"], open(path, flags));
  if (handle === undefined) return undefined;
  const stats = await handle.stat({ bigint: true });
  if (stats.isFile()) return { handle, stats };
  await handle.close();
  return undefined;
}

/** Fills `bytes` from a place in a file: to its end, or it throws. */
export async function readFully(
  { handle, stats }: OpenFile,
  bytes: Uint8Array,
  position: number,
  key: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let count = 0; count < bytes.length;) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(bytes, count, bytes.length - count, position + count);
    if (bytesRead === 0)
      throw new ObjectStoreError(
        "failed",
        `${quoted(key)} was cut short while it was read: it had ${stats.size} bytes. Objects are replaced, never changed in place`,
      );
    count += bytesRead;
  }
}

/** A file's bytes from `start` up to and without `end`, piece by piece; closes the file at their end, on an error and when it is cancelled. */
export function streamFile(
  file: OpenFile,
  { start, end }: { readonly start: number; readonly end: number },
  key: string,
  signal: AbortSignal | undefined,
  errorOf: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  let at = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = new Uint8Array(Math.min(PIECE_BYTES, end - at));
          await readFully(file, bytes, at, key, signal);
          at += bytes.length;
          if (bytes.length > 0) controller.enqueue(bytes);
          if (at < end) return;
          await file.handle.close();
          controller.close();
        } catch (error) {
          await file.handle.close();
          controller.error(errorOf(error));
        }
      },
      cancel: () => file.handle.close(),
    },
    { highWaterMark: 0 },
  );
}
