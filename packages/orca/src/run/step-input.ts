/** What a step takes. */
import { encode, encodedArray } from "@orcajs/dista";
import type { Journal } from "../core/journal.ts";
import type { StepDefinition } from "../core/step-definition.ts";

interface InputSources {
  readonly journal: Journal;
  /** The run's partitions. */
  readonly keys: readonly string[];
}

/** Keys, or the outputs of what the step follows: in the codec's form. @param partition undefined for a gather step. */
export async function inputOf(
  step: StepDefinition,
  partition: string | undefined,
  sources: InputSources,
): Promise<string> {
  if (step.follows.length === 0) return encode(partition ?? sources.keys, "input");
  const inputs = await Promise.all(step.follows.map((followed) => outputOf(followed, partition, sources)));
  return step.takesTuple ? encodedArray(inputs) : inputs[0]!;
}

async function outputOf(
  followed: StepDefinition,
  partition: string | undefined,
  { journal }: InputSources,
): Promise<string> {
  if (followed.kind === "gather" || partition !== undefined) return await journal.output(followed.name, partition);
  return encodedArray(await journal.outputs(followed.name));
}
