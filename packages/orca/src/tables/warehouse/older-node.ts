/** What `@orcajs/iceberg` takes of JavaScript that Node 20.19 lacks, which builds are run on too. */

/** Gives this process what its Node lacks. A program may do that to its globals; a library mustn't. */
export function addWhatNodeLacks(): void {
  const lacking: readonly (readonly [on: object, name: string, value: unknown])[] = [
    [Map, "groupBy", groupBy],
    [Promise, "withResolvers", withResolvers],
    [globalThis, "AsyncDisposableStack", OlderDisposableStack],
  ];
  for (const [on, name, value] of lacking)
    if (!(name in on)) Object.defineProperty(on, name, { value, writable: true, configurable: true });
}

function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let settle: Pick<PromiseWithResolvers<T>, "resolve" | "reject"> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle! };
}

/** Of `AsyncDisposableStack`, what is used: the last that was put in is disposed first, and the first error is thrown when all are. */
class OlderDisposableStack implements AsyncDisposable {
  #disposals: (() => unknown)[] = [];

  use<T extends AsyncDisposable | Disposable>(resource: T): T {
    const dispose = Symbol.asyncDispose in resource ? resource[Symbol.asyncDispose] : resource[Symbol.dispose];
    this.defer(() => dispose.call(resource));
    return resource;
  }

  defer(dispose: () => unknown): void {
    this.#disposals.push(dispose);
  }

  move(): OlderDisposableStack {
    const moved = new OlderDisposableStack();
    moved.#disposals = this.#disposals;
    this.#disposals = [];
    return moved;
  }

  async disposeAsync(): Promise<void> {
    const errors: unknown[] = [];
    for (const dispose of this.move().#disposals.toReversed())
      try {
        await dispose();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disposeAsync();
  }
}
