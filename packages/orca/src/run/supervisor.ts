/**
 * The outer of a run's two processes. The inner one has the pipeline's steps, which can block it, fill its memory or crash it; this one
 * starts it, hears the signals, ends it where it can't end itself, and sees how it ended.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { OrcaError } from "../core/errors.ts";
import type { AttemptId } from "../core/journal.ts";
import { nameOfAttempt } from "./attempt.ts";
import { SUPERVISED, type FromInner, type ToInner } from "./supervision.ts";

/** How long the inner process may take, beyond a step's time, to end by itself. */
const MARGIN_MS = 1_000;

/** How the inner process ended. */
export interface InnerEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the outer process ended it; undefined where it ended by itself. */
  readonly stopped: OrcaError | undefined;
}

export interface InnerProgram {
  /** The file that the inner process runs under Node. */
  readonly file: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long a step may go on after it was told to stop. */
  readonly graceMs: number;
}

export class Supervisor {
  readonly ended: Promise<InnerEnd>;
  readonly #inner: ChildProcess;
  readonly #graceMs: number;
  /** Of each attempt that has a timeout: what ends the process if the attempt doesn't end. */
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #isCancelled = false;
  #stopped: OrcaError | undefined;

  /** Starts the inner process, with this one's input and output. */
  constructor({ file, words, env, graceMs }: InnerProgram) {
    this.#graceMs = graceMs;
    this.#inner = spawn(process.execPath, [...innerFlags(process.execArgv), file, ...words], {
      env: { ...env, [SUPERVISED]: "1" },
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    this.#inner.on("message", (message: FromInner) => this.#hear(message));
    this.ended = new Promise((resolve, reject) => {
      this.#inner.on("error", reject).on("exit", (exitCode, signal) => {
        for (const timer of this.#timers.values()) clearTimeout(timer);
        resolve({ exitCode, signal, stopped: this.#stopped });
      });
    });
  }

  /** Asks the run to stop in order; ends the process if it hears nothing. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#tell({ kind: "cancel" });
    const sentence = "the run was cancelled, and a step that blocked its process was cut off";
    this.#stopAfter("cancel", this.#graceMs, new OrcaError("cancelled", sentence));
  }

  /** Ends the process at once. */
  stop(error: OrcaError): void {
    this.#stopped ??= error;
    this.#inner.kill("SIGKILL");
  }

  #tell(message: ToInner): void {
    if (this.#inner.connected) this.#inner.send(message, () => {}); // one that ends meanwhile needn't hear it
  }

  #hear(message: FromInner): void {
    const place = nameOfAttempt(message.id);
    if (message.kind === "expect") this.#stopAfter(place, message.withinMs, late(message.id));
    else {
      clearTimeout(this.#timers.get(place));
      this.#timers.delete(place);
    }
  }

  #stopAfter(what: string, ms: number, error: OrcaError): void {
    this.#timers.set(
      what,
      setTimeout(() => this.stop(error), ms + MARGIN_MS),
    );
  }
}

function late(id: AttemptId): OrcaError {
  const sentence = `${nameOfAttempt(id)} took longer than its timeout and blocked its process, which was ended`;
  return new OrcaError("step-timed-out", sentence);
}

/** Node's flags for the inner process: a debugger listens on a port of its own there. */
function innerFlags(flags: readonly string[]): readonly string[] {
  return flags.some((flag) => flag.startsWith("--inspect")) ? [...flags, "--inspect-port=0"] : flags;
}
