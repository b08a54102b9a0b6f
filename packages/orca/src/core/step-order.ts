/** The rules for a pipeline's list of steps, as types: what breaks one is replaced by a sentence. */
import type { KeyName, PartitionKey } from "./keys/partition-key.ts";
import type { Gather, Mapped, Step } from "./step.ts";

/** `S`, with each step that breaks a rule replaced by a sentence. An array that is no tuple is checked at run time. */
// prettier-ignore
export type CheckedSteps<S extends readonly Step[], Key extends PartitionKey> =
  S extends readonly [] ? readonly [Step, ...Step[]]
  : number extends S["length"] ? S
  : [PartitionKey] extends [Key] ? S // the partitions are missing or mistaken, which is said at them
  : S extends CheckSteps<S, Key> ? S
  : CheckSteps<S, Key>;

// prettier-ignore
type CheckSteps<S extends readonly Step[], Key extends PartitionKey, All = S[number]["name"], Seen = never, Out extends readonly unknown[] = []> =
  S extends readonly [infer H extends Step, ...infer R extends readonly Step[]]
    ? CheckSteps<R, Key, All, Seen | H["name"], [...Out, CheckStep<H, Key, All, Seen>]>
    : Out;
// prettier-ignore
type CheckStep<S extends Step, Key extends PartitionKey, All, Seen> =
  S["name"] extends Seen ? `two steps are named '${S["name"]}': step names are unique`
  : [S["after"][number]] extends [never] ? CheckFirst<S, Key>
  : [S["after"][number]] extends [Seen] ? S
  : Exclude<S["after"][number], Seen> extends infer A extends string
    ? A extends All ? `step '${S["name"]}' is listed before '${A}', which it follows: list steps in run order`
      : `step '${S["name"]}' follows '${A}', which isn't one of this pipeline's steps`
    : never;
// prettier-ignore
type CheckFirst<S extends Step, Key extends PartitionKey> =
  IsMistaken<S> extends true ? S
  : S extends Mapped<infer N, infer K> ? Same<K, Key> extends true ? S : `step '${N}' ${Takes<K>}: a first mapped step takes the partition key, ${KeyName<Key>}`
  : S extends Gather<infer N, infer K> ? Same<K, Key> extends true ? S : `step '${N}' ${Takes<K, "[]">}: a first gather step takes an array of the partition key, ${KeyName<Key>}[]`
  : never;
/** Whether a step is one that the compiler has refused, so that nothing of it is known: the mistake is said where it is. */
type IsMistaken<S> = S extends Mapped<string, infer K, any, infer O> | Gather<string, infer K, any, infer O>
  ? Same<K, PartitionKey> extends true
    ? 0 extends 1 & O
      ? true
      : false
    : false
  : false;
type Same<A, B> = [A, B] extends [B, A] ? true : false;
// prettier-ignore
type Takes<K, Suffix extends string = ""> = Same<K, PartitionKey> extends true ? "doesn't say which key it takes" : `takes ${KeyName<K>}${Suffix}`;
