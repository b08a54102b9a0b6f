/** Hears when something has changed, so that nobody has to ask all the time. What is said while the connection is lost isn't heard. */
import pg from "pg";
import { connectionTo } from "./database.ts";

/** How long to wait before a lost connection is made again. */
const WAIT_MS = 1_000;

/** Listens until it is disposed. */
export class Listener implements AsyncDisposable {
  readonly #url: string;
  readonly #heard: (what: string) => void;
  readonly #lost: () => void;
  #isLost = false;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  /**
   * @param heard is told what has changed, such as `run:7`; and nothing when it listens again after the connection was lost.
   * @param lost is told when the connection is lost, or can't be made at first.
   */
  constructor(url: string, heard: (what: string) => void, lost = () => {}) {
    this.#url = url;
    this.#heard = heard;
    this.#lost = lost;
    void this.#connect();
  }

  /** Whether nothing can be heard now. */
  get isLost(): boolean {
    return this.#isLost;
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(connectionTo(this.#url));
    this.#client = client;
    client.on("notification", ({ payload }) => this.#heard(payload ?? ""));
    client.on("error", () => {}).on("end", () => this.#reconnect(client));
    try {
      await client.connect();
      await client.query("listen orca");
      this.#isLost = false;
      this.#heard("");
    } catch {
      this.#reconnect(client);
    }
  }

  #reconnect(client: pg.Client): void {
    if (this.#isDisposed || this.#client !== client) return;
    this.#client = undefined;
    if (!this.#isLost) this.#lost();
    this.#isLost = true;
    client.end().catch(() => {});
    this.#timer = setTimeout(() => void this.#connect(), WAIT_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }
}
