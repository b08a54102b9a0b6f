/** A file that lines are appended to, and that a run can do without. */
import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const NEWLINE = 0x0a;

/** Is open from the start, if it can be. Nothing throws: errors of the system are told of. */
export class LogFile {
  /** Whether there was something in it, which a line end parts from what is written now. */
  readonly hasOlder: boolean;
  readonly #path: string;
  readonly #failed: (path: string, error: unknown) => void;
  #file: number | undefined;
  /** Whether what is written next has to begin with a line end. */
  #isTorn = false;

  /** Makes the folder too, if it isn't there. @param failed takes each error with the path. */
  constructor(path: string, failed: (path: string, error: unknown) => void) {
    this.#path = path;
    this.#failed = failed;
    try {
      this.#file = opened(path);
      this.#isTorn = fstatSync(this.#file).size > 0; // a crash may have left a part of a line
    } catch (error) {
      failed(path, error);
    }
    this.hasOlder = this.#isTorn;
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** Writes whole lines. Gives whether the file has all of them. */
  write(lines: string): boolean {
    if (this.#file === undefined) return false;
    const bytes = Buffer.from(this.#isTorn ? `\n${lines}` : lines);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#file, bytes, written);
      this.#isTorn = false;
      return true;
    } catch (error) {
      if (written > 0) this.#isTorn = bytes[written - 1] !== NEWLINE;
      this.#failed(this.#path, error);
      return false;
    }
  }

  /** May be called twice. */
  close(): void {
    if (this.#file === undefined) return;
    try {
      closeSync(this.#file);
    } catch (error) {
      this.#failed(this.#path, error); // a file system over a network tells of a full disk here
    }
    this.#file = undefined;
  }
}

function opened(path: string): number {
  try {
    return openSync(path, "a");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "a");
  }
}
