import { DistaError } from "./errors.ts";
import type { Storable } from "./storable.ts";

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/** A function that runs on any worker: its arguments and its result are storable values. */
export interface Task<Name extends string = string, Args extends readonly unknown[] = any, Out = any> {
  readonly kind: "task";
  readonly name: Name;
  /** The function itself. Calling it runs it here rather than on a worker: for tests. */
  readonly fn: (...args: Args) => Awaitable<Out>;
}

/** The result of a remote call, which may not be here yet: await it, or pass it to another remote call as it is. */
export interface Ref<T> extends PromiseLike<T> {
  /** The call's name, for logs. */
  readonly ref: string;
}

/** A task's arguments, each of which may be the result of another remote call. */
export type RefArgs<Args extends readonly unknown[]> = { [K in keyof Args]: Args[K] | Ref<Args[K]> };

/**
 * Declares a distributed task: `task("trips", async (day: Day) => countTrips(day))`.
 * Its arguments and its result cross process boundaries, so both must be storable; the compiler says where they aren't.
 *
 * @param name 1 to 128 letters, digits and `._-`, beginning with a letter, a digit or `_`; unique among a pipeline's tasks.
 * @throws DistaError `invalid-task` on another name, or if `fn` isn't a function.
 */
export function task<const N extends string, Args extends readonly unknown[], Out = any>(
  name: N,
  fn: ((...args: Args) => Storable<Out, "result", Awaitable<Out>>) & Storable<Args, "argument", unknown>,
): Task<N, Args, Out> {
  if (typeof name !== "string" || !/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(name))
    throw new DistaError(
      "invalid-task",
      `'${String(name)}' isn't a task's name: use 1 to 128 letters, digits and ._-, beginning with a letter, a digit or _`,
    );
  if (typeof fn !== "function") throw new DistaError("invalid-task", `task '${name}' has no function`);
  return Object.freeze({ kind: "task", name, fn: fn as (...args: Args) => Awaitable<Out> });
}
