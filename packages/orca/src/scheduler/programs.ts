/** Asks the programs of pipelines what they are, and what their datasets and keys are now. */
import { describedPipeline, type DescribedPipeline } from "../core/described.ts";
import { OrcaError } from "../core/errors.ts";
import { whyNotStarted } from "../runners/why-not-started.ts";
import { type Answer, answerOf } from "./answer.ts";
import type { SaidSnapshot } from "../state/sensing.ts";

/** How long a program may take to say something of itself. */
const ANSWER_MS = 60_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** @param signal ends the program, and what is asked of it. */
interface Asking {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/** What a program says that it is. @throws OrcaError `not-a-program` */
export async function describeProgram(program: string, asking: Asking): Promise<DescribedPipeline> {
  return describedPipeline(await answered(program, ["describe"], asking), program);
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

async function jsonAnswerOf(program: string, word: Word, asking: Asking): Promise<unknown> {
  const text = await answered(program, [word, "--json"], asking);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = "it prints something that isn't JSON";
    throw new OrcaError("not-a-program", `${program} can't ${SAYS[word]}: ${why}`, { cause });
  }
}

/** What it comes to that a program is given a word. */
const SAYS = { describe: "describe itself", sense: "say what its datasets hold", keys: "say its keys" } as const;
type Word = keyof typeof SAYS;

async function answered(program: string, words: readonly [Word, ...string[]], asking: Asking): Promise<string> {
  const cant = (why: string, cause?: unknown) =>
    new OrcaError("not-a-program", `${program} can't ${SAYS[words[0]]}: ${why}`, { cause });
  const limits = { ...asking, timeoutMs: ANSWER_MS, bytesMax: ANSWER_BYTES_MAX };
  const answer = await answerOf(program, words, limits).catch((cause: Error) => {
    throw cant(whyNotStarted(cause), cause);
  });
  const why = whyNot(answer);
  if (why !== undefined) throw cant(why);
  return answer.stdout;
}

function whyNot({ endedFor, exitCode, signal, stderr }: Answer): string | undefined {
  if (endedFor === "size") return `it prints more than ${ANSWER_BYTES_MAX / 1024 / 1024} MiB`;
  if (endedFor === "time") return `it gave no answer for ${ANSWER_MS / 1000} s, and was ended`;
  if (endedFor === "abort") return "it was ended, as it isn't waited for any more";
  if (exitCode === 0) return undefined;
  const lines = stderr.trim().split("\n");
  // what Node says of an error that nobody caught ends with Node's version
  const said = lines.find((line) => /^\w*Error\b.*: /.test(line)) ?? lines.at(-1)!;
  if (said !== "") return said.replace(/^error: /, "");
  return signal === null ? `it exited with ${exitCode}, and said nothing` : `it was ended by ${signal}`;
}
