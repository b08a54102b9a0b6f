/** Distributed tasks called in this process: what a run without workers does, with the same values as across processes. */
import { decode, encode, type Ref, type Task } from "@orcajs/dista";
import { OrcaError } from "../core/errors.ts";
import type { StepDefinition } from "../core/step-definition.ts";

/**
 * What calls a step's tasks. Arguments and results go through the codec, as they do on their way to a worker.
 *
 * @throws OrcaError `undeclared` on a task that the step doesn't declare.
 */
export function callInProcess(step: StepDefinition): (task: Task, ...args: readonly unknown[]) => Ref<unknown> {
  return (task, ...args) => {
    if (!step.tasks.includes(task)) throw new OrcaError("undeclared", `'${task.name}' isn't in this step's tasks`);
    const result = call(task, args);
    result.catch(() => {}); // whoever awaits the ref meets it; one that nobody awaits is no fault of the step's
    return { ref: task.name, then: result.then.bind(result) };
  };
}

async function call(task: Task, args: readonly unknown[]): Promise<unknown> {
  const values = await Promise.all(args);
  const stored = decode(encode(values, "argument")) as readonly unknown[];
  return decode(encode(await task.fn(...stored), "result"));
}
