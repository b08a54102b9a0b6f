/** What a built pipeline's file calls. */
import { exitProcess, explainFaults, processTerminal } from "./cli/process-terminal.ts";
import { runPipelineProgram } from "./cli/program.ts";
import type { Built } from "./registry/built.ts";

/** Runs the program of a pipeline's file, and ends the process with its exit code. */
export async function runProgram(exported: unknown, built: Built | undefined): Promise<void> {
  const [, path = "pipeline", ...words] = process.argv;
  const terminal = processTerminal();
  explainFaults();
  await exitProcess(await runPipelineProgram({ path, exported, built }, words, terminal));
}
