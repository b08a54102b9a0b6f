/** The end of a log whose own process couldn't write it. */
import { appendFileSync } from "node:fs";
import type { Outcome } from "../../core/journal.ts";
import { logLine } from "./log-line.ts";

/** Writes how an attempt ended, if its log can be written. @param file the log's. */
export function endLog(file: string, status: Outcome["status"], error: Error): void {
  try {
    appendFileSync(file, logLine(new Date(), "end", `${status}: ${error.message}`));
  } catch {
    // the record has it
  }
}
