import type { Pipeline } from "./core/pipeline.ts";

/**
 * Runs a pipeline's program, for a file that is run as it is: `if (import.meta.main) await main(lake)`, and then
 * `node lake.ts run --partitions 2024-01`. It ends the process with the program's exit code. A build has its program without this.
 */
export async function main(pipeline: Pipeline): Promise<void> {
  const { runProgram } = await import("./program.ts"); // the program's parts are no part of what a pipeline imports
  await runProgram(pipeline, undefined);
}
