import { placeOf, type AttemptId, type Journal, type Outcome } from "../core/journal.ts";
import type { StepEnd } from "../core/ready.ts";

/** Records a run in memory: only the outputs that are asked for later, so that memory is flat in the number of partitions done. */
export class MemoryJournal implements Journal {
  readonly suspects = 0;
  readonly #keys: readonly string[];
  readonly #kept: ReadonlySet<string>;
  readonly #outputs = new Map<string, string>();

  /** @param keys the run's partitions. @param kept the names of the steps whose outputs are kept. */
  constructor(keys: readonly string[], kept: Iterable<string>) {
    this.#keys = keys;
    this.#kept = new Set(kept);
  }

  before(): undefined {
    // a run in memory has no earlier process
  }

  attemptStarts(_id: AttemptId, input: string): string {
    return input;
  }

  skipped(): void {
    // nobody asks for it later
  }

  attemptEnded({ step, partition }: AttemptId, outcome: Outcome, stepEnd: StepEnd | undefined): void {
    if (stepEnd === "succeeded" && outcome.status === "succeeded" && this.#kept.has(step))
      this.#outputs.set(placeOf(step, partition), outcome.output);
  }

  output(step: string, partition: string | undefined): string {
    const output = this.#outputs.get(placeOf(step, partition));
    if (output === undefined) throw new Error(`no output of ${placeOf(step, partition)} is kept`);
    return output;
  }

  outputs(step: string): readonly string[] {
    return this.#keys.map((key) => this.output(step, key));
  }
}
