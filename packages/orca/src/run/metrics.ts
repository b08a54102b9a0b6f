/** What a run's machine is doing while it goes on, beside its logs. */
import { appendFileSync, mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/**
 * Writes a line of JSON every so often, until it is disposed: `metrics/<machine>.jsonl` in the run's folder. What can't be written is left out: no run
 * fails by it.
 */
export class RunMetrics implements Disposable {
  readonly #timer: NodeJS.Timeout;

  /** @param folder the run's. @param sample gives what is written. */
  constructor(folder: string, everyMs: number, sample: () => object) {
    const file = join(folder, "metrics", `${hostname()}.jsonl`);
    this.#timer = setInterval(() => write(file, sample), everyMs).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function write(file: string, sample: () => object): void {
  try {
    mkdirSync(join(file, ".."), { recursive: true });
    appendFileSync(file, `${JSON.stringify(sample())}\n`);
  } catch {
    // the disk is full, or the folder was removed
  }
}
