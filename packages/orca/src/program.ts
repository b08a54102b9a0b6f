/** What a built pipeline's file calls; `main` is for files that are run as they are. */
import { processTerminal } from "./cli/process-terminal.ts";
import { runPipelineProgram } from "./cli/program.ts";
import type { Built } from "./registry/built.ts";

/** Runs the program of a built pipeline, and ends the process with its exit code. */
export async function runProgram(exported: unknown, built: Built | undefined): Promise<void> {
  const [, path = "pipeline", ...words] = process.argv;
  // steps that were given up may still hold the process: it ends all the same
  process.exit(await runPipelineProgram(exported, built, { path, words }, processTerminal()));
}
