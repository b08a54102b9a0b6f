import type { Pipeline } from "./core/pipeline.ts";
import { builtFile } from "./registry/position.ts";

/**
 * Runs a pipeline's program, for a file that is run as it is: `if (import.meta.main) await main(lake)`, and then
 * `node lake.ts run --partitions 2024-01`. It ends the process with the program's exit code. In a build, which has its program without
 * this, it does nothing.
 */
export async function main(pipeline: Pipeline): Promise<void> {
  if (builtFile() !== undefined) return;
  const { runProgram } = await import("./program.ts"); // the program's parts are no part of what a pipeline imports
  await runProgram(pipeline, undefined);
}
