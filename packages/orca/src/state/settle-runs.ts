/** What follows from how runs ended: done once for each, by whichever scheduler is first. */
import type pg from "pg";
import { retryWaitMs } from "../core/retry-run.ts";
import type { Database } from "./database.ts";
import { AGAIN } from "./run-rows.ts";
import { releaseWaiting } from "./run-order.ts";
import { noteEnds } from "./notifications.ts";
import { advanceRebuilds } from "./rebuilds.ts";
import type { RunStatus } from "./runs.ts";
import { takeSnapshots, type NewSnapshot } from "./sensors.ts";

/** So many are settled in a transaction. */
const RUNS_MAX = 2_000;

interface EndedRun {
  readonly id: number;
  readonly pipeline: string;
  readonly status: RunStatus;
  readonly trigger: string;
  readonly rebuild: number | null;
  readonly retries: number;
  readonly runRetries: number;
}

export interface Settling {
  /** On the scheduler's clock. */
  readonly now: Date;
  /** The first wait before a failed run is started again. */
  readonly retryMs: number;
  /** From 0 to below 1. */
  readonly chance: () => number;
}

/**
 * Settles runs that have ended: those that failed are queued again if they may be, and what others committed starts sensors.
 *
 * @returns how many there were.
 */
export async function settleRuns(database: Database, settling: Settling): Promise<number> {
  return await database.transaction(async (client) => {
    const { rows } = await client.query<EndedRun>(ENDED);
    if (rows.length === 0) return 0;
    const again = rows.filter(mayRetry);
    await queueAgain(client, again, settling);
    const succeeded = rows.filter((run) => run.status === "succeeded").map((run) => run.id);
    const made = await client.query<NewSnapshot>(MADE, [succeeded]);
    await takeSnapshots(client, made.rows, settling);
    const over = rows.filter((run) => !again.includes(run));
    await client.query(SETTLED, [over.map((run) => run.id)]);
    await noteEnds(
      client,
      over.map((run) => run.id),
    );
    await advanceRebuilds(
      client,
      over.flatMap((run) => run.rebuild ?? []),
    );
    await releaseWaiting(
      client,
      over.map((run) => run.id),
    );
    return rows.length;
  });
}

function mayRetry({ status, trigger, retries, runRetries }: EndedRun): boolean {
  return status === "failed" && trigger !== "manual" && retries < runRetries;
}

async function queueAgain(
  client: pg.ClientBase,
  runs: readonly EndedRun[],
  { now, retryMs, chance }: Settling,
): Promise<void> {
  const notBefore = runs.map(({ retries }) => new Date(now.getTime() + retryWaitMs(retries, retryMs, chance())));
  await client.query(AGAIN, [runs.map((r) => r.id), notBefore]);
}

const ENDED = `
  select r.id::float8 as id, r.pipeline, r.status, r.trigger, r.rebuild::float8 as rebuild, r.retries,
    case when p.program is null or r.cancel_asked_at is not null then 0 else p.run_retries end as "runRetries"
  from orca.runs r join orca.pipelines p on p.name = r.pipeline
  where r.ended_at is not null and r.settled_at is null order by r.id limit ${RUNS_MAX} for update of r skip locked`;
/** The snapshots that the runs' successful attempts made. A gather step's are about all of its run's partitions. */
const MADE = `
  select distinct on (c.dataset, c.snapshot) c.dataset, c.snapshot::text, c.operation, r.rebuild::float8 as rebuild, r.ended_at as at,
    case when c.partition = '' then r.keys else array[c.partition] end as keys
  from unnest($1::bigint[]) as given (run) join orca.runs r on r.id = given.run join orca.commits c on c.run = r.id
  join orca.attempts a on a.run = c.run and a.step = c.step and a.partition = c.partition and a.attempt = c.attempt
  where a.status = 'succeeded' order by c.dataset, c.snapshot`;
const SETTLED = "update orca.runs set settled_at = clock_timestamp() where id = any ($1)";
