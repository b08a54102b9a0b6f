/** The lines of an attempt's log. */

/** What a line tells: the start and the end, and between them `ctx.log`, standard output, standard error and an error's stack. */
export type LineKind = "start" | "log" | "out" | "err" | "stack" | "end";

/** In UTF-16 code units; what is longer is cut. */
export const LINE_LENGTH_MAX = 64 * 1024;

/** What acts on a terminal or on the order of a line's text, with the rest of it if it sets a colour. A tab does no harm. */
const CONTROLS = /(?!\t)([\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069])(\[[\d;:]*m)?/gu;

/**
 * A line, such as `2026-11-30T01:02:03.456Z out   loaded 12 rows`: when in UTC, what of, from column 32 on what it says. Whatever the text
 * has in it stays in this line, and does nothing to a terminal: colours are left out and other control characters are written as `\x1b`.
 */
export function logLine(at: Date, kind: LineKind, text: string): string {
  const shown = text.length > LINE_LENGTH_MAX ? `${printable(text.slice(0, LINE_LENGTH_MAX))}… (cut)` : printable(text);
  return `${at.toISOString()} ${kind.padEnd(5)} ${shown}\n`;
}

function printable(text: string): string {
  return text.replace(/\r$/, "").replaceAll(CONTROLS, (_found, control: string, colour = "") => {
    if (control === "\u001B" && colour !== "") return "";
    const hex = control.charCodeAt(0).toString(16);
    return (hex.length > 2 ? `\\u${hex.padStart(4, "0")}` : `\\x${hex.padStart(2, "0")}`) + colour;
  });
}
