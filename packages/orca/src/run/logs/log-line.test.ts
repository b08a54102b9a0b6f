import { describe, expect, it } from "vitest";
import { LINE_LENGTH_MAX, logLine } from "./log-line.ts";

const at = new Date("2026-11-30T01:02:03.456Z");
const shown = (text: string) => logLine(at, "out", text).slice("2026-11-30T01:02:03.456Z out   ".length);

describe("a line of a log", () => {
  it("says when in UTC, what of, and what", () => {
    expect(logLine(at, "log", "loaded 12 rows")).toBe("2026-11-30T01:02:03.456Z log   loaded 12 rows\n");
    expect(logLine(at, "stack", "at x")).toBe("2026-11-30T01:02:03.456Z stack at x\n");
  });

  it.each([
    ["what is plain", "a\tb é 🐋", "a\tb é 🐋\n"],
    ["colours, without them", "\u001b[1;31mred\u001b[0m and \u001b[38;5;1mred\u001b[m", "red and red\n"],
    [
      "what moves the cursor, erases or sets a title",
      "a\u001b[2A\u001b[2K\u001b]0;t\u0007\b",
      "a\\x1b[2A\\x1b[2K\\x1b]0;t\\x07\\x08\n",
    ],
    ["line ends of another system", "a\r", "a\n"],
    [
      "what would forge a line",
      "10%\r20%\n2026 end   succeeded\u2028\u0085",
      "10%\\x0d20%\\x0a2026 end   succeeded\\u2028\\x85\n",
    ],
    ["one-byte control sequences", "\u009b2Ka\u007f", "\\x9b2Ka\\x7f\n"],
    ["what turns the order of letters", "a\u202eb\u2066c", "a\\u202eb\\u2066c\n"],
  ])("shows %s", (_what, text, line) => {
    expect(shown(text)).toBe(line);
  });

  it("is cut where it is long", () => {
    expect(shown("a".repeat(LINE_LENGTH_MAX))).toBe(`${"a".repeat(LINE_LENGTH_MAX)}\n`);
    expect(shown("a".repeat(LINE_LENGTH_MAX + 1))).toBe(`${"a".repeat(LINE_LENGTH_MAX)}… (cut)\n`);
  });
});
