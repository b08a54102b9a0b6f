/** Of how many files something is kept. */
const KEPT_FILES = 100_000;

/** What the process knows of files on this machine, by their paths: they never change. What was learnt first is forgotten where they are too many. */
export class KnownFiles<V> {
  readonly #kept = new Map<string, V>();

  get(path: string): V | undefined {
    return this.#kept.get(path);
  }

  set(path: string, known: V): void {
    this.#kept.set(path, known);
    if (this.#kept.size > KEPT_FILES) this.#kept.delete(this.#kept.keys().next().value!);
  }
}
