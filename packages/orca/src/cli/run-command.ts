/** `run`: checks what it is given, and runs the pipeline in a process of its own, which it supervises. */
import { OrcaError } from "../core/errors.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import { builtFile } from "../registry/position.ts";
import { Supervisor, type InnerEnd } from "../run/supervisor.ts";
import { isSupervised } from "../run/supervision.ts";
import { ExitWith, type Terminal } from "./command-line.ts";
import type { Environment } from "./environment.ts";
import { keysGiven } from "./keys-given.ts";
import { isDrawn, progressStream } from "./run-display.ts";
import { SIGNALS } from "./signals.ts";

export interface RunArguments {
  /** As a person lists them: `2024-01..2024-03`, names, `@file:<path>`. */
  readonly partitions: string;
  readonly concurrency: number | undefined;
  readonly isJson: boolean;
}

/** Runs to the end, and exits by how the run ended. */
export async function runCommand(
  pipeline: PipelineDefinition,
  given: RunArguments,
  environment: Environment,
  terminal: Terminal,
): Promise<never> {
  const keys = keysGiven(pipeline, given.partitions);
  const graceMs = environment.ORCA_GRACE_SECONDS * 1000;
  if (isSupervised()) {
    const { runInside } = await import("./run-inside.ts");
    return await runInside(pipeline, keys, given, graceMs, terminal);
  }
  const [, called, ...words] = process.argv;
  const file = builtFile() ?? called!;
  const supervisor = new Supervisor({ file, words, env: terminal.env, graceMs });
  using _ = cancelOnSignals(supervisor, given.isJson, terminal);
  throw new ExitWith(exitCodeOf(await supervisor.ended));
}

/** Two signals within this time are one: Ctrl-C under `npm run` comes from the terminal and again from npm. */
const SAME_SIGNAL_MS = 100;

/** Cancels on the first signal that asks to stop, and ends the run's process on the second. */
function cancelOnSignals(supervisor: Supervisor, isJson: boolean, terminal: Terminal): Disposable {
  const out = progressStream(isJson, terminal);
  let isArmed = false;
  let arming: NodeJS.Timeout | undefined;
  const arm = () => {
    isArmed = true;
    // a drawing says it itself
    if (!isDrawn(isJson, terminal))
      out.write("cancelling: waiting for the running steps; another signal stops at once\n");
  };
  const onSignal = () => {
    supervisor.cancel();
    arming ??= setTimeout(arm, SAME_SIGNAL_MS);
    if (isArmed) supervisor.stop(new OrcaError("cancelled", "cancelled at once: the running steps were cut off"));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    [Symbol.dispose]: () => {
      clearTimeout(arming);
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}

function exitCodeOf({ exitCode, signal, stopped }: InnerEnd): number {
  if (exitCode !== null) return exitCode;
  const why = "by a fault of native code, for want of memory, or by another process";
  throw stopped ?? new OrcaError("run-crashed", `the run's process was ended by ${signal}: ${why}`);
}
