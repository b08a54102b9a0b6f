/**
 * What tsc printed, with each error on one line: `lake.ts:3:10: …`. Where Orca's types put a sentence in the place of a type, the line is
 * that sentence; else it is what tsc says, and after a colon the last of the lines below it, which says why.
 */
export function typeErrors(printed: string): string {
  const errors: { place: string; code: string; lines: string[] }[] = [];
  for (const line of printed.split("\n")) {
    const head = /^(?:(.+)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/.exec(line.trimEnd());
    if (head !== null) {
      const [, file, row, column, code = "", text = ""] = head;
      errors.push({ place: file === undefined ? "" : `${file}:${row}:${column}: `, code, lines: [text] });
    } else if (line.trim() !== "") errors.at(-1)?.lines.push(line.trim());
  }
  return errors.map(({ place, code, lines }) => `${place}${sentencesIn(lines) ?? plain(lines, code)}`).join("\n");
}

/** The string types that are sentences, by themselves or as `Mistake<"…">`, of the type that something wasn't assignable to. */
function sentencesIn(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const wanted = /.* type '((?:Mistake<)?".*">?)'\.$/
      .exec(line)?.[1]
      ?.replaceAll(/Mistake<("[^"]*(?:"[^"|>]*)*")>/g, "$1");
    const sentences = wanted?.slice(1, -1).split(`" | "`).filter(isSentence) ?? [];
    if (sentences.length > 0) return sentences.join("; ");
  }
  return undefined;
}

/** Of at least four words, with a verb that Orca's sentences have: a user's own text types are hardly ever. */
function isSentence(text: string): boolean {
  return (
    /^(\S+ ){3}/.test(text) &&
    /\b(isn't|aren't|can't|doesn't|don't|must|takes?|has|have|is|are|follows|come)\b/.test(text)
  );
}

function plain(lines: readonly string[], code: string): string {
  const [first = "", ...why] = lines;
  const remedy = /^Cannot find type definition file for '(node)'/.exec(first)?.[1];
  if (remedy !== undefined) return `the types of Node.js aren't installed: run npm install --save-dev @types/node`;
  return [first.replace(/\.$/, ""), ...why.slice(-1).map((line) => line.replace(/\.$/, ""))].join(": ") + ` (${code})`;
}
