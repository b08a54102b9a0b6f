/** What schedulers are disturbed over. */
import type { DescribedPipeline } from "../../../packages/orca/dist/core/described.js";
import type { ChaosDatabase } from "../database.ts";

export interface Subject extends AsyncDisposable {
  /** How often the clock moves, and something is done. */
  readonly steps: number;
  /** How much it moves at most, in minutes. */
  readonly minutesMax: number;
  /** How long a run without a heartbeat counts as its process's: longer than a machine at work takes to start one, or all are started again and again. */
  readonly staleMs: number;
  /** How often sensors' programs are asked. */
  readonly senseMs: number;
  /** Of schedulers, and so of runs. */
  readonly env: Readonly<Record<string, string>>;
  readonly programs: Programs;
  /** Keys of pipelines that people backfill. */
  readonly backfills: readonly (readonly [pipeline: string, keys: readonly string[]])[];
  /** Pipelines none of whose keys backfills may have run twice. */
  readonly runOnce: readonly string[];
  /** Pipelines whose runs people cancel: what is made of theirs isn't compared. */
  readonly cancelled: readonly string[];
  /** Datasets that people have rebuilt for a day. */
  readonly rebuilt: readonly string[];
  /** Others write to its tables. */
  others(): Promise<void>;
  /** What is still to come of what others wrote, though nothing is queued. */
  left(database: ChaosDatabase): Promise<readonly string[]>;
  /** What is broken when all has come to rest, besides what holds of all subjects. */
  broken(database: ChaosDatabase): Promise<readonly string[]>;
}

/** The pipelines' programs, of the code of a number, from 1. */
export type Programs = (code: number) => readonly RegisteredProgram[];

interface RegisteredProgram {
  readonly description: DescribedPipeline;
  readonly program: string;
}
