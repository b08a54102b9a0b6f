/** A client of TypeScript's language server, for what an editor shows. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { TSC } from "../compile-fail/tsc.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly unknown[] };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}
interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A place in an open file: characters from its start. */
export interface Place {
  readonly path: string;
  readonly offset: number;
}

/** A language server over the projects in a folder. Disposing it ends its process. */
export class LanguageServer implements AsyncDisposable {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, Waiting>();
  readonly #texts = new Map<string, string>();
  #unread = Buffer.alloc(0);
  #lastId = 0;

  private constructor() {
    this.#process = spawn(process.execPath, [TSC, "--lsp", "--stdio"]);
    this.#process.stdout.on("data", (data: Buffer) => this.#read(data));
    this.#process.stderr.resume();
    this.#process.stdin.on("error", () => {}); // it has ended, which "close" tells of
    this.#process.on("close", () => this.#rejectAll(new Error("the language server has ended")));
  }

  static async start(folder: string): Promise<LanguageServer> {
    const server = new LanguageServer();
    try {
      await server.#ask("initialize", {
        processId: process.pid,
        rootUri: pathToFileURL(folder).href,
        capabilities: { textDocument: { hover: { contentFormat: ["plaintext"] }, completion: {} } },
      });
      server.#tell("initialized", {});
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Opens a file with a text, whatever the disk has. */
  open(path: string, text: string): void {
    this.#texts.set(path, text);
    const uri = pathToFileURL(path).href;
    this.#tell("textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version: 1, text } });
  }

  /** What completes the text at a place, in alphabetical order. */
  async completions(place: Place): Promise<readonly string[]> {
    const result = (await this.#askAt("textDocument/completion", place)) as {
      readonly items: readonly { readonly label: string }[];
    } | null;
    return (result?.items ?? []).map((item) => item.label).sort();
  }

  /** What is shown of the name at a place, on one line. */
  async hover(place: Place): Promise<string> {
    const result = (await this.#askAt("textDocument/hover", place)) as {
      readonly contents: { readonly value: string } | string;
    } | null;
    const contents = result?.contents ?? "";
    return (typeof contents === "string" ? contents : contents.value).replaceAll(/\s*\n\s*/g, " ");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const closed = once(this.#process, "close");
    this.#process.kill("SIGKILL"); // it has nothing to save
    await closed;
  }

  #askAt(method: string, { path, offset }: Place): Promise<unknown> {
    const before = this.#texts.get(path)!.slice(0, offset).split("\n");
    const position = { line: before.length - 1, character: before.at(-1)!.length };
    return this.#ask(method, { textDocument: { uri: pathToFileURL(path).href }, position });
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  #tell(method: string, params: object): void {
    this.#send({ method, params });
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #read(data: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, data]);
    for (;;) {
      const head = this.#unread.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/i.exec(this.#unread.toString("latin1", 0, head))?.[1]);
      const end = head + 4 + length;
      if (head < 0 || this.#unread.length < end) return;
      const message = JSON.parse(this.#unread.toString("utf8", head + 4, end)) as Message;
      this.#unread = this.#unread.subarray(end);
      this.#receive(message);
    }
  }

  #receive({ id, method, params, result, error }: Message): void {
    if (method !== undefined) {
      // it asks for settings, and to be told of changed files: it gets none, and isn't
      if (id !== undefined) this.#send({ id, result: params?.items?.map(() => null) ?? null });
      return;
    }
    const waiting = this.#waiting.get(id!);
    this.#waiting.delete(id!);
    if (error !== undefined) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
