/** Commands of Orca's, as processes of the playground. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** How long runs may take to end when they are told to. */
const RUNS_END_MS = 8_000;

export class Orca {
  readonly #file: string;
  readonly #env: NodeJS.ProcessEnv;
  /** Those that go on, in the order in which they were started. */
  readonly #kept: ChildProcess[] = [];

  constructor(file: string, env: NodeJS.ProcessEnv) {
    this.#file = file;
    this.#env = env;
  }

  /** Runs a command to its end. @returns what it wrote. @throws Error with what it wrote to standard error, if it fails; the signal's reason if it is aborted already. */
  async run(words: readonly string[], signal?: AbortSignal, input = ""): Promise<string> {
    signal?.throwIfAborted();
    const child = this.#spawn(words);
    child.stdin!.end(input);
    const out = textOf(child.stdout!);
    const errors = textOf(child.stderr!);
    const kill = () => child.kill("SIGTERM");
    signal?.addEventListener("abort", kill, { once: true });
    const [code] = (await once(child, "close")) as [number | null];
    signal?.removeEventListener("abort", kill);
    if (code !== 0) throw new Error(`orca ${words[0]}: ${await errors}`);
    return await out;
  }

  /** Starts a command that goes on until the end. @returns the first that it writes. */
  async keep(words: readonly string[], signal: AbortSignal, env: NodeJS.ProcessEnv = {}): Promise<string> {
    signal.throwIfAborted();
    const child = this.#spawn(words, env);
    this.#kept.push(child);
    const errors = textOf(child.stderr!);
    const [first] = (await Promise.race([
      once(child.stdout!, "data"),
      once(child, "exit").then(async () => Promise.reject(new Error(`orca ${words[0]}: ${await errors}`))),
    ])) as [Buffer];
    child.stdout!.resume();
    return first.toString();
  }

  /** Ends what goes on, the last that was started first. */
  async endKept(): Promise<void> {
    for (const child of this.#kept.toReversed()) await ended(child);
  }

  /** Cancels the runs that go on, and waits until they have ended, for as long as that may take. */
  async endRuns(): Promise<void> {
    const until = performance.now() + RUNS_END_MS;
    for (;;) {
      const runs = JSON.parse(await this.run(["runs", "--limit", "1000", "--json"])) as {
        id: number;
        status: string;
      }[];
      const going = runs.filter(({ status }) => status === "running");
      if (going.length === 0 || performance.now() > until) return;
      await Promise.all(going.map(({ id }) => this.run(["cancel", String(id)])));
    }
  }

  /** In a group of its own: a terminal's Ctrl-C is the playground's to pass on. */
  #spawn(words: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(process.execPath, [this.#file, ...words], {
      env: { ...this.#env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const piece of stream) text += String(piece);
  return text;
}
