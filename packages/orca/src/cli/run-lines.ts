/** A run's progress as lines: what is written where no person watches, and above the live display where one does. */
import { textOfDuration } from "../core/duration.ts";
import { OrcaError } from "../core/errors.ts";
import type { AttemptId, Outcome } from "../core/journal.ts";
import type { RunObserver } from "../run/run-options.ts";
import type { FailedBefore } from "../state/run-before.ts";
import { errorLine } from "./error-line.ts";
import type { Failure } from "./run-report.ts";

/** Failures that are kept for the summary; of more, the lines tell. */
const FAILURES_MAX = 1_000;

export class RunLines implements RunObserver {
  /** The first of them. */
  readonly failures: Failure[] = [];
  failureCount = 0;
  readonly #write: (line: string) => void;
  readonly #isBrief: boolean;
  readonly #now: () => number;
  readonly #startedAt = new Map<string, number>();

  /** @param isBrief whether lines that only tell of success are left out. @param now a clock, in milliseconds. */
  constructor(write: (line: string) => void, isBrief: boolean, now: () => number) {
    this.#write = write;
    this.#isBrief = isBrief;
    this.#now = now;
  }

  attemptStarted(id: AttemptId): void {
    if (!this.#isBrief) this.#startedAt.set(placeOf(id.step, id.partition), this.#now());
  }

  attemptEnded(id: AttemptId, outcome: Outcome, retryMs: number | undefined): void {
    const place = placeOf(id.step, id.partition);
    const startedAt = this.#startedAt.get(place);
    this.#startedAt.delete(place);
    if (outcome.status === "succeeded") {
      if (startedAt !== undefined) this.#write(`${place}: succeeded in ${textOfDuration(this.#now() - startedAt)}`);
      return;
    }
    const error = errorLine(outcome.error);
    const which = id.attempt > 1 || retryMs !== undefined ? ` in attempt ${id.attempt}` : "";
    const next = retryMs === undefined ? "" : `; trying again in ${textOfDuration(retryMs)}`;
    this.#write(`${place}: ${outcome.status}${which}: ${error}${next}`);
    if (retryMs === undefined && outcome.status !== "cancelled")
      this.#keep({
        ...failureOf(outcome.error, outcome.status, error),
        step: id.step,
        partition: id.partition,
        attempts: id.attempt,
      });
  }

  /** A step that failed by a crash of an earlier process of the run. */
  failedBefore({ step, partition, attempts, status, error }: FailedBefore): void {
    this.#write(`${placeOf(step, partition)}: ${status}${attempts > 1 ? ` in attempt ${attempts}` : ""}: ${error}`);
    this.#keep({ step, partition, attempts, status, code: undefined, error });
  }

  skipped(step: string, partition: string | undefined, because: string): void {
    this.#write(`${placeOf(step, partition)}: skipped, since '${because}' didn't succeed`);
  }

  stray(error: Error): void {
    const line = errorLine(error);
    this.#write(line);
    this.#keep({
      ...failureOf(error, "crashed", line),
      step: undefined,
      partition: undefined,
      attempts: undefined,
    });
  }

  #keep(failure: Failure): void {
    this.failureCount++;
    if (this.failures.length < FAILURES_MAX) this.failures.push(failure);
  }

  /** Writes a line that is about the run. */
  say(line: string): void {
    this.#write(line);
  }

  /** A line of a step's log; a text of several lines is one a line. */
  log(id: AttemptId, text: string): void {
    for (const line of text.split("\n")) this.#write(`${placeOf(id.step, id.partition)} | ${line}`);
  }
}

function placeOf(step: string, partition: string | undefined): string {
  return partition === undefined ? step : `${step} ${partition}`;
}

function failureOf(error: Error, status: Failure["status"], line: string): Pick<Failure, "status" | "code" | "error"> {
  return { status, code: error instanceof OrcaError ? error.code : undefined, error: line };
}
