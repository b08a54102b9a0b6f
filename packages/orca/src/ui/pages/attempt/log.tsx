/** The log of an attempt, as the page shows it: its last part, which goes on while the attempt does. */
import type { LogLine, LogLines } from "../../../logs/log-lines.ts";
import { bytes } from "../../look/text.ts";

/** So much of a log is in the page. */
export const SHOWN_BYTES = 64 * 1024;

export function Log(given: {
  /** Undefined if it isn't where it was written to. */
  readonly log: LogLines | undefined;
  readonly attempt: number;
  /** Where the whole of it is. */
  readonly href: string;
  readonly isLive: boolean;
}) {
  const { log, attempt, href, isLive } = given;
  return (
    <div id="attempt-log">
      <div class="sec-h">
        <h3>Log</h3>
        <p class="note">
          {log === undefined ? (isLive ? "Not there yet" : "There is none any more") : sizeWords(log, isLive)}
        </p>
        <div class="tools">
          {isLive && (
            <label class="st" data-follow-choice hidden>
              <input type="checkbox" data-follow checked /> Follow
            </label>
          )}
          {log !== undefined && (
            <a class="btn" href={href}>
              Raw
            </a>
          )}
        </div>
      </div>
      {(log !== undefined || isLive) && (
        <div
          class="log"
          tabindex={0}
          role="log"
          aria-live="off"
          aria-label={`Log of attempt ${attempt}`}
          data-livelog={isLive ? href : undefined}
          data-from={isLive ? (log?.next ?? 0) : undefined}
        >
          <ol>{log?.lines.map(Line)}</ol>
        </div>
      )}
    </div>
  );
}

/** How much there is, and how much of it isn't shown. */
function sizeWords({ start, size }: LogLines, isLive: boolean): string {
  if (start > 0)
    return `${isLive ? "Live, the" : "The"} last ${bytes(size - start)}: cut, ${bytes(start)} are before. UTC`;
  return isLive ? "Live, UTC" : `Complete, ${bytes(size)}, UTC`;
}

/** How kinds of lines look that aren't plain. */
const LOOKS: Readonly<Record<string, string>> = { err: "warn", stack: "error" };

function Line({ at, kind, text }: LogLine) {
  const look = kind === "end" && /^(failed|crashed|timed-out)/.test(text) ? "error" : (LOOKS[kind] ?? kind);
  return (
    <li class={`l-${look}`}>
      <span>{at}</span>
      <span>{kind}</span>
      <span>{text}</span>
    </li>
  );
}
