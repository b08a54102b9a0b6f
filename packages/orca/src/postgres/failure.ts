/** Why Postgres doesn't start, as a sentence. */
import { logOf } from "./places.ts";

/** What to do about what Postgres says. */
const ADVICE: readonly (readonly [says: RegExp, advice: string])[] = [
  [/pre-existing shared memory/, "end the processes that are left of the server that was killed"],
  [/shared memory|semaphores/, "free shared memory, or raise the system's limit of it"],
  [/No space left on device/, "make room on the disk"],
  [/incompatible with server/, "use another folder, or the version of Orca that made this one"],
  [/ENOENT|failed to execute/, "its programs need a Linux with glibc"],
  [/could not look up effective user/, "start it as a user that the system knows"],
  [/wrong ownership/, "start it as the user who owns it"],
  [/Permission denied/, "let its user in, or use another folder"],
];

/**
 * @param home the server's folder.
 * @param lines of Postgres's or initdb's log, or of what the system said of them.
 */
export function failureSentence(home: string, lines: readonly string[]): string {
  const said = saidIn(lines);
  const advice = ADVICE.find(([says]) => says.test(said))?.[1];
  return `Postgres can't start in ${home}: ${said}: ${advice ?? `see ${logOf(home)}`}`;
}

/** The first fatal message with its detail, else the last line. */
function saidIn(lines: readonly string[]): string {
  const at = lines.findIndex((line) => /\b(FATAL|PANIC|error|fatal):/.test(line));
  if (at === -1) return lines.findLast((line) => line.trim() !== "")?.trim() ?? "it says nothing";
  const detail = lines.slice(at + 1, at + 3).find((line) => /\bDETAIL:/i.test(line));
  return [lines[at]!, detail ?? ""]
    .map((line) =>
      line
        .replace(/^.*?\b(FATAL|PANIC|error|fatal|DETAIL):\s*/i, "")
        .trim()
        .replace(/\.$/, ""),
    )
    .filter((part) => part !== "")
    .join(": ");
}
