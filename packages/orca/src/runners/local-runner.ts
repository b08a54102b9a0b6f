/** Runs as processes on this machine, each in a group of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { OrcaError } from "../core/errors.ts";
import { whyNotStarted } from "./why-not-started.ts";
import type { ProcessEnd, Runner, RunToStart, StartedProcess } from "./runner.ts";

/** So much of what a process wrote last is told of how it ended. */
const LAST_BYTES = 2_000;

export interface LocalRunnerOptions {
  /** The folder that a run's `driver.log` is written into: what its process prints. */
  readonly folderOf: (run: Pick<RunToStart, "run" | "pipeline">) => string;
  /** Is given the file when nothing is written to it any more. */
  readonly written?: ((file: string, run: Pick<RunToStart, "run" | "pipeline">) => Promise<void>) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export class LocalRunner implements Runner {
  readonly #options: LocalRunnerOptions;

  constructor(options: LocalRunnerOptions) {
    this.#options = options;
  }

  async start(
    { run, pipeline, program, token, allowsNewCode }: RunToStart,
    ended: (end: ProcessEnd) => void,
  ): Promise<StartedProcess> {
    const { folderOf, written, env } = this.#options;
    const folder = folderOf({ run, pipeline });
    await mkdir(folder, { recursive: true });
    const logFile = join(folder, "driver.log");
    await using log = await open(logFile, "a");
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
        await written?.(logFile, { run, pipeline });
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
  const text = await readFile(logFile, "utf8").catch(() => "");
  return text.slice(-LAST_BYTES).trimEnd().split("\n").at(-1) ?? "";
}
