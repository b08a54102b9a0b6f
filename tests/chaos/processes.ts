/** The processes of a program that runs a pipeline: the outer one, and the inner one with the steps. */
import { readdirSync, readFileSync } from "node:fs";
import { start, type Ended, type Started } from "../e2e/programs.ts";
import type { Target } from "./plan.ts";
import type { Proxy } from "./proxy.ts";

/** The variable by which the processes of a seed are known. */
export const MARK = "CHAOS_MARK";

export class Program {
  readonly words: readonly string[];
  readonly proxy: Proxy;
  readonly #started: Started;
  /** How it ended, once it and its inner process have. */
  readonly ended: Promise<Ended>;
  end: Ended | undefined;
  /** Whether the suite has ended one of its processes. */
  isKilled = false;
  /** Whether it can't reach the Postgres server, although that can be reached. */
  isIsolated = false;

  constructor(program: string, words: readonly string[], proxy: Proxy, env: Readonly<Record<string, string>>) {
    this.words = words;
    this.proxy = proxy;
    this.#started = start(program, words, { env });
    this.ended = this.#started.ended.then((end) => (this.end = end));
  }

  /** Of those that there are. The inner one is last. */
  pids(target: Target): readonly number[] {
    const outer = this.#started.process.pid!;
    if (this.end !== undefined) return [];
    return [...(target === "inner" ? [] : [outer]), ...(target === "outer" ? [] : childrenOf(outer))];
  }

  signal(target: Target, signal: NodeJS.Signals): void {
    signalAll(this.pids(target), signal);
  }
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // it has ended
    }
  }
}

/** The processes that have a seed's mark in their environment. */
export function markedPids(mark: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(`${MARK}=${mark}\0`))
    .map(Number);
}

function childrenOf(pid: number): readonly number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
}

/** @returns nothing of a process that has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
