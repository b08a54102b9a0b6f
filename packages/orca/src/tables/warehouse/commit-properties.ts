/** What snapshots say of the step that made them. */
import type { AttemptId } from "../../core/journal.ts";

/** Whose commits they are. */
export interface CodeOfRun {
  readonly pipeline: string;
  /** The run's number, if it is recorded. */
  readonly run: number | undefined;
  /** What tells the run from all others, those of other databases too. */
  readonly runToken: string;
  /** The hash of a step's code, if it is known. */
  readonly hashOf: (step: string) => string | undefined;
}

/** The properties of an attempt's commits. */
export class CommitProperties {
  readonly #code: CodeOfRun;
  readonly #id: AttemptId;

  constructor(code: CodeOfRun, id: AttemptId) {
    this.#code = code;
    this.#id = id;
  }

  /** What tells a commit from all others: the same for every attempt. @param number its place among the attempt's, from 1. */
  once(number: number): Readonly<Record<string, string>> {
    return {
      "orca.run.token": this.#code.runToken,
      "orca.step": this.#id.step,
      "orca.partition": this.#id.partition ?? "",
      "orca.commit": String(number),
    };
  }

  /** What else is said of the attempt. @param reads what it has read so far, as `lake.raw@123,lake.more@456`. */
  others(reads: string): Readonly<Record<string, string>> {
    const { pipeline, run, hashOf } = this.#code;
    const code = hashOf(this.#id.step);
    return {
      "orca.pipeline": pipeline,
      ...(run !== undefined && { "orca.run": String(run) }),
      "orca.attempt": String(this.#id.attempt),
      ...(code !== undefined && { "orca.code": code }),
      "orca.reads": reads,
    };
  }
}
