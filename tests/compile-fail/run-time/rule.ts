/** Rules at run time: each is broken by values that the types were talked out of, and says what the compiler says. */
import { mapped, monthly, pipeline, type Dataset, type Month, type Task } from "orcajs";
import { runInMemory } from "orcajs/testing";

/** A rule that holds at compile time and at run time. */
export interface Rule {
  /** The sentence, as a case states it. */
  readonly says: string;
  /** The sentence at run time, where that knows more: which row, which element. */
  readonly saysAtRunTime?: string;
  /** Breaks the rule. */
  readonly breaks: () => unknown;
}

export function rule(says: string, breaks: () => unknown, saysAtRunTime?: string): Rule {
  return { says, breaks, ...(saysAtRunTime === undefined ? {} : { saysAtRunTime }) };
}

/** A value as a JavaScript user gives it, with no type. */
export function untyped(value: unknown): any {
  return value;
}

/** What a step may do, as the options of `mapped` say it. */
export interface Declared {
  readonly reads?: readonly (Dataset | string)[];
  readonly writes?: readonly (Dataset | string)[];
  readonly tasks?: readonly Task[];
}

/** Runs a step in memory, which gives what `fn` returns, and throws what the step failed with. */
export async function inStep(declared: Declared, fn: (ctx: any) => unknown): Promise<void> {
  const step = mapped("s", declared, async (ctx, _month: Month): Promise<any> => fn(ctx));
  const run = await runInMemory(pipeline("p", { steps: [step], partitions: monthly("2024-01") }), {
    partitions: ["2024-01"],
  });
  run.output(step, "2024-01");
}
