/** Gathers what is asked for at the same moment, so that it shares a round trip and a transaction. */

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchLimits {
  /** How many batches may be under way at once. */
  readonly lanes: number;
  /** How many items a batch may have. */
  readonly size: number;
}

/** Does items in batches: those that come while all lanes are busy go together in the next one. */
export class Batches<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #limits: BatchLimits;
  #waiting: Waiting<Item, Result>[] = [];
  #busyLanes = 0;
  #isScheduled = false;

  /** @param work gives the items' results, in their order. */
  constructor(limits: BatchLimits, work: (items: readonly Item[]) => Promise<readonly Result[]>) {
    this.#limits = limits;
    this.#work = work;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** In the next turn of the event loop, so that all that this one asks for goes together. */
  #schedule(): void {
    if (this.#isScheduled || this.#busyLanes === this.#limits.lanes) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#waiting.length === 0) return;
      void this.#send(this.#waiting.splice(0, this.#limits.size));
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  async #send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#busyLanes++;
    try {
      const results = await this.#work(batch.map((w) => w.item));
      batch.forEach(({ resolve }, i) => resolve(results[i]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#busyLanes--;
    if (this.#waiting.length > 0) this.#schedule();
  }
}
