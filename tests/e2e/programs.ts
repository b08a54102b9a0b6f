/** Builds pipelines and runs their programs as people do: in processes of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";

const root = path.resolve(import.meta.dirname, "../..");
/** The `orca` command's file. */
export const orcaProgram = path.join(root, "packages/orca/bin/orca.js");

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that is going on. */
export interface Started {
  readonly process: ChildProcess;
  /** Settles once standard output has that text; rejects if the program ends before. */
  printed(text: string): Promise<void>;
  /** As `printed`, of standard error. */
  complained(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
  /** What it has printed by now. */
  printedSoFar(): string;
  /** The process that a step said that it is waiting in: `waiting in <pid>`. */
  innerPid(): number;
}

export interface Calling {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What standard input has; null leaves it open, for what is typed later. By default there is nothing. */
  readonly input?: string | null;
}

/** A folder for a test's files, inside the repository so that they find its packages; removed when it is disposed. */
export function workFolder(): Disposable & { readonly path: string; write(name: string, text: string): string } {
  mkdirSync(path.join(root, "build"), { recursive: true });
  const folder = mkdtempSync(path.join(root, "build/.work-"));
  return {
    path: folder,
    write(name, text) {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      return file;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs the `orca` command to its end. */
export function callOrca(words: readonly string[], calling: Calling = {}): Promise<Ended> {
  return start(process.execPath, [orcaProgram, ...words], calling).ended;
}

/** Runs a program to its end. */
export function call(program: string, words: readonly string[], calling: Calling = {}): Promise<Ended> {
  return start(program, words, calling).ended;
}

export function start(
  program: string,
  words: readonly string[],
  { cwd = root, env = {}, input }: Calling = {},
): Started {
  const child = spawn(program, words, { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
  child.stdin.on("error", () => {}); // of a program that ends without reading it
  if (input !== null) child.stdin.end(input);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject).on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const written = (stream: Readable, all: () => string, text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (all().includes(text)) resolve();
      };
      stream.on("data", look);
      look();
      child.on("close", () => reject(new Error(`it ended before it printed '${text}':\n${stdout}${stderr}`)));
    });
  return {
    process: child,
    printed: (text) => written(child.stdout, () => stdout, text),
    complained: (text) => written(child.stderr, () => stderr, text),
    ended,
    printedSoFar: () => stdout,
    innerPid: () => Number(/waiting in (\d+)/.exec(stdout)![1]),
  };
}
