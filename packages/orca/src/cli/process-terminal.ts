import { EXIT } from "../core/errors.ts";
import { errorFrom } from "../run/attempt.ts";
import { isWatchedForCrashes } from "../run/crash.ts";
import type { Terminal } from "./command-line.ts";

/** Whether something that was to be read couldn't be written. */
let hasLostOutput = false;

/**
 * This process's terminal. A reader that goes away (`… | head`) ends nothing: what is written then is lost, as it wanted. What can't be written
 * for another reason, such as a full disk, is said once, and no success: it ends the process with the exit code of a failure.
 */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", explainLoss);
  return { stdout: process.stdout, stderr: process.stderr, env: process.env, now: new Date() };
}

function explainLoss(this: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED" || hasLostOutput) return;
  hasLostOutput = true;
  if (this === process.stdout) process.stderr.write(`error: what was written is lost: ${error.message}\n`);
}

/** Whether this process's program has said how it ends. */
let hasEnded = false;

/** Ends the process, in a sentence, by what goes wrong where nobody awaits it: outside of a run, which has its own ways. */
export function explainFaults(): void {
  process.on("unhandledRejection", explain).on("uncaughtException", explain).on("exit", explainExit);
}

/** Leaves that, and the terminal, to another program, which goes on in this process. */
export function leaveFaults(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off("error", explainLoss);
  process.off("unhandledRejection", explain).off("uncaughtException", explain).off("exit", explainExit);
}

function explain(thrown: unknown): void {
  if (isWatchedForCrashes()) return;
  process.stderr.write(`error: ${errorFrom(thrown).message}\n`);
  void exitProcess(EXIT.failed);
}

function explainExit(): void {
  if (hasEnded) return;
  process.stderr.write("error: the process ended before its command was done\n");
  process.exitCode = EXIT.failed;
}

/** Ends the process once all that was written has left it, whatever still holds it: steps that were given up, native threads. */
export async function exitProcess(exitCode: number): Promise<never> {
  const left = (stream: NodeJS.WriteStream) =>
    new Promise<void>((resolve) =>
      // an empty write to a full disk would fail again; its own failure is told of in this turn of the event loop
      stream.destroyed || stream.writableLength === 0 ? setImmediate(resolve) : stream.write("", () => resolve()),
    );
  await Promise.all([left(process.stdout), left(process.stderr)]);
  hasEnded = true;
  const decided = hasLostOutput && exitCode === EXIT.succeeded ? EXIT.failed : exitCode;
  process.on("exit", () => void (process.exitCode = decided)); // after whatever steps have put there
  process.exit(decided);
}
