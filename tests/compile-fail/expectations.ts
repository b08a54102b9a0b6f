/**
 * What a case says about its own errors, in comments: beside the mistaken line, or on lines of their own above it.
 *
 *   // error: 'lng' isn't a column type      one error, which says this sentence of ours, whole
 *   // and: 'uid' isn't a column type        the error stated before says this one too
 *   // tsc: Type 'string' is not assignable  one error, in the compiler's own words, of which this is a part
 *   // fine                                  no error: a passing twin (as on every line that states none)
 */
import type { CompileError } from "./tsc.ts";

/** One error that is expected. */
export interface Expectation {
  readonly line: number;
  readonly kind: "error" | "tsc";
  readonly says: readonly string[];
}

const STATED = /\/\/ (error|and|tsc): (.+)$/;

/** What a case expects, by line. */
export function expectationsOf(text: string): readonly Expectation[] {
  const found: Expectation[] = [];
  const lines = text.split("\n");
  lines.forEach((line, i) => {
    const [comment, kind, says] = STATED.exec(line) ?? [];
    if (comment === undefined || says === undefined) return;
    const isAlone = line.trim() === comment;
    const of = isAlone ? nextCode(lines, i) : i + 1;
    if (kind === "and") found.push({ ...found.at(-1)!, says: [...found.pop()!.says, says] });
    else found.push({ line: of, kind: kind === "tsc" ? "tsc" : "error", says: [says] });
  });
  return found;
}

/** Whether an error is the one expected. */
export function isMet(expected: Expectation, { line, message }: CompileError): boolean {
  // a sentence is a literal type, which the compiler writes in quotes
  const parts = expected.kind === "error" ? expected.says.map((s) => JSON.stringify(s)) : expected.says;
  return line === expected.line && parts.every((part) => message.includes(part));
}

/** The number of the first line below a comment that isn't one. */
function nextCode(lines: readonly string[], comment: number): number {
  const below = lines.slice(comment + 1).findIndex((line) => !line.trim().startsWith("//"));
  return comment + 2 + below;
}
