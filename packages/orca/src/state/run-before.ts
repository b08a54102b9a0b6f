/** What a run's earlier processes recorded, as the next one needs it. */
import type { Before } from "../core/journal.ts";
import type { Database } from "./database.ts";

const SUCCEEDED: Before = { end: "succeeded", attempts: 1, failures: 0, isSuspect: false };

/** A step that has failed since the run was last begun or resumed: by a crash of an earlier process. */
export interface FailedBefore {
  readonly step: string;
  /** Undefined for a gather step. */
  readonly partition: string | undefined;
  readonly attempts: number;
  /** How its last attempt ended, and why. */
  readonly status: "failed" | "crashed" | "timed-out";
  readonly error: string;
}

export class RunBefore {
  readonly failed: readonly FailedBefore[];
  /** Of each step the partitions that succeeded: most of a large run's rows, which need no more than a name. */
  readonly #succeeded: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #others: ReadonlyMap<string, Before>;

  constructor(
    succeeded: ReadonlyMap<string, ReadonlySet<string>>,
    others: ReadonlyMap<string, Before>,
    failed: readonly FailedBefore[],
  ) {
    this.#succeeded = succeeded;
    this.#others = others;
    this.failed = failed;
  }

  /** How many steps of partitions are suspected of a crash. */
  get suspects(): number {
    return [...this.#others.values()].filter((b) => b.isSuspect).length;
  }

  /** How many partitions of a step have succeeded. */
  succeeded(step: string): number {
    return this.#succeeded.get(step)?.size ?? 0;
  }

  /** @param partition `""` of a gather step. */
  of(step: string, partition: string): Before | undefined {
    return this.#succeeded.get(step)?.has(partition) ? SUCCEEDED : this.#others.get(`${step}/${partition}`);
  }
}

/** Reads it in two statements, whatever the number of steps: one after the other, as a second connection takes longer than either. */
export async function readRunBefore(database: Database, run: number): Promise<RunBefore> {
  const succeeded = await database.query<{ step: string; partitions: string }>(SUCCEEDED_STEPS, [run]);
  const others = await database.query<Other>(OTHER_STEPS, [run]);
  return new RunBefore(
    new Map(succeeded.map(({ step, partitions }) => [step, new Set(partitions.split("\n"))])),
    new Map(
      others.map(({ step, partition, status, attempts, failures, attempt_status }) => [
        `${step}/${partition}`,
        {
          end: status === "failed" ? "failed" : undefined,
          attempts,
          failures,
          isSuspect: status === "waiting" && attempt_status === "crashed",
        },
      ]),
    ),
    others
      .filter((o) => o.status === "failed")
      .map(({ step, partition, attempts, attempt_status, error }) => {
        return { step, partition: partition || undefined, attempts, status: attempt_status, error: error ?? "" };
      }),
  );
}

interface Other {
  readonly step: string;
  readonly partition: string;
  readonly status: string;
  readonly attempts: number;
  readonly failures: number;
  /** Of the last attempt. */
  readonly attempt_status: FailedBefore["status"];
  readonly error: string | null;
}

const SUCCEEDED_STEPS = {
  name: "succeeded-steps",
  text: `select step, string_agg(partition, E'\\n') as partitions from orca.steps
    where run = $1 and status = 'succeeded' group by step`,
};
const OTHER_STEPS = {
  name: "other-steps",
  text: `select s.step, s.partition, s.status, s.attempts, s.failures, a.status as attempt_status, a.error
    from orca.steps s left join lateral (
      select status, error from orca.attempts a
      where a.run = s.run and a.step = s.step and a.partition = s.partition and a.attempt = s.attempts
      limit 1 -- keeps Postgres from joining them otherwise than by their key
    ) a on true
    where s.run = $1 and s.status in ('waiting', 'running', 'failed', 'cancelled')
    order by s.step, s.partition`,
};
