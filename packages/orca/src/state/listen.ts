/** Hears when something has changed, so that nobody has to ask all the time. What is said while the connection is lost isn't heard. */
import pg from "pg";
import { connectionTo } from "./database.ts";

/** How long to wait before a lost connection is made again. */
const WAIT_MS = 1_000;

/** Listens until it is disposed. */
export class Listener implements AsyncDisposable {
  readonly #url: string;
  readonly #heard: (what: string) => void;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  /** @param heard is told what has changed, such as `run:7`; and nothing when it listens again after the connection was lost. */
  constructor(url: string, heard: (what: string) => void) {
    this.#url = url;
    this.#heard = heard;
    void this.#connect();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(connectionTo(this.#url));
    this.#client = client;
    client.on("notification", ({ payload }) => this.#heard(payload ?? ""));
    client.on("error", () => {}).on("end", () => this.#reconnect(client));
    try {
      await client.connect();
      await client.query("listen orca");
      this.#heard("");
    } catch {
      this.#reconnect(client);
    }
  }

  #reconnect(client: pg.Client): void {
    if (this.#isDisposed || this.#client !== client) return;
    this.#client = undefined;
    client.end().catch(() => {});
    this.#timer = setTimeout(() => void this.#connect(), WAIT_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }
}
