/** The lines of an attempt's log, taken apart. */
import { LOG_BYTES_MAX, readLog } from "./read-log.ts";

export interface LogLine {
  /** The time of day in UTC: `14:24:52.98`. */
  readonly at: string;
  /** What it tells: the start or the end, what the step logged or printed, or an error's stack. */
  readonly kind: string;
  readonly text: string;
}

export interface LogLines {
  readonly lines: readonly LogLine[];
  /** Where the first of them begins, in bytes: what is before is left out. */
  readonly start: number;
  /** Where the next one will begin. */
  readonly next: number;
  /** How many bytes the log has so far. */
  readonly size: number;
}

/**
 * Whole lines of a log: the last ones that so many bytes hold, or those from a place on that a line begins at. Undefined if there is no log.
 *
 * @param range.last at most `LOG_BYTES_MAX`.
 * @throws OrcaError `logs-unreachable`
 */
export async function readLogLines(
  location: string,
  range: { readonly from: number } | { readonly last: number },
  logs: string | undefined,
): Promise<LogLines | undefined> {
  const part = await readLog(location, "from" in range ? { start: range.from } : range, logs);
  if (part === undefined) return undefined;
  const { bytes, size } = part;
  const first = "last" in range && part.start > 0 ? bytes.indexOf(NEWLINE) + 1 : 0;
  // a line that is longer than what is read at once is shown in pieces
  const end =
    bytes.length === LOG_BYTES_MAX && !bytes.includes(NEWLINE) ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
  const text = new TextDecoder().decode(bytes.subarray(first, end));
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n").map(lineOf);
  return { lines, start: part.start + first, next: part.start + Math.max(first, end), size };
}

const NEWLINE = 0x0a;
const LINE = /^\d{4}-\d\d-\d\dT(\d\d:\d\d:\d\d\.\d\d)\dZ (start|log|out|err|stack|end) *(.*)$/s;

/** One that isn't in the form of the others was written by something else. */
function lineOf(line: string): LogLine {
  const [, at, kind, text] = LINE.exec(line) ?? [];
  return at === undefined ? { at: "", kind: "", text: line } : { at, kind: kind!, text: text! };
}
