/** Passwords from standard input: never from arguments, which every user of the machine can read. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";
import { OrcaError } from "../core/errors.ts";

/** More than any password has. */
const BYTES_MAX = 65_536;

/**
 * Asks a person twice, at a terminal, which shows nothing of what is typed; reads one line of whatever else it is.
 *
 * @param prompts where the questions are written.
 * @param what is asked for.
 * @throws OrcaError `invalid-user` if there is none, or the two differ; `cancelled` on Ctrl-C.
 */
export async function readPassword(
  input: Pick<ReadStream, "isTTY"> & NodeJS.ReadableStream,
  prompts: NodeJS.WritableStream,
  what: string,
): Promise<string> {
  return input.isTTY ? await askedTwice(input, prompts, what) : await lineOf(input);
}

async function askedTwice(input: NodeJS.ReadableStream, prompts: NodeJS.WritableStream, what: string): Promise<string> {
  // what is typed would be written to its output
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  using lines = createInterface({ input, output, terminal: true, historySize: 0 });
  lines.on("SIGINT", () => lines.close());
  const typed = lines[Symbol.asyncIterator]();
  const answerTo = async (question: string) => {
    prompts.write(question);
    const { value, done } = await typed.next();
    prompts.write("\n");
    if (done === true) throw new OrcaError("cancelled", "no password was given: nothing is changed");
    return value;
  };
  const password = await answerTo(`${what}: `);
  if ((await answerTo(`${what}, again: `)) === password) return password;
  throw new OrcaError("invalid-user", "the two passwords differ: nothing is changed");
}

async function lineOf(input: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) break;
    chunks.push(chunk);
  }
  const text = textOf(Buffer.concat(chunks));
  const line = text.replace(/\r?\n$/, "");
  if (line === "") throw new OrcaError("invalid-user", "standard input has no password: write one to it, as one line");
  if (bytes > BYTES_MAX || line.includes("\n"))
    throw new OrcaError("invalid-user", "standard input has more than one line: the password is one");
  return line;
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new OrcaError("invalid-user", "standard input isn't text in UTF-8", { cause });
  }
}
