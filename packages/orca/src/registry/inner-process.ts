/** The inner of a run's two processes, which is the same program: see `run/supervisor.ts`. */
import type { ChildProcess } from "node:child_process";
import { SUPERVISED } from "./supervised.ts";
import { programWords } from "./position.ts";

/** What `running-file.ts` exports, in the scope of all code in a built file. */
declare const __orca: { takeInner(): ChildProcess | undefined } | undefined;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Starts the inner process with this one's words, input and output. Where a scheduler has started this one for a run, it was started as the
 * file began to load: the two load side by side, and the run's first attempt starts 25 ms earlier.
 */
export function startInner(env: Env): ChildProcess {
  const early = typeof __orca === "object" ? __orca.takeInner() : undefined;
  return early ?? spawnInner(programWords(), env);
}

/** Whether this process is going to start an inner one, whatever else it finds: a scheduler has started it for a run. */
export function isLaunched([command, ...words]: readonly string[]): boolean {
  return command === "resume" && words.includes("--launch");
}

/** @param program what Node is given to run it. */
export function spawnInner(program: readonly string[], env: Env): ChildProcess {
  const { spawn } = process.getBuiltinModule("node:child_process");
  return spawn(process.execPath, [...innerFlags(process.execArgv), ...program, ...process.argv.slice(2)], {
    env: { ...env, [SUPERVISED]: "1" },
    // a terminal's lines and drawings keep their order only if one process writes them; elsewhere what a crash says is kept
    stdio: ["inherit", "inherit", process.stderr.isTTY ? "inherit" : "pipe", "ipc"],
  });
}

/** Node's flags for the inner process: a debugger listens on a port of its own there. */
function innerFlags(flags: readonly string[]): readonly string[] {
  return flags.some((flag) => flag.startsWith("--inspect")) ? [...flags, "--inspect-port=0"] : flags;
}
