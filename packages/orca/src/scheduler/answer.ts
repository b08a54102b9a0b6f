/** Runs a program to its end for what it prints. It outlives neither the time that it may take nor whoever asked it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface AnswerLimits {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Of both streams together. */
  readonly bytesMax: number;
}

export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it was ended, if it was. */
  readonly endedFor: "time" | "size" | "abort" | undefined;
}

/** What it starts ends with it. @throws the error of a program that can't be started. */
export async function answerOf(program: string, words: readonly string[], limits: AnswerLimits): Promise<Answer> {
  const { env, signal, timeoutMs, bytesMax } = limits;
  using guard = new Guard();
  const child = spawn(program, words, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  guard.watch(child);
  let endedFor: Answer["endedFor"];
  const end = (why: Answer["endedFor"]) => {
    endedFor ??= why;
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const abort = () => end("abort");
  signal?.addEventListener("abort", abort);
  const timer = setTimeout(() => end("time"), timeoutMs);
  const printed: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  let bytes = 0;
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > bytesMax) end("size");
      else printed[name].push(piece);
    });
  try {
    if (signal?.aborted === true) abort();
    const [exitCode, endedBy] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    const [stdout, stderr] = [printed.stdout, printed.stderr].map((pieces) => Buffer.concat(pieces).toString());
    return { stdout: stdout!, stderr: stderr!, exitCode, signal: endedBy, endedFor };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // all of it has ended
  }
}

/** Ends what a group of processes is left when this process has ended before, by whatever: then its standard input ends, and no line has said that all is over. */
const GUARD = 'read -r group && { read -r over || kill -9 "-$group"; }';

/** A shell that waits beside a program, in a group of its own: Ctrl-C doesn't reach it. Where there is none nothing is guarded. */
class Guard implements Disposable {
  readonly #shell = spawn("/bin/sh", ["-c", GUARD], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });

  constructor() {
    this.#shell.on("error", () => {});
    this.#shell.stdin.on("error", () => {});
  }

  watch({ pid }: ChildProcess): void {
    if (pid !== undefined) this.#shell.stdin.write(`${pid}\n`);
  }

  [Symbol.dispose](): void {
    this.#shell.stdin.end("over\n");
  }
}
