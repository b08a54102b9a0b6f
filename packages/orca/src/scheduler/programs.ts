/** The programs of registered pipelines, kept as they were when they were registered: a run keeps its program whatever becomes of the file. */
import { execFile, type ExecFileException } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, copyFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { describedPipeline, type DescribedPipeline } from "../core/described.ts";
import { OrcaError } from "../core/errors.ts";
import { whyNotStarted } from "../runners/why-not-started.ts";
import type { SaidSnapshot } from "../state/sensing.ts";

/** How long a program may take to say something of itself. */
const ANSWER_MS = 60_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** @param signal ends the program, and what is asked of it. */
interface Asking {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/** Keeps a copy of a program by the hash of its content. @returns where it is. @throws OrcaError `not-a-program` */
export async function keepProgram(file: string, folder: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || !found.isFile())
    throw new OrcaError(
      "not-a-program",
      `there is no file ${file}: give a program that orca build made, or a pipeline's .ts file`,
    );
  const hash = await hashOf(file);
  const kept = join(folder, `${basename(file)}-${hash.slice(0, 16)}`);
  if (await stat(kept).catch(() => undefined)) return kept;
  await mkdir(folder, { recursive: true });
  const copy = `${kept}.${randomUUID()}`;
  try {
    await copyFile(file, copy);
    await chmod(copy, 0o755);
    await rename(copy, kept);
  } finally {
    await rm(copy, { force: true });
  }
  return kept;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest("hex");
}

/** What a program says that it is. @throws OrcaError `not-a-program` */
export async function describeProgram(program: string, asking: Asking): Promise<DescribedPipeline> {
  return describedPipeline(await answerOf(program, ["describe"], asking), program);
}

/** The snapshots that a pipeline's datasets have now, as its program sees them: the current ones and those before. @throws OrcaError `not-a-program` */
export async function senseProgram(program: string, asking: Asking): Promise<readonly SaidSnapshot[]> {
  const said = (await jsonAnswerOf(program, "sense", asking)) as readonly {
    readonly dataset: string;
    readonly snapshots: readonly {
      readonly snapshot: string;
      readonly operation: string | null;
      readonly partitions: readonly string[] | null;
      readonly by: { readonly runToken: string } | null;
    }[];
  }[];
  return said.flatMap(({ dataset, snapshots }) =>
    snapshots.map(({ snapshot, operation, partitions, by }) => {
      return {
        dataset,
        snapshot,
        operation: operation ?? undefined,
        keys: partitions ?? undefined,
        runToken: by?.runToken,
      };
    }),
  );
}

/** The keys that a keyed pipeline has now, sorted. @throws OrcaError `not-a-program` */
export async function keysOfProgram(program: string, asking: Asking): Promise<readonly string[]> {
  const { keys } = (await jsonAnswerOf(program, "keys", asking)) as { readonly keys: readonly string[] };
  return keys;
}

async function jsonAnswerOf(program: string, command: string, asking: Asking): Promise<unknown> {
  const text = await answerOf(program, [command, "--json"], asking);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OrcaError("not-a-program", `${program} can't ${command}: it prints something that isn't JSON`, { cause });
  }
}

async function answerOf(program: string, words: readonly string[], { env, signal }: Asking): Promise<string> {
  const limits = { env, timeout: ANSWER_MS, maxBuffer: ANSWER_BYTES_MAX, killSignal: "SIGKILL" } as const;
  const answer = promisify(execFile)(program, words, limits);
  const end = () => void answer.child.kill("SIGKILL"); // by its own signal execFile sends SIGTERM, which a program may ignore
  signal?.addEventListener("abort", end);
  try {
    if (signal?.aborted === true) end();
    return (await answer).stdout;
  } catch (cause) {
    const why = signal?.aborted === true ? "it was ended, as it isn't waited for any more" : whyNot(cause as Failed);
    throw new OrcaError("not-a-program", `${program} can't ${words[0]}: ${why}`, { cause });
  } finally {
    signal?.removeEventListener("abort", end);
  }
}

type Failed = Omit<ExecFileException, "code"> & {
  readonly code?: string | number | null;
  readonly stderr?: string;
};

function whyNot({ code, killed, signal, stderr = "", message }: Failed): string {
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `it prints more than ${ANSWER_BYTES_MAX / 1024 / 1024} MiB`;
  if (killed === true) return `it gave no answer for ${ANSWER_MS / 1000} s, and was ended`;
  const last = stderr.trim().split("\n").at(-1)!;
  if (last !== "") return last.replace(/^error: /, "");
  if (typeof code === "number") return `it exited with ${code}, and said nothing`;
  if (typeof signal === "string") return `it was ended by ${signal}`;
  return whyNotStarted({ code, message });
}
