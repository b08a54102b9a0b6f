/** What a pipeline is at run time, and its rules for those that the compiler doesn't see. */
import type { Task } from "@orcajs/dista";
import { datasetsByName, type Dataset } from "./datasets/dataset.ts";
import { OrcaError } from "./errors.ts";
import { isMade, made } from "./made.ts";
import { checkName } from "./name-rule.ts";
import { checkOptions } from "./options.ts";
import { isPartitions, type Partitions } from "./partitions.ts";
import { isCron, type Cron } from "./schedule/cron.ts";
import { countOf, isStep, type StepDefinition } from "./step-definition.ts";
import { textOfValue } from "./value-text.ts";

export interface PipelineDefinition {
  readonly kind: "pipeline";
  readonly name: string;
  readonly partitions: Partitions;
  readonly steps: readonly StepDefinition[];
  readonly schedule: Cron | undefined;
  readonly fills: "current" | "previous";
  readonly catchup: boolean;
  readonly keysPerRun: number;
  readonly sensor: boolean;
  readonly maxRuns: number;
  readonly runRetries: number;
  /** Undefined: as many as the machine has cores. */
  readonly concurrency: number | undefined;
}

// prettier-ignore
const OPTIONS = ["partitions", "steps", "schedule", "fills", "catchup", "keysPerRun", "sensor", "maxRuns", "runRetries", "concurrency"] as const;
type OptionsGiven = Readonly<Partial<Record<(typeof OPTIONS)[number], unknown>>>;

/** The most of anything that is counted in a pipeline's options: runs, retries, keys of a run. */
const COUNT_MAX = 1_000_000;
/** Above this many partitions at once, a process has more open files and memory than it can serve. */
export const CONCURRENCY_MAX = 10_000;

/** @throws OrcaError `invalid-pipeline` on what breaks a rule. */
export function definePipeline(name: string, options: OptionsGiven): PipelineDefinition {
  checkName("a pipeline", name);
  const what = `pipeline '${name}'`;
  checkOptions(what, options, OPTIONS, "invalid-pipeline");
  const partitions = partitionsOf(what, options.partitions);
  const steps = stepsOf(what, options.steps);
  datasetsOf(steps);
  tasksOf(steps);
  checkScheduling(partitions, options);
  return made({
    kind: "pipeline",
    name,
    partitions,
    steps,
    schedule: scheduleOf(what, options.schedule),
    fills: oneOf(`${what}'s fills`, options.fills ?? "current", ["current", "previous"]),
    catchup: oneOf(`${what}'s catchup`, options.catchup ?? true, [true, false]),
    keysPerRun: countOf(`${what}'s keysPerRun`, options.keysPerRun ?? 1, COUNT_MAX, 1),
    sensor: oneOf(`${what}'s sensor`, options.sensor ?? false, [true, false]),
    maxRuns: countOf(`${what}'s maxRuns`, options.maxRuns ?? 1, COUNT_MAX, 1),
    runRetries: countOf(`${what}'s runRetries`, options.runRetries ?? 0, COUNT_MAX),
    concurrency:
      options.concurrency === undefined
        ? undefined
        : countOf(`${what}'s concurrency`, options.concurrency, CONCURRENCY_MAX, 1),
  });
}

/** Whether a value is what `pipeline` made, here or by another copy of this package. */
export function isPipeline(value: unknown): value is PipelineDefinition {
  return isMade(value) && (value as PipelineDefinition).kind === "pipeline";
}

/** The datasets with columns that steps declare, by name. @throws OrcaError `invalid-dataset` if two of one name differ. */
export function datasetsOf(steps: readonly StepDefinition[]): ReadonlyMap<string, Dataset> {
  return datasetsByName(
    steps.flatMap((s) => [...s.reads, ...s.writes].map((dataset) => ({ where: `step '${s.name}'`, dataset }))),
  );
}

/** The tasks that steps declare, by name. @throws OrcaError `invalid-pipeline` if two have one name. */
export function tasksOf(steps: readonly StepDefinition[]): ReadonlyMap<string, Task> {
  const byName = new Map<string, Task>();
  for (const task of steps.flatMap((s) => s.tasks)) {
    if ((byName.get(task.name) ?? task) !== task)
      throw invalid(`two tasks are named '${task.name}': task names are unique`);
    byName.set(task.name, task);
  }
  return byName;
}

function stepsOf(what: string, given: unknown): readonly StepDefinition[] {
  if (!Array.isArray(given) || given.length === 0) throw invalid(`${what} has no steps: write steps: [first, …]`);
  const steps = Object.freeze([...(given as StepDefinition[])]);
  const before = new Map<string, StepDefinition>();
  for (const step of steps) {
    if (!isStep(step))
      throw invalid(`${what}'s steps holds ${textOfValue(step)}, which isn't a step: make it with mapped or gather`);
    if (before.has(step.name)) throw invalid(`two steps are named '${step.name}': step names are unique`);
    for (const followed of step.follows)
      if (before.get(followed.name) !== followed) throw misplaced(step, followed, steps);
    before.set(step.name, step);
  }
  return steps;
}

function misplaced(step: StepDefinition, followed: StepDefinition, steps: readonly StepDefinition[]): OrcaError {
  return invalid(
    steps.includes(followed)
      ? `step '${step.name}' is listed before '${followed.name}', which it follows: list steps in run order`
      : `step '${step.name}' follows '${followed.name}', which isn't one of this pipeline's steps`,
  );
}

function checkScheduling(partitions: Partitions, options: OptionsGiven): void {
  if (partitions.kind !== "keyed") {
    if (options.keysPerRun !== undefined) throw invalid("only a keyed pipeline has keysPerRun");
    return;
  }
  for (const option of ["schedule", "fills", "catchup"] as const)
    if (options[option] !== undefined)
      throw invalid(`a keyed pipeline has no ${option}: it runs by hand, by backfill or as a sensor`);
}

function partitionsOf(what: string, given: unknown): Partitions {
  if (isPartitions(given)) return given;
  const says = given === undefined ? "says no partitions" : `has ${textOfValue(given)} as its partitions`;
  throw invalid(`${what} ${says}: write partitions: monthly("2024-01"), daily(…) or keyed(…)`);
}

function scheduleOf(what: string, given: unknown): Cron | undefined {
  if (given === undefined || isCron(given)) return given;
  throw invalid(`${what}'s schedule is ${textOfValue(given)}: write schedule: cron("0 3 * * *")`);
}

function oneOf<const T>(what: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((a) => a === value);
  if (found === undefined)
    throw invalid(`${what} is ${textOfValue(value)}: it takes ${allowed.map(String).join(" or ")}`);
  return found;
}

function invalid(message: string): OrcaError {
  return new OrcaError("invalid-pipeline", message);
}
