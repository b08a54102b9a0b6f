/** What has changed, as Postgres tells it, for all pages that listen: one connection for all, and none while nobody listens. */
import { Listener } from "../../state/listen.ts";

/** Is told a topic, such as `run:7`, or "" when anything may have changed. */
type Heard = (topic: string) => void;

export class Changes implements AsyncDisposable {
  readonly #url: string;
  readonly #pages = new Set<Heard>();
  #listener: Listener | undefined;

  /** @param url of the database. */
  constructor(url: string) {
    this.#url = url;
  }

  /** How many pages listen. */
  get size(): number {
    return this.#pages.size;
  }

  /** Tells a page until what is returned is disposed. */
  listen(heard: Heard): Disposable {
    this.#pages.add(heard);
    this.#listener ??= new Listener(
      this.#url,
      (topic) => this.tell(topic),
      () => this.tell(""), // the pages ask, are told that the database is away, and say so
    );
    if (this.#listener.isLost) heard("");
    return {
      [Symbol.dispose]: () => {
        this.#pages.delete(heard);
        if (this.#pages.size > 0) return;
        void this.#listener?.[Symbol.asyncDispose]();
        this.#listener = undefined;
      },
    };
  }

  /** Tells the pages that listen of what the server itself has found. */
  tell(topic: string): void {
    for (const page of this.#pages) page(topic);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pages.clear();
    await this.#listener?.[Symbol.asyncDispose]();
    this.#listener = undefined;
  }
}
