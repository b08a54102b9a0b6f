/** The repository's own compiler, as a process: TypeScript 7 has no JavaScript API that checks a program. */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The compiler's command. Run it with Node: its launcher becomes the native program. */
export const TSC = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

/** An error that the compiler found. */
export interface CompileError {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** With its further lines. */
  readonly message: string;
}

/** What the compiler writes. @throws if it can't be run, or ends for another reason than errors in the program. */
export function runTsc(...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [TSC, ...args], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw error;
  if (status !== 0 && !/error TS\d+/.test(stdout)) throw new Error(`tsc ended with ${status}: ${stderr}${stdout}`);
  return stdout;
}

/** The errors in a project, by the folder or the tsconfig.json that says what it is. */
export function compileErrors(project: string): readonly CompileError[] {
  const errors: CompileError[] = [];
  for (const text of runTsc("-p", project, "--pretty", "false").split("\n")) {
    const [, file, line, message] = /^(.+)\((\d+),\d+\): error TS\d+: (.*)$/.exec(text) ?? [];
    if (message !== undefined) errors.push({ file: file!, line: Number(line), message });
    else if (text.startsWith("  ")) errors.push(withMore(errors.pop()!, text.trim()));
    else if (text.trim() !== "") throw new Error(`tsc says of no file: ${text}`);
  }
  return errors;
}

function withMore(error: CompileError, text: string): CompileError {
  return { ...error, message: `${error.message}\n${text}` };
}
