/** Of how many things something is kept. */
const KEPT_MAX = 100_000;

/** What the process knows of things that never change, by a text. What was learnt first is forgotten where it is too much. */
export class Kept<V> {
  readonly #values = new Map<string, V>();

  get(of: string): V | undefined {
    return this.#values.get(of);
  }

  set(of: string, value: V): void {
    this.#values.set(of, value);
    if (this.#values.size > KEPT_MAX) this.#values.delete(this.#values.keys().next().value!);
  }
}
