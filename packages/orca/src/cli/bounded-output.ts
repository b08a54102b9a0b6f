/** Keeps the file that a process prints to from growing without end. */
import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";

const STANDARD_OUTPUT = 1;
const EVERY_MS = 1_000;
/** What is written within that time comes on top. */
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
/** How much of it is kept then: what a process wrote last says how it ended. */
const KEPT_BYTES = 4 * 1024 * 1024;

/**
 * Leaves out all but the last of what a process has printed whenever that is too much, until it is disposed. Nothing happens if it doesn't print to a file that was opened to be read
 * and appended to. A line that another process writes to it at that very moment may be lost.
 *
 * @param descriptor the file's, by default what this process prints to.
 */
export function boundOutput(descriptor = STANDARD_OUTPUT, bytesMax = OUTPUT_BYTES_MAX): Disposable {
  const timer = setInterval(() => cut(descriptor, bytesMax), EVERY_MS).unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      cut(descriptor, bytesMax);
    },
  };
}

function cut(descriptor: number, bytesMax: number): void {
  try {
    const file = fstatSync(descriptor);
    if (!file.isFile() || file.size <= bytesMax) return;
    const last = Buffer.alloc(Math.min(KEPT_BYTES, bytesMax));
    const read = readSync(descriptor, last, 0, last.length, file.size - last.length);
    const kept = last.subarray(last.indexOf("\n") + 1, read);
    ftruncateSync(descriptor, 0);
    writeSync(descriptor, `… ${file.size - kept.length} bytes were printed before, and left out\n`);
    writeSync(descriptor, kept);
  } catch {
    // it can't be read, or its disk is full
  }
}
