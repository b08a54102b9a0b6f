/** An error that a step failed with, as one line. */
import { stripVTControlCharacters } from "node:util";
import { positionOf } from "../registry/position.ts";

/** Of more, the first say enough; and an error's message may be a whole page. */
const CAUSES_MAX = 5;
const LENGTH_MAX = 2_000;

/** What the error says and what caused it, without line ends and control characters; and where in the user's code it was made. */
export function errorLine(error: Error): string {
  const position = placeOf(error);
  const text = messages(error)
    .map(printable)
    .filter((message, i, all) => i === 0 || !all[i - 1]!.includes(message))
    .join(": ");
  const shown = text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text;
  return position === undefined ? shown : `${shown} (${position})`;
}

function messages(error: Error): readonly string[] {
  const found: string[] = [];
  for (let e: unknown = error; e instanceof Error && found.length < CAUSES_MAX; e = causeOf(e))
    found.push(messageOf(e));
  return found;
}

function placeOf(error: Error): string | undefined {
  try {
    return positionOf(error);
  } catch {
    return undefined; // its stack can't be read
  }
}

/** An aggregate's first error tells more than that there were several. */
function causeOf(error: Error): unknown {
  return error instanceof AggregateError && error.cause === undefined ? (error.errors as unknown[])[0] : error.cause;
}

/** An error's members are whatever a user's class makes of them: reading one may throw. */
function messageOf(error: Error): string {
  try {
    return String(error.message) || error.name || "an error without a message";
  } catch {
    return "an error whose message can't be read";
  }
}

/** Colours would colour the rest of a terminal, and line ends break the lines of a log. */
function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(/\p{Cc}/gu, " ")
    .trim();
}
