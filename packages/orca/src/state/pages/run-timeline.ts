/** When the attempts of a run went on. */
import type { Database } from "../database.ts";
import type { StepCell } from "./run-steps.ts";

export interface AttemptSpan {
  readonly step: string;
  readonly partition: string | null;
  readonly attempt: number;
  readonly status: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

const RETRIED_MAX = 500;

/** The attempts of steps that were tried more than once: of the others, the step itself says when it went on. */
export async function readRetried(
  database: Database,
  run: number,
  cells: readonly StepCell[],
): Promise<readonly AttemptSpan[]> {
  const retried = cells.filter((cell) => cell.attempts > 1);
  if (retried.length === 0) return [];
  return await database.query<AttemptSpan>(RETRIED, [
    run,
    retried.map((cell) => cell.step),
    retried.map((cell) => cell.partition ?? ""),
    RETRIED_MAX,
  ]);
}

const RETRIED = {
  name: "page-run-retried",
  text: `
    select a.step, nullif(a.partition, '') as partition, a.attempt, a.status, a.started_at as "startedAt", a.ended_at as "endedAt"
    from unnest($2::text[], $3::text[]) as wanted (step, partition)
    cross join lateral (
      select * from orca.attempts
      where run = $1 and step = wanted.step collate "C" and partition = wanted.partition collate "C" order by attempt desc limit 20
    ) a limit $4`,
};
