/** What a step is at run time, and its rules for those that the compiler doesn't see. */
import type { Task } from "@orcajs/dista";
import { checkDatasetName, datasetsByName, nameOf, type DatasetOrName } from "./datasets/dataset.ts";
import { durationMs } from "./duration.ts";
import { OrcaError } from "./errors.ts";
import { isMade, made } from "./made.ts";
import { checkName } from "./name-rule.ts";
import { checkOptions } from "./options.ts";
import { textOfValue } from "./value-text.ts";

export interface StepDefinition {
  readonly kind: "mapped" | "gather";
  readonly name: string;
  readonly fn: (ctx: unknown, input: unknown) => unknown;
  /** The names of the steps that it follows. */
  readonly after: readonly string[];
  /** The steps that it follows. */
  readonly follows: readonly StepDefinition[];
  /** Whether `after` was an array: then the input is one, too. */
  readonly takesTuple: boolean;
  readonly retries: number;
  readonly timeoutMs: number | undefined;
  readonly reads: readonly DatasetOrName[];
  readonly writes: readonly DatasetOrName[];
  readonly tasks: readonly Task[];
}

/** The most that a step may be tried again: more hides a fault that won't go away. */
const RETRIES_MAX = 1_000;
const OPTIONS = ["after", "retries", "timeout", "reads", "writes", "tasks"] as const;
type OptionsGiven = Readonly<Partial<Record<(typeof OPTIONS)[number], unknown>>>;

/** @param rest the function, or the options and the function. @throws OrcaError `invalid-pipeline` on what breaks a rule. */
export function defineStep(kind: "mapped" | "gather", name: string, rest: readonly unknown[]): StepDefinition {
  checkName("a step", name);
  const what = `step '${name}'`;
  const fn = rest.at(-1);
  if (typeof fn !== "function")
    throw invalid(`${what} has no function: write ${kind}("${name}", async (ctx, input) => …)`);
  const options = (rest.length > 1 ? rest[0] : {}) as OptionsGiven;
  checkOptions(what, options, OPTIONS, "invalid-pipeline");
  if ("after" in options && options.after === undefined)
    throw invalid(`${what} follows undefined: declare the step that it follows above it`);
  const follows = stepsOf(what, options.after);
  if (kind === "mapped")
    for (const f of follows)
      if (f.kind === "gather") throw invalid(`a mapped step can't follow a gather step, and '${f.name}' is one`);
  const reads = datasetsIn(what, "reads", options.reads);
  const writes = datasetsIn(what, "writes", options.writes);
  datasetsByName([...reads, ...writes].map((dataset) => ({ where: what, dataset })));
  return made({
    kind,
    name,
    fn: fn as StepDefinition["fn"],
    after: Object.freeze(follows.map((f) => f.name)),
    follows,
    takesTuple: Array.isArray(options.after),
    retries: countOf(`${what}'s retries`, options.retries ?? 0, RETRIES_MAX),
    timeoutMs: options.timeout === undefined ? undefined : durationMs(options.timeout as string, `${what}'s timeout`),
    reads,
    writes,
    tasks: tasksIn(what, options.tasks),
  });
}

/** A whole number from `min` to `max`. @throws OrcaError `invalid-pipeline`. */
export function countOf(what: string, value: unknown, max: number, min = 0): number {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  throw invalid(`${what} is ${textOfValue(value)}: it takes a whole number from ${min} to ${max}`);
}

function stepsOf(what: string, after: unknown): readonly StepDefinition[] {
  if (after === undefined) return Object.freeze([]);
  const steps: readonly unknown[] = Object.freeze(Array.isArray(after) ? [...(after as unknown[])] : [after]);
  if (steps.length === 0) throw invalid(`${what} follows an empty list: leave after out of a first step`);
  for (const step of steps)
    if (!isStep(step)) throw invalid(`${what} follows ${textOfValue(step)}, which isn't a step: write after: theStep`);
  const twice = steps.find((step, i) => steps.indexOf(step) < i) as StepDefinition | undefined;
  if (twice !== undefined) throw invalid(`${what} follows '${twice.name}' twice: name each step once`);
  return steps as readonly StepDefinition[];
}

/** Whether a value is what `mapped` or `gather` made, here or by another copy of this package. */
export function isStep(value: unknown): value is StepDefinition {
  return isMade(value) && ["mapped", "gather"].includes((value as StepDefinition).kind);
}

function datasetsIn(what: string, list: "reads" | "writes", given: unknown = []): readonly DatasetOrName[] {
  if (!Array.isArray(given)) throw invalid(`${what}'s ${list} isn't an array`);
  for (const dataset of given as unknown[]) {
    const isDataset = typeof dataset === "string" || (dataset as { kind?: unknown } | null)?.kind === "dataset";
    if (!isDataset) throw invalid(`${what}'s ${list} holds ${textOfValue(dataset)}, which isn't a dataset or its name`);
    checkDatasetName(nameOf(dataset as DatasetOrName));
  }
  return Object.freeze([...(given as DatasetOrName[])]);
}

function tasksIn(what: string, given: unknown = []): readonly Task[] {
  if (!Array.isArray(given)) throw invalid(`${what}'s tasks isn't an array`);
  for (const task of given as unknown[])
    if ((task as { kind?: unknown } | null)?.kind !== "task")
      throw invalid(`${what}'s tasks holds ${textOfValue(task)}, which isn't a task: make it with task(name, fn)`);
  return Object.freeze([...(given as Task[])]);
}

function invalid(message: string): OrcaError {
  return new OrcaError("invalid-pipeline", message);
}
