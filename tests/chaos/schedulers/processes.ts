/** The processes of a seed: its schedulers, and the groups of the runs that those started. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MARK, markedPids, signalAll } from "../processes.ts";
import type { Random } from "../random.ts";

/** How long processes may take to see that they are over. */
const END_MS_MAX = 60_000;
const LOOK_MS = 50;

export class Processes {
  readonly #mark: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #schedulers: ChildProcess[] = [];
  readonly #tell: (line: string) => void;

  /** @param mark by which its processes are known. @param tell is told what schedulers say. */
  constructor(mark: string, env: Readonly<Record<string, string>>, tell: (line: string) => void) {
    this.#mark = mark;
    this.#env = { ...process.env, ...env, [MARK]: mark };
    this.#tell = tell;
  }

  startScheduler(which: number): void {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, "scheduler.ts")], {
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => this.#tell(text.trim()));
    this.#schedulers[which] = child;
  }

  /** Kills a scheduler, and starts another in its place. */
  replaceScheduler(which: number): void {
    this.#schedulers[which]!.kill("SIGKILL");
    this.startScheduler(which);
  }

  /** Kills a run that is going on: its group, or one process of it. @returns what it was, in words. */
  killRun(random: Random): string {
    const groups = this.#groups();
    if (groups.length === 0) return "of none";
    const group = random.pick(groups);
    const isWhole = random.chance(1, 2);
    signalAll(isWhole ? group : [random.pick(group)], "SIGKILL");
    return isWhole ? `of all ${group.length} processes` : `of one of ${group.length} processes`;
  }

  /** Ends the schedulers, and then what is left. @returns what didn't end by itself. */
  async end(): Promise<readonly string[]> {
    for (const scheduler of this.#schedulers) {
      if (scheduler.exitCode !== null || scheduler.signalCode !== null) continue;
      const ended = once(scheduler, "exit");
      scheduler.kill("SIGKILL");
      await ended;
    }
    for (const until = performance.now() + END_MS_MAX; performance.now() < until; await sleep(LOOK_MS))
      if (markedPids(this.#mark).length === 0) return [];
    const left = markedPids(this.#mark);
    const broken = left.map((pid) => `a process is left: ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`);
    signalAll(left, "SIGKILL");
    return broken;
  }

  /** The processes of each run, in no order. Schedulers are in the suite's own group. */
  #groups(): readonly (readonly number[])[] {
    const byGroup = Map.groupBy(markedPids(this.#mark), groupOf);
    return [...byGroup].filter(([group]) => group !== undefined && group !== groupOf(process.pid)).map(([, of]) => of);
  }
}

/** Its group's number; of a process that has ended, undefined. */
function groupOf(pid: number): number | undefined {
  const fields = read(`/proc/${pid}/stat`).split(") ").at(-1)!.split(" ");
  return fields[2] === undefined ? undefined : Number(fields[2]);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
