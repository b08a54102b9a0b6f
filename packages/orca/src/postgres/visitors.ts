/** Who is connected to a guardian. */
import type { Server, Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Answer, Wish } from "./messages.ts";

/** For those who don't take their last answer. */
const GOODBYE_MS_MAX = 1000;

export class Visitors {
  /** Settles when someone asks for the server to stop. */
  readonly stopAsked: Promise<unknown>;
  /** What each wishes, as soon as they have said it. */
  readonly #wishes = new Map<Socket, Wish | undefined>();
  readonly #server: Server;
  #isKept = false;
  #isReady = false;
  #stop: () => void = () => {};
  #changed: () => void = () => {};

  constructor(server: Server) {
    this.#server = server;
    this.stopAsked = new Promise<void>((resolve) => (this.#stop = resolve));
    server.on("connection", (socket) => this.#welcome(socket));
  }

  /** Tells those who wait, and who come, that the server runs; or has them wait. */
  setReady(isReady: boolean): void {
    this.#isReady = isReady;
    if (!isReady) return;
    for (const [socket, wish] of this.#wishes) if (wish !== undefined && wish !== "stop") this.#say(socket);
  }

  /** Whether nobody needs the server: who only looks at it, or stops it, doesn't. */
  get isEmpty(): boolean {
    return !this.#isKept && [...this.#wishes.values()].every((wish) => wish === "look" || wish === "stop");
  }

  /** Settles when nobody has needed the server for that long. */
  async gone(lingerMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      this.#changed = () => {
        clearTimeout(timer);
        timer = this.isEmpty ? setTimeout(resolve, lingerMs) : undefined;
      };
      this.#changed();
    });
  }

  /** Takes nobody any more, and lets go of everyone with a last answer. */
  async dismiss(answer: Answer | undefined): Promise<void> {
    this.#server.close();
    const closed = [...this.#wishes.keys()].map(
      (socket) => new Promise<void>((resolve) => void socket.once("close", () => resolve())),
    );
    for (const socket of this.#wishes.keys()) socket.end(answer === undefined ? "" : `${JSON.stringify(answer)}\n`);
    const timer = setTimeout(() => this.#wishes.forEach((_, socket) => socket.destroy()), GOODBYE_MS_MAX);
    await Promise.all(closed);
    clearTimeout(timer);
  }

  get userCount(): number {
    return [...this.#wishes.values()].filter((wish) => wish === "use").length;
  }

  #welcome(socket: Socket): void {
    this.#wishes.set(socket, undefined);
    this.#changed();
    socket.on("close", () => {
      this.#wishes.delete(socket);
      this.#changed();
    });
    const lines = createInterface({ input: socket }).on("error", () => {}); // of the socket, which closes as well
    lines.once("line", (line) => {
      const wish = line as Wish;
      this.#wishes.set(socket, wish);
      if (wish === "stop") return this.#stop();
      if (wish === "keep") this.#isKept = true;
      this.#changed();
      if (this.#isReady) this.#say(socket);
    });
  }

  #say(socket: Socket): void {
    const answer: Answer = { state: "ready", users: this.userCount, isKept: this.#isKept };
    socket.write(`${JSON.stringify(answer)}\n`);
  }
}
