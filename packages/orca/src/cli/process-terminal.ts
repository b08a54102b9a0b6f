import type { Terminal } from "./command-line.ts";

/** This process's terminal. A reader that goes away (`… | head`) ends nothing: what is written then is lost, as it wanted. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  return { stdout: process.stdout, stderr: process.stderr, env: process.env, now: new Date() };
}
