/** A step of a partition in a run: its attempts, what it was given and gave, and what an attempt read and made. */
import { OrcaError } from "../../core/errors.ts";
import type { Database } from "../database.ts";

export interface StepAttempts {
  readonly step: string;
  /** Null of a gather step. */
  readonly partition: string | null;
  readonly status: "waiting" | "running" | "succeeded" | "failed" | "skipped" | "cancelled";
  readonly hash: string;
  readonly input: CutText | null;
  readonly output: CutText | null;
  /** The newest first. */
  readonly attempts: readonly AttemptLine[];
  /** The partitions beside it that have reached the step, in the order of their names. */
  readonly before: string | null;
  readonly next: string | null;
}

/** A text, or its beginning. */
export interface CutText {
  readonly text: string;
  /** Of the whole. */
  readonly length: number;
}

interface AttemptLine {
  readonly attempt: number;
  readonly status: "running" | "succeeded" | "failed" | "crashed" | "timed-out" | "cancelled" | "lost";
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

export interface AttemptDetail extends AttemptLine {
  readonly error: string | null;
  /** Where its log is. */
  readonly log: string | null;
  readonly reads: readonly { readonly dataset: string; readonly snapshot: string | null }[];
  readonly commits: readonly {
    readonly dataset: string;
    readonly snapshot: string;
    readonly rowsAdded: number | null;
  }[];
}

const ATTEMPTS_MAX = 50;
/** So much of an input or an output is shown. */
const TEXT_MAX = 16_384;
const SNAPSHOTS_MAX = 50;

/** @param partition "" for a gather step. @throws OrcaError `unknown-step` for one that wasn't reached. */
export async function readStepAttempts(
  database: Database,
  run: number,
  step: string,
  partition: string,
): Promise<StepAttempts> {
  type Row = Omit<StepAttempts, "input" | "output" | "attempts"> &
    Record<"input" | "output", string | null> & {
      readonly inputLength: number | null;
      readonly outputLength: number | null;
    };
  const [[row], attempts] = await Promise.all([
    database.query<Row>(STEP, [run, step, partition, TEXT_MAX]),
    database.query<AttemptLine>(ATTEMPTS, [run, step, partition, ATTEMPTS_MAX]),
  ]);
  if (row === undefined) {
    const what = partition === "" ? step : `${step} of ${partition}`;
    throw new OrcaError("unknown-step", `run ${run} hasn't reached ${what}, or there is no such step`);
  }
  const { input, inputLength, output, outputLength, ...rest } = row;
  return { ...rest, input: cutText(input, inputLength), output: cutText(output, outputLength), attempts };
}

function cutText(text: string | null, length: number | null): CutText | null {
  return text === null || length === null ? null : { text, length };
}

const STEP = {
  name: "page-step-attempts",
  text: `
    select s.step, nullif(s.partition, '') as partition, s.status, s.hash,
      left(s.input, $4) as input, length(s.input) as "inputLength", left(s.output, $4) as output, length(s.output) as "outputLength",
      (select partition from orca.steps where run = $1 and step = $2 and partition < s.partition and partition <> ''
        order by partition desc limit 1) as before,
      (select partition from orca.steps where run = $1 and step = $2 and partition > s.partition and s.partition <> ''
        order by partition limit 1) as next
    from orca.steps s where s.run = $1 and s.step = $2 and s.partition = $3`,
};
const ATTEMPTS = {
  name: "page-attempts",
  text: `
    select attempt, status, started_at as "startedAt", ended_at as "endedAt" from orca.attempts
    where run = $1 and step = $2 and partition = $3 order by attempt desc limit $4`,
};

/** @throws OrcaError `unknown-step` for an attempt that there isn't. */
export async function readAttempt(
  database: Database,
  run: number,
  step: string,
  partition: string,
  attempt: number,
): Promise<AttemptDetail> {
  const [row] = await database.query<AttemptDetail>(ATTEMPT, [run, step, partition, attempt, SNAPSHOTS_MAX]);
  if (row === undefined)
    throw new OrcaError("unknown-step", `there is no attempt ${attempt} of that step in run ${run}`);
  return row;
}

const OF = "run = a.run and step = a.step and partition = a.partition and attempt = a.attempt";
const ATTEMPT = {
  name: "page-attempt",
  text: `
    select a.attempt, a.status, a.started_at as "startedAt", a.ended_at as "endedAt", a.error, a.log,
      coalesce((select jsonb_agg(jsonb_build_object('dataset', dataset, 'snapshot', snapshot::text)) from (
        select dataset, snapshot from orca.reads where ${OF} order by dataset limit $5) r), '[]') as reads,
      coalesce((select jsonb_agg(jsonb_build_object('dataset', dataset, 'snapshot', snapshot::text, 'rowsAdded', rows_added)) from (
        select dataset, snapshot, rows_added from orca.commits where ${OF} order by number limit $5) c), '[]') as commits
    from orca.attempts a where a.run = $1 and a.step = $2 and a.partition = $3 and a.attempt = $4`,
};
