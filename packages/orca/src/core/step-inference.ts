/** What a step takes, from the steps that it follows: inferred, or a sentence. */
import type { Awaitable, Storable } from "@orcajs/dista";
import type { GatherCtx, MappedCtx } from "./ctx.ts";
import type { PartitionKey } from "./keys/partition-key.ts";
import type { Gather, Mapped, Step } from "./step.ts";

/** What `after` takes: one step, or several. */
export type Followed = Step | readonly [Step, ...Step[]];
/** The names of the steps in an `after`. */
// prettier-ignore
export type StepNameOf<A> = A extends { name: infer N extends string } ? N : A extends readonly (infer S)[] ? StepNameOf<S> : never;
type OneOf<A> = A extends readonly (infer S)[] ? S : A;

/** `A` if a mapped step can follow it, else a sentence. */
// prettier-ignore
export type MappedAfter<A> =
  [Extract<OneOf<A>, Gather>] extends [never] ? A
  : string extends StepNameOf<A> ? Mapped
  : `a mapped step can't follow a gather step, and '${StepNameOf<Extract<OneOf<A>, Gather>>}' is one`;

/** What a mapped step takes: the key, or the output of the step that it follows, or a tuple of several's. */
// prettier-ignore
export type MappedIn<A extends Followed, I> =
  [A] extends [never] ? I
  : A extends readonly Step[] ? { -readonly [K in keyof A]: OutOf<A[K]> }
  : OutOf<A>;
type OutOf<S> = S extends Mapped<any, any, any, infer O> | Gather<any, any, any, infer O> ? O : never;

/** What a gather step takes: an array of keys or of a mapped step's outputs, a gather step's output, or a tuple of several's. */
// prettier-ignore
export type GatherIn<A extends Followed, I> =
  [A] extends [never] ? I
  : A extends readonly Step[] ? { -readonly [K in keyof A]: Gathered<A[K]> }
  : Gathered<A>;
// prettier-ignore
type Gathered<S> = S extends Mapped<any, any, any, infer O> ? O[] : S extends Gather<any, any, any, infer O> ? O : never;

/** The key that a mapped step is for: its followed step's, or the one that its function takes. */
export type MappedKey<A extends Followed, I> = [A] extends [never]
  ? I extends PartitionKey
    ? I
    : never
  : FollowedKey<A>;
/** The key that a gather step is for: its followed step's, or that of the array that its function takes. */
// prettier-ignore
export type GatherKey<A extends Followed, I> =
  [A] extends [never] ? (I extends readonly (infer K extends PartitionKey)[] ? K : never) : FollowedKey<A>;
// prettier-ignore
type FollowedKey<A extends Followed> =
  OneOf<A> extends { fn: (ctx: infer C, ...rest: never) => unknown }
    ? (C extends MappedCtx<infer K, any, any, any> ? K : C extends GatherCtx<infer K, any, any, any> ? K : never)
  : never;

/**
 * `T` as it is listed in `reads`, `writes` or `tasks`, and never as the function's context has it: a function of its own, with a declared
 * context, would otherwise declare for the step what the step doesn't. (`NoInfer` does the same, but stays in what an editor shows.)
 */
export type Listed<T> = [T][T extends unknown ? 0 : never];

/** What a step's function returns: what is storable, or a sentence. */
export type Output<Out> = Storable<Out, "output", Awaitable<Out>>;
