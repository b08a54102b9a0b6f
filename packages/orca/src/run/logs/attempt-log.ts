/** The log of one attempt. */
import { textOfDuration } from "../../core/duration.ts";
import type { AttemptId, Outcome } from "../../core/journal.ts";
import { nameOfAttempt } from "../attempt.ts";
import { LogFile } from "./log-file.ts";
import { logLine, type LineKind } from "./log-line.ts";
import { OutputLines } from "./output-lines.ts";
import { stackLines } from "./stack-lines.ts";

const MIB = 1024 * 1024;
/** What an attempt may write, besides its last line. */
export const ATTEMPT_BYTES_MAX = 10 * MIB;

const KIND_OF = { stdout: "out", stderr: "err" } as const;

/** What the logs of a run share. */
export interface LogSettings {
  /** A clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** How an error is told in one line. */
  readonly errorLine: (error: Error) => string;
  /** Makes of a stack what a reader wants to see of it. */
  readonly shownStack: (stack: string) => string;
  /** Takes the error of the system when a log can't be written. */
  readonly failed: (file: string, error: unknown) => void;
}

/**
 * Writes an attempt's log, from the line that tells of its start on. A line is in the file when the method that was given it returns, so
 * that a crash of the process loses none. When writing fails, or the log is full, what follows is left out, but the end is written if it
 * can be. A file that is there already, as when a run's record was lost and the run made again, is appended to.
 */
export class AttemptLog {
  /** An absolute path. */
  readonly file: string;
  readonly #settings: LogSettings;
  readonly #startedAt: number;
  readonly #out: LogFile;
  readonly #output = { stdout: new OutputLines(), stderr: new OutputLines() };
  #bytesLeft = ATTEMPT_BYTES_MAX;
  #linesLeftOut = 0;
  /** Why lines are left out. */
  #leavesOutSince: string | undefined;

  constructor(file: string, id: AttemptId, settings: LogSettings) {
    this.file = file;
    this.#settings = settings;
    this.#startedAt = settings.now();
    this.#out = new LogFile(file, settings.failed);
    const what = `${nameOfAttempt(id)}, attempt ${id.attempt}`;
    this.#add("start", [this.#out.hasOlder ? `${what}, started again: what is above is older` : what]);
  }

  /** Writes what a step gave to `ctx.log`; a text of several lines is several. */
  line(text: string): void {
    this.#add("log", text.split("\n"));
  }

  /** Writes what a step printed. A line is written once it ends, or with the end of the attempt. */
  output(stream: "stdout" | "stderr", chunk: string | NodeJS.ArrayBufferView): void {
    this.#add(KIND_OF[stream], this.#output[stream].take(chunk));
  }

  /** Writes how the attempt ended, and closes the file. What comes later is dropped. */
  end(outcome: Outcome): void {
    const { now, errorLine, shownStack } = this.#settings;
    for (const stream of ["stdout", "stderr"] as const) this.#add(KIND_OF[stream], this.#output[stream].rest());
    if (outcome.status === "failed" || outcome.status === "crashed")
      this.#add("stack", stackLines(outcome.error, shownStack));
    const took = textOfDuration(Math.max(0, now() - this.#startedAt));
    const leftOut = this.#linesLeftOut === 0 ? "" : ` (${this.#linesLeftOut} lines left out: ${this.#leavesOutSince})`;
    const error = outcome.status === "succeeded" ? "" : `: ${errorLine(outcome.error)}`;
    this.#out.write(logLine(new Date(now()), "end", `${outcome.status} in ${took}${leftOut}${error}`));
    this.#out.close();
  }

  /** Closes the file of an attempt whose end nobody knows. May be called twice. */
  close(): void {
    this.#out.close();
  }

  #add(kind: LineKind, lines: readonly string[]): void {
    if (!this.#out.isOpen || lines.length === 0) return;
    const taken = this.#leavesOutSince === undefined ? this.#formatted(kind, lines) : [];
    if (taken.length > 0 && !this.#out.write(taken.join(""))) {
      this.#leavesOutSince = "writing failed";
      taken.length = 0;
    }
    this.#linesLeftOut += lines.length - taken.length;
  }

  /** The lines that there is room for. */
  #formatted(kind: LineKind, lines: readonly string[]): string[] {
    const at = new Date(this.#settings.now());
    const taken: string[] = [];
    for (const text of lines) {
      const line = logLine(at, kind, text);
      this.#bytesLeft -= Buffer.byteLength(line);
      if (this.#bytesLeft < 0) {
        this.#leavesOutSince = `a log takes ${ATTEMPT_BYTES_MAX / MIB} MiB`;
        break;
      }
      taken.push(line);
    }
    return taken;
  }
}
