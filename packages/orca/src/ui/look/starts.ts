/** When runs that are queued start, in words. */
import { num, plural } from "./text.ts";

/** @param runs how many are queued: one, if nothing is said. */
export function startWords(
  { name, maxRuns, running }: { readonly name: string; readonly maxRuns: number; readonly running: number },
  runs = 1,
): string {
  return `${runs === 1 ? "It starts" : "They start"} when a scheduler takes ${runs === 1 ? "it" : "them"}, at most ${plural(maxRuns, "run")} of ${name} at once: ${num(running)} ${running === 1 ? "goes" : "go"} on now.`;
}
