/** The steps of a run: which there are, and how each stands for each of a few partitions. */
import type { Database } from "../database.ts";

/** A step of a run's pipeline. */
export interface RunStep {
  readonly name: string;
  readonly kind: "mapped" | "gather";
  /** The steps that it follows. */
  readonly after: readonly string[];
}

/** A step of a partition, if it was reached. */
export interface StepCell {
  readonly step: string;
  /** Null of a gather step. */
  readonly partition: string | null;
  readonly status: "waiting" | "running" | "succeeded" | "failed" | "skipped" | "cancelled";
  readonly attempts: number;
  /** When its last attempt was. */
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** More than any run of few partitions has. */
const CELLS_MAX = 5_000;

/** @param run of few partitions. */
export async function readCells(database: Database, run: number): Promise<readonly StepCell[]> {
  return await database.query<StepCell>(CELLS, [run, CELLS_MAX]);
}

const CELL = `
  s.step, nullif(s.partition, '') as partition, s.status, s.attempts, s.ended_at as "endedAt",
  case when s.attempts < 2 then s.started_at else (select a.started_at from orca.attempts a
    where a.run = s.run and a.step = s.step and a.partition = s.partition order by a.attempt desc limit 1) end as "startedAt"`;
const CELLS = {
  name: "page-run-cells",
  text: `select ${CELL} from orca.steps s where s.run = $1 order by s.step, s.partition limit $2`,
};

/** Those of some partitions; of gather steps too for the partition "". */
export async function readCellsOf(
  database: Database,
  run: number,
  steps: readonly string[],
  partitions: readonly string[],
): Promise<readonly StepCell[]> {
  return await database.query<StepCell>(CELLS_OF, [run, steps, partitions]);
}

const CELLS_OF = {
  name: "page-run-cells-of",
  text: `
    select ${CELL} from unnest($2::text[]) as wanted (step) cross join unnest($3::text[]) as among (partition)
    cross join lateral (
      select * from orca.steps
      where run = $1 and step = wanted.step collate "C" and partition = among.partition collate "C" limit 1
    ) s order by s.partition, s.step`,
};

/** Why a step of a partition isn't done. */
export interface StepError {
  readonly step: string;
  readonly partition: string | null;
  readonly attempt: number;
  readonly error: string | null;
}

/** So much of an error is shown beside others. */
const ERROR_MAX = 2_000;

/** The errors of their last attempts. */
export async function readErrors(
  database: Database,
  run: number,
  of: readonly Pick<StepCell, "step" | "partition">[],
): Promise<readonly StepError[]> {
  if (of.length === 0) return [];
  return await database.query<StepError>(ERRORS, [
    run,
    of.map((cell) => cell.step),
    of.map((cell) => cell.partition ?? ""),
    ERROR_MAX,
  ]);
}

const ERRORS = {
  name: "page-run-errors",
  text: `
    select a.step, nullif(a.partition, '') as partition, a.attempt, left(a.error, $4) as error
    from unnest($2::text[], $3::text[]) with ordinality as wanted (step, partition, n)
    cross join lateral (
      select * from orca.attempts
      where run = $1 and step = wanted.step collate "C" and partition = wanted.partition collate "C"
      order by attempt desc limit 1
    ) a order by wanted.n`,
};
