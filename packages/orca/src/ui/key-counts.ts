/** How many of pipelines' keys are done, remembered: counting 120,000 takes longer than a page may. */
import { setTimeout as sleep } from "node:timers/promises";
import type { DoneKeys, KeysToCount } from "../state/pages/done-keys.ts";

type Count = (given: KeysToCount) => Promise<DoneKeys>;

interface Remembered {
  readonly counts: DoneKeys;
  readonly at: number;
  readonly tookMs: number;
}

/** A page waits no longer for what it doesn't know, or knows from before. */
const WAIT_MS = 40;
/** What took long is counted again after so many times as long, so that counting is a small part of what the database does. */
const REST = 20;
const FRESH_MS = 1_000;
/** So many pipelines are counted at once. */
const AT_ONCE = 4;
const REMEMBERED_MAX = 10_000;

export class RememberedCounts {
  readonly #count: Count;
  readonly #changed: (pipeline: string) => void;
  readonly #clock: () => number;
  readonly #remembered = new Map<string, Remembered>();
  #wanted = new Map<string, KeysToCount>();
  readonly #underWay = new Set<string>();
  #counting: Promise<void> | undefined;

  /**
   * @param count of the database. @param changed is told of pipelines whose counts are other than those that were given last.
   * @param clock in milliseconds.
   */
  constructor(count: Count, changed: (pipeline: string) => void, clock: () => number = () => performance.now()) {
    this.#count = count;
    this.#changed = changed;
    this.#clock = clock;
  }

  /** In the order given; undefined of what is being counted for the first time, which whoever listens is told of when it is known. */
  async of(given: readonly KeysToCount[]): Promise<readonly (DoneKeys | undefined)[]> {
    for (const keys of given)
      if (this.#isOld(keys) && !this.#underWay.has(textOf(keys))) this.#wanted.set(textOf(keys), keys);
    if (this.#wanted.size > 0 || given.some((keys) => this.#underWay.has(textOf(keys)))) {
      this.#counting ??= this.#countWanted().finally(() => (this.#counting = undefined));
      this.#counting.catch(() => {}); // of a page that doesn't wait any more
      await Promise.race([this.#counting, sleep(WAIT_MS, undefined, { ref: false })]);
    }
    return given.map((keys) => this.#remembered.get(textOf(keys))?.counts);
  }

  #isOld(keys: KeysToCount): boolean {
    const known = this.#remembered.get(textOf(keys));
    return known === undefined || this.#clock() - known.at > Math.max(FRESH_MS, known.tookMs * REST);
  }

  /** @throws what the database does: then it is asked again with the next page. */
  async #countWanted(): Promise<void> {
    const changed = new Set<string>();
    const countSome = async () => {
      for (const [text, keys] of this.#wanted) {
        this.#wanted.delete(text);
        this.#underWay.add(text);
        const begin = this.#clock();
        const now = await this.#count(keys).finally(() => this.#underWay.delete(text));
        const at = this.#clock();
        const before = this.#remembered.get(text)?.counts;
        if (before?.done !== now.done || before.due !== now.due) changed.add(keys.pipeline);
        this.#remember(text, { counts: now, at, tookMs: at - begin });
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, countSome));
    } catch (error) {
      this.#wanted = new Map();
      throw error;
    } finally {
      for (const pipeline of changed) this.#changed(pipeline);
    }
  }

  #remember(text: string, remembered: Remembered): void {
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    this.#remembered.set(text, remembered);
  }
}

/** What is counted of other code, or up to another day, is another count. */
function textOf(keys: KeysToCount): string {
  return JSON.stringify(keys);
}
