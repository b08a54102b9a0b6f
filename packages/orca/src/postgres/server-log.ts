import { appendFileSync, renameSync, statSync } from "node:fs";
import { LOG_BYTES_MAX, logOf, oldLogOf } from "./places.ts";

/** Told to each client that connects too early or too late, of which there may be many. */
const REFUSAL = /FATAL:\s+the database system is /;

/** How many lines of what was said last are remembered. */
const LINES_MAX = 200;

/** The log of a server, in its folder: two files that are bounded. */
export class ServerLog {
  /** What was said since it was last cleared, besides to clients that were refused: at most {@link LINES_MAX} lines. */
  lines: readonly string[] = [];
  readonly #home: string;
  #unfinished = "";

  constructor(home: string) {
    this.#home = home;
  }

  write(text: string): void {
    const parts = (this.#unfinished + text).split("\n");
    this.#unfinished = parts.pop()!;
    this.lines = [...this.lines, ...parts.filter((line) => !REFUSAL.test(line))].slice(-LINES_MAX);
    try {
      const file = logOf(this.#home);
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > LOG_BYTES_MAX) renameSync(file, oldLogOf(this.#home));
      appendFileSync(file, text, { mode: 0o600 });
    } catch {
      // a disk that is full, or a folder that was removed, is what Postgres itself complains of
    }
  }

  clear(): void {
    this.lines = [];
  }
}
