/** Choices that a seed determines. */
import { createHash } from "node:crypto";

export class Random {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** From 0 to `end`, without it. */
  below(end: number): number {
    return (
      createHash("sha256")
        .update(`${this.#seed} ${this.#count++}`)
        .digest()
        .readUInt32BE() % end
    );
  }

  /** From `first` to `last`, with both. */
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** `times` in `of` times. */
  chance(times: number, of: number): boolean {
    return this.below(of) < times;
  }

  pick<const T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
}
