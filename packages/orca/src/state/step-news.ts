/** Tells who looks at a run that its steps have changed: not each change, but the first at once, and then what has come together. */

/** The shortest time between two news of a run. */
const EVERY_MS = 500;

/** The news of one process's run. */
export class StepNews {
  readonly #tell: () => Promise<unknown>;
  #toldAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  /** @param tell says that steps have changed. What it rejects with is nobody's: the next change is told, and the run's end. */
  constructor(tell: () => Promise<unknown>) {
    this.#tell = tell;
  }

  /** Whether the changes that are recorded now are also to be told now: who is told so has to. Others are told of by `tellLater`. */
  isDue(): boolean {
    const now = performance.now();
    if (now - this.#toldAt < EVERY_MS) return false;
    this.#toldAt = now;
    return true;
  }

  /** Tells of what was recorded untold, once it is time again. No process waits for it. */
  tellLater(): void {
    if (this.#timer !== undefined) return;
    const tell = () => {
      this.#timer = undefined;
      this.#toldAt = performance.now();
      this.#tell().catch(() => {});
    };
    this.#timer = setTimeout(tell, this.#toldAt + EVERY_MS - performance.now()).unref();
  }
}

/** Whether a topic is of steps within a run, which change nothing for any other run. */
export function isOfSteps(topic: string): boolean {
  return topic.startsWith("steps:");
}
