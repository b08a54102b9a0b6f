/** What a user and the guardian of a folder say to each other, as lines of JSON. */
import type { Socket } from "node:net";
import { createInterface } from "node:readline";

/** What a user says first, and alone. */
export type Wish =
  /** To use the server until the connection ends. */
  | "use"
  /** That it goes on without users, until it is stopped. */
  | "keep"
  /** That it stops. */
  | "stop"
  /** To know how it is. */
  | "look";

/** What the guardian says. */
export type Answer =
  /** It runs. */
  | { readonly state: "ready"; readonly users: number; readonly isKept: boolean }
  /** It was stopped, though it had users. */
  | { readonly state: "stopped"; readonly users: number }
  /** It couldn't be started. */
  | { readonly state: "failed"; readonly sentence: string };

/** A user's connection to the guardian. */
export class Visit {
  /** Settles when the connection ends, with the last that the guardian said. */
  readonly ended: Promise<Answer | undefined>;
  #last: Answer | undefined;
  readonly #socket: Socket;
  readonly #answered: Promise<void>;

  constructor(socket: Socket, wish: Wish) {
    this.#socket = socket;
    const lines = createInterface({ input: socket }).on("error", () => {}); // of the socket, which ends as well
    lines.on("line", (line) => (this.#last = JSON.parse(line) as Answer));
    const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
    const answered = new Promise<void>((resolve) => void lines.once("line", () => resolve()));
    this.#answered = Promise.race([answered, closed]);
    this.ended = closed.then(() => this.#last);
    socket.write(`${wish}\n`);
  }

  /** The first answer; or that the guardian ended without one, or has said nothing for that long. */
  async answer(timeoutMs: number): Promise<Answer | "ended" | "silent"> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.end();
    }, timeoutMs);
    await this.#answered;
    clearTimeout(timer);
    return this.#last ?? (isLate ? "silent" : "ended");
  }

  /** Lets the process end although the connection is there. */
  unref(): void {
    this.#socket.unref();
  }

  end(): void {
    this.#socket.destroy();
  }
}
