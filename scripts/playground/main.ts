/**
 * `npm run playground`: a throwaway Orca with something to look at. A Postgres, a warehouse and logs in a temporary folder, pipelines with runs, a
 * scheduler and the UI. Ctrl-C ends all of it, and leaves nothing behind; so does whatever else ends this process: all is done by another, which
 * ends when nothing holds its standard input any more.
 */
import { spawn } from "node:child_process";
import path from "node:path";

const play = spawn(process.execPath, [path.join(import.meta.dirname, "play.ts")], {
  stdio: ["pipe", "inherit", "inherit"],
  detached: true, // a terminal's Ctrl-C is passed on once
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => play.stdin.end());
play.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
