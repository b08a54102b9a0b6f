import type { PartitionKey } from "./keys/partition-key.ts";
import type { Mistake } from "./mistake.ts";
import type { Keyed, KeyOf, Partitions } from "./partitions.ts";
import { definePipeline } from "./pipeline-definition.ts";
import type { Cron } from "./schedule/cron.ts";
import type { CheckedSteps } from "./step-order.ts";
import type { Step } from "./step.ts";

declare const key: unique symbol;
/** A pipeline over partitions with key `Key`. */
export interface Pipeline<Key extends PartitionKey = any> {
  readonly kind: "pipeline";
  readonly name: string;
  readonly partitions: Partitions;
  readonly steps: readonly Step[];
  readonly [key]?: Key;
}

type NoSchedule<What extends string> = `a keyed pipeline has no ${What}: it runs by hand, by backfill or as a sensor`;
type OnlyKeyed = "only a keyed pipeline has keysPerRun";

export interface PipelineOptions<P extends Partitions, S> {
  /** Which partitions exist: `monthly("2024-01")`, `daily("2024-01-31")`, `keyed("av2.logs", "log_id")`. */
  readonly partitions: P;
  /** Its steps, in run order: each after the steps that it follows. */
  readonly steps: S;
  /** When it is due: `cron("0 3 2 * *")`. */
  readonly schedule?: P extends Keyed ? NoSchedule<"schedule"> : Cron;
  /** The partition that a fire fills: the one that it falls in on the schedule's clock, or the one before. `"current"` by default. */
  readonly fills?: P extends Keyed ? Mistake<NoSchedule<"fills">> : "current" | "previous";
  /** Whether fires missed while the scheduler was down are each made, or only the latest: true by default. */
  readonly catchup?: P extends Keyed ? Mistake<NoSchedule<"catchup">> : boolean;
  /** How many keys a run covers: 1 by default. */
  readonly keysPerRun?: P extends Keyed ? number : Mistake<OnlyKeyed>;
  /** Whether new snapshots of the datasets that it reads start runs: false by default. */
  readonly sensor?: boolean;
  /** The most runs at once: 1 by default. */
  readonly maxRuns?: number;
  /** How many more times a failed run is started: 0 by default. */
  readonly runRetries?: number;
  /** How many partitions of a run are worked on at once: by default as many as the machine has cores. */
  readonly concurrency?: number;
}

/**
 * Declares a pipeline: a file's default export.
 *
 * @param name 1 to 128 letters, digits and `._-`, beginning with a letter, a digit or `_`.
 * @throws OrcaError `invalid-pipeline` on what breaks a rule, with the compiler's sentence.
 */
export function pipeline<P extends Partitions, const S extends readonly Step[]>(
  name: string,
  options: PipelineOptions<P, CheckedSteps<S, KeyOf<P>>>,
): Pipeline<KeyOf<P>> {
  return definePipeline(name, options); // its key is in the type alone
}
