/** Runs as processes on this machine, each in a group of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { OrcaError } from "../core/errors.ts";
import { whyNotStarted } from "./why-not-started.ts";
import type { ProcessEnd, Runner, RunToStart, StartedProcess } from "./runner.ts";

/** So much of what a process wrote last is told of how it ended. */
const LAST_BYTES = 2_000;

export interface LocalRunnerOptions {
  /** The file that a run's process prints to, and where that can be read in the end. */
  readonly fileOf: (run: RunToStart) => string;
  readonly locationOf: (run: RunToStart) => string;
  /** Is given the file when nothing is written to it any more. */
  readonly written: (file: string) => Promise<void>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export class LocalRunner implements Runner {
  readonly #options: LocalRunnerOptions;

  constructor(options: LocalRunnerOptions) {
    this.#options = options;
  }

  logOf(run: RunToStart): string {
    return this.#options.locationOf(run);
  }

  async start(toStart: RunToStart, ended: (end: ProcessEnd) => void): Promise<StartedProcess> {
    const { fileOf, written, env } = this.#options;
    const { run, program, token, allowsNewCode } = toStart;
    const logFile = fileOf(toStart);
    await mkdir(dirname(logFile), { recursive: true });
    await using log = await open(logFile, "a+"); // its process reads its end, when it leaves out what is before that
    const words = ["resume", String(run), "--launch", token, ...(allowsNewCode ? ["--allow-new-code"] : [])];
    const child = spawn(program, words, { detached: true, env, stdio: ["ignore", log.fd, log.fd] });
    try {
      await once(child, "spawn");
    } catch (cause) {
      throw new OrcaError("not-a-program", `${program} can't be started: ${whyNotStarted(cause as Error)}`, { cause });
    }
    child.unref();
    child.on("exit", (code, signal) => {
      void (async () => {
        const how = signal === null ? `exited with ${code}` : `was ended by ${signal}`;
        const last = await lastOf(logFile);
        ended({ token, how: `its process ${how}${last === "" ? "" : `: ${last}`}` });
        await written(logFile);
      })().catch(() => {}); // the log stays where it is
    });
    return {
      kill: () => {
        if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGKILL");
      },
    };
  }
}

/** The last line that a process wrote. */
async function lastOf(logFile: string): Promise<string> {
  try {
    await using log = await open(logFile);
    const { size } = await log.stat();
    const last = Buffer.alloc(Math.min(size, LAST_BYTES));
    const { bytesRead } = await log.read(last, 0, last.length, size - last.length);
    return last.toString("utf8", 0, bytesRead).trimEnd().split("\n").at(-1)!;
  } catch {
    return "";
  }
}
