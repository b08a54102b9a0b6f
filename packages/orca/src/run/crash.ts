/** What a step does to its process, laid to its attempt: it ends the process, leaves a rejection unhandled, or can never end. */
import { OrcaError } from "../core/errors.ts";
import { type Attempt, currentAttempt, errorFrom, nameOfAttempt } from "./attempt.ts";

/** Tells a run what happened in its process. */
export interface CrashTarget {
  /** The attempts that are going on. */
  readonly running: ReadonlySet<Attempt>;
  /** Something that belongs to no attempt that is still going on. */
  stray(error: OrcaError): void;
}

let isWatched = false;
/** Whether a run of this process lays what goes wrong in it to its steps. */
export function isWatchedForCrashes(): boolean {
  return isWatched;
}

/** Lays crashes to attempts until it is disposed. @throws Error if another run of this process does: one has it at a time. */
export function watchForCrashes(target: CrashTarget): Disposable {
  if (isWatched) throw new Error("another run lays what goes wrong in this process to its steps");
  isWatched = true;
  const exit = process.exit;
  const exits = new WeakSet<Error>();
  process.exit = (code) => {
    const attempt = currentAttempt.getStore();
    if (attempt === undefined) return exit(code);
    const did = `called process.exit(${code ?? ""})`;
    const isRunning = target.running.has(attempt);
    const error = crashOf(
      attempt,
      isRunning ? `${did}: throw an error to fail, return to succeed` : `${did} after it had ended`,
    );
    if (isRunning) attempt.crash(error);
    else target.stray(error);
    exits.add(error);
    throw error; // process.exit never returns
  };
  const isExit = (thrown: unknown) => thrown instanceof Error && exits.has(thrown);
  const onRejection = (reason: unknown) => isExit(reason) || blame(target, reason, "left a rejection unhandled");
  const onException = (thrown: unknown) =>
    isExit(thrown) || blame(target, thrown, "threw outside of its function, in a callback");
  const onIdle = () => {
    for (const attempt of target.running)
      attempt.crash(crashOf(attempt, "can never end: it waits for a promise that nothing is left to settle"));
  };
  process.on("unhandledRejection", onRejection).on("uncaughtException", onException).on("beforeExit", onIdle);
  return {
    [Symbol.dispose]() {
      isWatched = false;
      process.exit = exit;
      process.off("unhandledRejection", onRejection).off("uncaughtException", onException).off("beforeExit", onIdle);
    },
  };
}

function blame(target: CrashTarget, thrown: unknown, did: string): void {
  const attempt = currentAttempt.getStore();
  const cause = errorFrom(thrown);
  if (attempt === undefined)
    target.stray(new OrcaError("step-crashed", `code outside of any step ${did}: ${cause.message}`, { cause }));
  else if (target.running.has(attempt)) attempt.crash(crashOf(attempt, `${did}: ${cause.message}`, cause));
  else target.stray(crashOf(attempt, `${did} after it had ended: ${cause.message}`, cause));
}

function crashOf(attempt: Attempt, what: string, cause?: Error): OrcaError {
  return new OrcaError("step-crashed", `${nameOfAttempt(attempt.id)} ${what}`, { cause });
}
