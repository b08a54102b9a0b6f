/** One attempt of a step: calls its function, and says how it ended. */
import { AsyncLocalStorage } from "node:async_hooks";
import { encode } from "@orcajs/dista";
import { textOfDuration } from "../core/duration.ts";
import { OrcaError } from "../core/errors.ts";
import type { AttemptId, Outcome } from "../core/journal.ts";
import type { StepDefinition } from "../core/step-definition.ts";
import { textOfValue } from "../core/value-text.ts";

/** The attempt that the code being run now belongs to, also in its timers and callbacks. */
export const currentAttempt = new AsyncLocalStorage<Attempt>();

/** How a step is called in sentences: `step 'clean' of 2024-01`, or `step 'total'`. */
export function nameOfAttempt({ step, partition }: AttemptId): string {
  return partition === undefined ? `step '${step}'` : `step '${step}' of ${partition}`;
}

/**
 * An attempt from its start to its end. It ends when the function settles, when a crash is laid to it, or, after an abort, when the
 * function hasn't settled within the grace time: then the function may go on, but what it does counts for nothing.
 */
export class Attempt {
  readonly id: AttemptId;
  readonly #step: StepDefinition;
  readonly #graceMs: number;
  readonly #onSettled: (attempt: Attempt) => void;
  #controller: AbortController | undefined;
  #abortedAs: { readonly status: "timed-out" | "cancelled"; readonly error: Error } | undefined;
  #outcome: Outcome | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When its timeout is over, on the clock of `performance.now()`. */
  #deadline = Infinity;

  /** @param onSettled called once, when there is an outcome; a crash may still change it until the outcome is read by the driver. */
  constructor(id: AttemptId, step: StepDefinition, graceMs: number, onSettled: (attempt: Attempt) => void) {
    this.id = id;
    this.#step = step;
    this.#graceMs = graceMs;
    this.#onSettled = onSettled;
  }

  /** @param context the step's, whose `signal` is this attempt's. */
  start(context: object, input: unknown): void {
    const { fn, timeoutMs } = this.#step;
    if (timeoutMs !== undefined) {
      this.#deadline = performance.now() + timeoutMs;
      this.#timer = setTimeout(() => this.#timeOut(), timeoutMs);
    }
    currentAttempt
      .run(this, async () => fn(context, input))
      .then(
        (output) => this.#succeed(output),
        (thrown: unknown) => this.#settle({ status: "failed", error: errorFrom(thrown) }),
      );
  }

  /** Made when it is first asked for: most steps never do, and it would be the most expensive part of a small one. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#abortedAs !== undefined) this.#controller.abort(this.#abortedAs.error);
    return this.#controller.signal;
  }

  get hasTimeout(): boolean {
    return this.#step.timeoutMs !== undefined;
  }

  get isOver(): boolean {
    return this.#outcome !== undefined;
  }

  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** Asks the function to stop, and ends the attempt once the grace time is over. */
  cancel(error: OrcaError): void {
    this.#abort("cancelled", error);
  }

  /** Ends the attempt by what its function did to the process; also one that has settled, since its success can't be believed. */
  crash(error: OrcaError): void {
    if (this.#outcome?.status === "crashed") return; // what came first is the cause of what follows
    const hasSettled = this.#outcome !== undefined;
    this.#outcome = { status: "crashed", error };
    if (!hasSettled) this.#finish();
  }

  #timeOut(): void {
    const timeout = textOfDuration(this.#step.timeoutMs!);
    const sentence = `${nameOfAttempt(this.id)} took longer than its timeout, ${timeout}`;
    this.#abort("timed-out", new OrcaError("step-timed-out", sentence));
  }

  #abort(status: "timed-out" | "cancelled", error: OrcaError): void {
    if (this.#abortedAs !== undefined || this.#outcome !== undefined) return;
    this.#abortedAs = { status, error };
    this.#controller?.abort(error);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle({ status, error }), this.#graceMs);
  }

  #succeed(output: unknown): void {
    try {
      this.#settle({ status: "succeeded", output: bounded(encode(output)) });
    } catch (error) {
      this.#settle({ status: "failed", error: errorFrom(error) });
    }
  }

  #settle(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    // the timer of one that blocked the event loop hasn't fired
    if (this.#deadline !== Infinity && performance.now() >= this.#deadline) this.#timeOut();
    // an aborted function that throws was stopped, whatever it threw; one that returned in time has done its work, unless it was late
    const isStopped =
      this.#abortedAs !== undefined && (outcome.status === "failed" || this.#abortedAs.status === "timed-out");
    this.#outcome = isStopped ? this.#abortedAs : outcome;
    this.#finish();
  }

  #finish(): void {
    clearTimeout(this.#timer);
    this.#onSettled(this);
  }
}

/** What an output may have, in bytes of UTF-8. */
const OUTPUT_MAX = 1_048_576;

function bounded(output: string): string {
  if (output.length * 3 <= OUTPUT_MAX) return output; // no unit of UTF-16 is more than 3 bytes
  const bytes = Buffer.byteLength(output);
  if (bytes <= OUTPUT_MAX) return output;
  const size = `${(bytes / OUTPUT_MAX).toFixed(1)} MiB`;
  throw new OrcaError(
    "output-too-large",
    `its output has ${size}, and may have 1 MiB: write the data to a table, and return what later steps need to find it`,
  );
}

/** What was thrown, as an error that can be read: users throw anything, also what can't be looked at. */
export function errorFrom(thrown: unknown): Error {
  let what: string;
  try {
    if (thrown instanceof Error) {
      // a proxy, or a class with getters, may throw when it is shown or recorded
      void [thrown.name, thrown.message, thrown.stack, thrown.cause, thrown instanceof AggregateError];
      return thrown;
    }
    what = textOfValue(thrown);
  } catch {
    what = "something that can't be looked at";
  }
  return new OrcaError("not-an-error", `it threw ${what}, which isn't an error: throw new Error(…)`);
}
