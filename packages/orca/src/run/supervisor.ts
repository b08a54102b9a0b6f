/**
 * The outer of a run's two processes. The inner one has the pipeline's steps, which can block it, fill its memory or crash it; this one
 * starts it, hears the signals, ends it where it can't end itself, and sees how it ended.
 */
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { OrcaError } from "../core/errors.ts";
import type { AttemptId } from "../core/journal.ts";
import { nameOfAttempt } from "./attempt.ts";
import { LastWords } from "./last-words.ts";
import type { FromInner, Handover, Stop, ToInner } from "./supervision.ts";

/** How long the inner process may take, beyond a step's time, to end by itself. */
const MARGIN_MS = 1_000;

/** How long what an inner process wrote may take to arrive when it has ended. */
const HEARING_MS = 200;

/** How the inner process ended: as it meant to, with an exit code, or by a crash. */
export type InnerEnd = { readonly exitCode: number } | { readonly crash: InnerCrash };

export interface InnerCrash {
  /** What a person is told. */
  readonly error: OrcaError;
  /** The attempt that it was ended for, if it was one. */
  readonly attempt: AttemptId | undefined;
}

export interface InnerProgram {
  /** Starts it, with a channel for messages. */
  start(): ChildProcess;
  /** How long a step may go on after it was told to stop. */
  readonly graceMs: number;
  /** Finds the place in the user's code that frames of JavaScript lead to. */
  readonly placeOf: (frames: readonly string[]) => string | undefined;
}

/** An inner process that was started, and waits to be told which run it goes on with. */
export interface WaitingInner {
  /** Has it go on with a run. @returns how it ended. */
  take(handover: Handover): Promise<InnerEnd>;
  /** Ends it, unless it has taken a run. */
  dismiss(): Promise<void>;
}

export class Supervisor {
  /** Takes the file of each log that the inner process has written to its end. */
  onLogEnded: (file: string) => void = () => {};
  readonly #program: InnerProgram;
  #inner: ChildProcess | undefined;
  /** Of each attempt that has a timeout, and of a stop: what ends the process if it doesn't end by itself. */
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #stop: Stop | undefined;
  #killedFor: InnerCrash | undefined;
  #isOver = false;

  constructor(program: InnerProgram) {
    this.#program = program;
  }

  /** Whether the inner process has done all that it had to do, and only says so. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** How the run was asked to stop, if it was. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Runs an inner process that needs nothing of this one to its end, with this one's input and output. */
  async run(): Promise<InnerEnd> {
    return await this.#start().end;
  }

  /** Starts an inner process that goes on with a run: it loads while that is being taken. After a crash it may be called again. */
  start(): WaitingInner {
    const { inner, end } = this.#start();
    end.catch(() => {}); // whoever has it take a run hears of it
    let hasTaken = false;
    return {
      take: (handover) => {
        hasTaken = true;
        this.#tell({ kind: "run", handover });
        if (this.#stop !== undefined) this.#tell({ kind: "stop", how: this.#stop });
        return end;
      },
      dismiss: async () => {
        if (hasTaken) return;
        inner.kill("SIGKILL");
        await end.catch(() => {});
      },
    };
  }

  #start(): { readonly inner: ChildProcess; readonly end: Promise<InnerEnd> } {
    const inner = this.#program.start();
    const lastWords = new LastWords();
    inner.stderr?.setEncoding("utf8").on("data", (text: string) => {
      process.stderr.write(text);
      lastWords.add(text);
    });
    this.#inner = inner;
    this.#isOver = false;
    this.#killedFor = undefined;
    inner.on("message", (message: FromInner) => this.#hear(message));
    return { inner, end: this.#endOf(inner, lastWords) };
  }

  async #endOf(inner: ChildProcess, lastWords: LastWords): Promise<InnerEnd> {
    const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      // what the process left running may hold its output open for as long as it likes
      const ended = (...end: [number | null, NodeJS.Signals | null]) =>
        void this.#heard(inner).then(() => resolve(end));
      const { exitCode: code, signalCode } = inner;
      if (code !== null || signalCode !== null) ended(code, signalCode);
      else inner.on("error", reject).on("exit", ended);
    });
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    if (this.#isOver && exitCode !== null) return { exitCode };
    const cause = lastWords.cause(this.#program.placeOf);
    return { crash: this.#killedFor ?? { error: crashOf(exitCode, signal, cause), attempt: undefined } };
  }

  /** Settles when all that an inner process that has ended told and wrote is heard, or is not going to be. */
  async #heard(inner: ChildProcess): Promise<void> {
    const closed = new Promise<void>((resolve) => void inner.once("close", () => resolve()));
    await Promise.race([closed, sleep(HEARING_MS, undefined, { ref: false })]);
    inner.stderr?.destroy();
  }

  /** Asks the run to stop in order; ends the process if it doesn't hear. */
  askToStop(how: Stop): void {
    if (this.#stop !== undefined) return;
    this.#stop = how;
    this.#tell({ kind: "stop", how });
    const sentence = "the run was stopped, and a step that blocked its process was cut off";
    this.#killAfter("stop", this.#program.graceMs, {
      error: new OrcaError("cancelled", sentence),
      attempt: undefined,
    });
  }

  /** Ends the process at once. */
  kill(error: OrcaError, attempt?: AttemptId): void {
    this.#killedFor ??= { error, attempt };
    this.#inner?.kill("SIGKILL");
  }

  #tell(message: ToInner): void {
    if (this.#inner?.connected) this.#inner.send(message, () => {}); // one that ends meanwhile needn't hear it
  }

  #hear(message: FromInner): void {
    if (message.kind === "over") {
      this.#isOver = true;
      this.#tell({ kind: "over" });
    } else if (message.kind === "log") this.onLogEnded(message.file);
    else if (message.kind === "expect")
      this.#killAfter(nameOfAttempt(message.id), message.withinMs, { error: late(message.id), attempt: message.id });
    else {
      const name = nameOfAttempt(message.id);
      clearTimeout(this.#timers.get(name));
      this.#timers.delete(name);
    }
  }

  #killAfter(what: string, ms: number, { error, attempt }: InnerCrash): void {
    const timer = setTimeout(() => this.kill(error, attempt), ms + MARGIN_MS);
    this.#timers.set(what, timer);
  }
}

function crashOf(exitCode: number | null, signal: NodeJS.Signals | null, cause: string | undefined): OrcaError {
  const how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  const guess =
    signal === null ? "by native code" : "by a fault of native code, for want of memory, or by another process";
  return new OrcaError("run-crashed", `the process of the steps ${how}: ${cause ?? guess}`);
}

function late(id: AttemptId): OrcaError {
  const sentence = `${nameOfAttempt(id)} took longer than its timeout and blocked its process, which was ended`;
  return new OrcaError("step-timed-out", sentence);
}
