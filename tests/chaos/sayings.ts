/** What the programs may say, and what they may not. */
import type { Ended } from "../e2e/programs.ts";

/** What a program may say when it gives up. */
const SENTENCES = [
  /^the database can't be reached: /,
  /^run \d+ is going on in another process, /,
  /^another process took run \d+ over/,
  /^run \d+ has succeeded: /,
  /^the run was (cancelled|stopped)/,
  /^stopped at once: /,
  /^the process of the steps (was ended by|ended with)/,
  /^step '\w+' of \w+ took longer than its timeout/,
];

/** What is wrong with how a program that wasn't killed ended, in sentences. */
export function faultsOf({ code, stderr }: Ended): readonly string[] {
  const errors = [...stderr.matchAll(/^error: (.*)$/gm)].map(([, sentence]) => sentence!);
  const odd = errors.filter((sentence) => !SENTENCES.some((known) => known.test(sentence)));
  if (/^\s+at .*:\d+/m.test(stderr)) odd.push(`a stack: ${stderr}`);
  if (code === null || ![0, 1, 2, 3, 4, 5, 6].includes(code)) odd.push(`exit code ${code}: ${stderr}`);
  return odd.map((what) => `a program said what none should: ${what}`);
}

/** What it said last, to tell it. */
export function lastLine({ stderr }: Ended): string {
  const line = stderr.trim().split("\n").at(-1);
  return line ? `: ${line}` : "";
}
