/** Steps: values linked by `after`, each with a function whose input the compiler infers from what it follows. */
import type { Awaitable, Task } from "@orcajs/dista";
import type { GatherCtx, MappedCtx } from "./ctx.ts";
import type { DatasetOrName, NameOf } from "./datasets/dataset.ts";
import type { Duration } from "./duration.ts";
import type { PartitionKey } from "./keys/partition-key.ts";
import { defineStep } from "./step-definition.ts";
import type {
  Followed,
  GatherIn,
  GatherKey,
  Listed,
  MappedAfter,
  MappedIn,
  MappedKey,
  Output,
  StepNameOf,
} from "./step-inference.ts";

/** A step that runs once per partition. */
export interface Mapped<
  Name extends string = string,
  Key extends PartitionKey = any,
  In = any,
  Out = any,
  After extends string = string,
> {
  readonly kind: "mapped";
  readonly name: Name;
  readonly after: readonly After[];
  /** The function itself, for tests. */
  readonly fn: (ctx: MappedCtx<Key, any, any, any>, input: In) => Awaitable<Out>;
}

/** A step that runs once per run, over every partition. */
export interface Gather<
  Name extends string = string,
  Key extends PartitionKey = any,
  In = any,
  Out = any,
  After extends string = string,
> {
  readonly kind: "gather";
  readonly name: Name;
  readonly after: readonly After[];
  /** The function itself, for tests. */
  readonly fn: (ctx: GatherCtx<Key, any, any, any>, input: In) => Awaitable<Out>;
}

export type Step = Mapped | Gather;

/** What a step may say of itself, besides `after`. */
export interface StepOptions<Reads extends DatasetOrName, Writes extends DatasetOrName, Tasks extends Task> {
  /** How many more times a failing attempt is tried, after a wait that doubles from 1 s up to 1 min: 0. */
  readonly retries?: number;
  /** How long an attempt may take before its `ctx.signal` is aborted and it fails: `"10m"`. None by default; at most 24 days. */
  readonly timeout?: Duration;
  /** The datasets that it scans; those given by name have untyped rows. */
  readonly reads?: readonly Reads[];
  /** The datasets that it writes. */
  readonly writes?: readonly Writes[];
  /** The distributed tasks that it calls. */
  readonly tasks?: readonly Tasks[];
}

/**
 * Declares a step that runs once per partition: first in a pipeline, where it takes the partition's key, or after another mapped step,
 * whose output it takes. After several steps it takes a tuple of their outputs.
 *
 * @param name 1 to 128 letters, digits and `._-`, beginning with a letter, a digit or `_`; unique in its pipeline.
 * @throws OrcaError `invalid-pipeline` on what breaks a rule, with the compiler's sentence.
 */
export function mapped<const N extends string, In extends PartitionKey, Out = any>(
  name: N,
  fn: (ctx: MappedCtx<In>, partitionKey: In) => Output<Out>,
): Mapped<N, In, In, Out, never>;
export function mapped<
  const N extends string,
  In extends PartitionKey,
  Out = any,
  const After extends Followed = never,
  const Reads extends DatasetOrName = never,
  const Writes extends DatasetOrName = never,
  Tasks extends Task = never,
>(
  name: N,
  options: StepOptions<Reads, Writes, Tasks> & {
    /** The mapped step that it follows, or several: `after: days`, `after: [days, rates]`. */
    readonly after?: MappedAfter<After>;
  },
  fn: (
    ctx: MappedCtx<MappedKey<After, In>, NameOf<Listed<Reads>>, NameOf<Listed<Writes>>, Listed<Tasks>>,
    outputOfStepFollowed: MappedIn<After, In>,
  ) => Output<Out>,
): Mapped<N, MappedKey<After, In>, MappedIn<After, In>, Out, StepNameOf<After>>;
export function mapped(name: string, ...rest: unknown[]): never {
  return defineStep("mapped", name, rest) as never; // the types are the overloads'
}

/**
 * Declares a step that runs once per run: first in a pipeline, where it takes every partition's key, or after other steps. After a mapped
 * step it takes an array of its outputs, in the order of `ctx.partitions`; after a gather step its output; after several, a tuple of these.
 *
 * @param name 1 to 128 letters, digits and `._-`, beginning with a letter, a digit or `_`; unique in its pipeline.
 * @throws OrcaError `invalid-pipeline` on what breaks a rule, with the compiler's sentence.
 */
export function gather<const N extends string, In extends readonly PartitionKey[], Out = any>(
  name: N,
  fn: (ctx: GatherCtx<In[number]>, partitionKeys: In) => Output<Out>,
): Gather<N, In[number], In, Out, never>;
export function gather<
  const N extends string,
  In extends readonly PartitionKey[],
  Out = any,
  const After extends Followed = never,
  const Reads extends DatasetOrName = never,
  const Writes extends DatasetOrName = never,
  Tasks extends Task = never,
>(
  name: N,
  options: StepOptions<Reads, Writes, Tasks> & {
    /** The step that it follows, or several: `after: measure`, `after: [checked, worst]`. */
    readonly after?: After;
  },
  fn: (
    ctx: GatherCtx<GatherKey<After, In>, NameOf<Listed<Reads>>, NameOf<Listed<Writes>>, Listed<Tasks>>,
    outputsOfStepFollowed: GatherIn<After, In>,
  ) => Output<Out>,
): Gather<N, GatherKey<After, In>, GatherIn<After, In>, Out, StepNameOf<After>>;
export function gather(name: string, ...rest: unknown[]): never {
  return defineStep("gather", name, rest) as never; // the types are the overloads'
}
