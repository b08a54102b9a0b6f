import { readFileSync } from "node:fs";

/** A block of code in a page. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** The line of the page that it begins at, from 1. */
  readonly line: number;
}

/** The fenced blocks of a Markdown file, in order. */
export function codeBlocks(file: string): readonly CodeBlock[] {
  const text = readFileSync(file, "utf8");
  return Array.from(text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm), (found) => ({
    language: found[1]!,
    text: found[2]!,
    line: text.slice(0, found.index).split("\n").length,
  }));
}

/** The name of a block's file, from its first line: `// toy.ts`. */
export function fileName({ text, line }: CodeBlock): string {
  const name = /^\/\/ (\S+\.ts)\n/.exec(text)?.[1];
  if (name === undefined) throw new Error(`the block at line ${line} doesn't begin with its file's name: // name.ts`);
  return name;
}
