/** A program that answers each list of requests on its input with a line: it starts once, and takes turns with others. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Json, stringifyJson } from "@orcajs/iceberg";

export class ServedProgram implements AsyncDisposable {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #said = "";

  constructor(program: string, words: readonly string[]) {
    this.#process = spawn(program, words, { env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" } });
    this.#process.stderr.setEncoding("utf8").on("data", (text: string) => (this.#said += text));
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** @throws Error with what the program said, if it ended. */
  async ask(requests: readonly unknown[]): Promise<readonly Json[]> {
    this.#process.stdin.write(`${stringifyJson(requests)}\n`);
    const { done, value } = await this.#lines.next();
    if (done === true) throw new Error(`${this.#process.spawnfile} ended: ${this.#said}`);
    return JSON.parse(value) as readonly Json[];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null) return;
    this.#process.stdin.end();
    await once(this.#process, "exit");
  }
}
