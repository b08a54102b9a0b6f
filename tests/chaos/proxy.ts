/** Stands between a program and Postgres, and stops at every request and every answer. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { Held, Side } from "./held.ts";
import { isAnswered, type Message, Messages, nameOfRequest } from "./wire.ts";

/** Is asked at every request twice; what it returns is awaited before the request or its answer goes on. */
export type Gate = (request: string, side: Side, link: Held) => Promise<void>;

interface ProxyOptions {
  /** Of the Postgres server. */
  readonly socketPath: string;
  /** If not, it is as though the server weren't there. */
  readonly isReachable: () => boolean;
  readonly gate: Gate;
}

export class Proxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #links = new Set<Link>();

  private constructor({ socketPath, isReachable, gate }: ProxyOptions) {
    this.#server = createServer({ noDelay: true }, (client) => {
      const link = new Link(client, connect(socketPath), gate);
      this.#links.add(link);
      client.on("close", () => this.#links.delete(link));
      if (!isReachable()) link.cut();
    });
  }

  static async open(options: ProxyOptions): Promise<Proxy> {
    const proxy = new Proxy(options);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts all connections. */
  cut(): void {
    for (const link of this.#links) link.cut();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** A program's connection. */
export class Link implements Held {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #gate: Gate;
  #request: Message[] = [];
  #answer: Buffer[] = [];
  /** The requests that are on their way, one after the other. */
  #last: Promise<void> = Promise.resolve();
  #answered: (() => void) | undefined;
  /** From a request to its answer, also while they are held here. */
  #isBusy = false;

  constructor(client: Socket, server: Socket, gate: Gate) {
    this.#client = client;
    this.#server = server;
    this.#gate = gate;
    const [asked, said] = [new Messages(false), new Messages(true)];
    client.on("data", (bytes) => asked.add(bytes).forEach((m) => this.#ask(m)));
    server.on("data", (bytes) => said.add(bytes).forEach((m) => this.#say(m)));
    client.on("error", () => {}).on("close", () => void this.#last.then(() => this.#server.end()));
    server.on("error", () => this.cut()).on("close", () => this.#ended());
  }

  cut(): void {
    this.lose();
    this.#server.destroy();
  }

  lose(): void {
    this.#client.resetAndDestroy();
  }

  #ask(message: Message): void {
    this.#request.push(message);
    if (!isAnswered(message) && message.type !== "X") return;
    const request = this.#request;
    this.#request = [];
    this.#last = this.#last.then(() => this.#pass(request, message));
  }

  async #pass(request: readonly Message[], last: Message): Promise<void> {
    const bytes = Buffer.concat(request.map((m) => m.bytes));
    if (!isAnswered(last)) return void this.#server.end(bytes);
    const name = nameOfRequest(request);
    this.#isBusy = true;
    await this.#gate(name, "before", this);
    if (this.#server.writable) {
      const answered = new Promise<void>((resolve) => (this.#answered = resolve));
      this.#server.write(bytes);
      await answered;
      await this.#gate(name, "after", this);
    }
    this.#flush();
    this.#isBusy = false;
  }

  /** What isn't asked for, such as a notification, goes on at once. */
  #say({ type, bytes }: Message): void {
    this.#answer.push(bytes);
    if (!this.#isBusy) this.#flush();
    else if (type === "Z") this.#settle();
  }

  #settle(): void {
    const settle = this.#answered;
    this.#answered = undefined;
    settle?.();
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#answer);
    this.#answer = [];
    if (this.#client.writable) this.#client.write(bytes);
  }

  /** The server has ended the connection: the program is told what it said last. */
  #ended(): void {
    this.#settle();
    void this.#last.then(() => {
      this.#flush();
      this.#client.end();
    });
  }
}
