import type { DistaErrorCode } from "@orcajs/dista";

/** The exit codes of every command. */
export const EXIT = {
  succeeded: 0,
  failed: 1,
  usage: 2,
  cancelled: 3,
  refused: 4,
  "ownership-lost": 5,
  "out-of-reach": 6,
} as const;

export type Exit = keyof typeof EXIT;

/** What each exit code means. */
export const EXIT_MEANING: Readonly<Record<Exit, string>> = {
  succeeded: "what was asked for is done",
  failed: "the run failed",
  usage: "the command, a file or a pipeline is wrong",
  cancelled: "the run was cancelled, or stopped before its end",
  refused: "another process owns the run, or other code started it",
  "ownership-lost": "the run was lost to another process while it went on",
  "out-of-reach": "the database, the warehouse or the log store can't be reached",
};

/** Every error of this package: what each code means, and how a command that meets it exits. */
export const ERRORS = {
  "invalid-cron": { exit: "usage", meaning: "a cron expression or its time zone is wrong" },
  "invalid-dataset": { exit: "usage", meaning: "a dataset's name, columns, partitions or order break a rule" },
  "invalid-environment": { exit: "usage", meaning: "an environment variable has a value that it doesn't take" },
  "invalid-key": { exit: "usage", meaning: "a text isn't a partition key of the kind that is wanted" },
  "keys-unfit": { exit: "usage", meaning: "a column's values aren't fit to be keys, or there is no such column" },
  "invalid-pipeline": { exit: "usage", meaning: "a step's or a pipeline's declaration breaks a rule" },
  "dataset-cycle": { exit: "usage", meaning: "pipelines would wait for each other's datasets" },
  "partitions-mixed": { exit: "usage", meaning: "a sensor reads what has partitions of another kind than its own" },
  "invalid-value": { exit: "usage", meaning: "a text isn't an instant, a date and time, or a time" },
  "build-failed": { exit: "usage", meaning: "a pipeline's file can't be built" },
  "embedded-postgres": { exit: "out-of-reach", meaning: "the Postgres in a folder can't be started, or doesn't run" },
  usage: { exit: "usage", meaning: "a command was given what it doesn't take" },
  unsupported: { exit: "usage", meaning: "what is asked for isn't part of this version" },
  undeclared: { exit: "failed", meaning: "a step reached for a dataset or a task that it doesn't declare" },
  "rows-misfit": { exit: "failed", meaning: "rows don't fit the table that they were written to" },
  "files-misfit": { exit: "failed", meaning: "files can't be committed to the table as they are" },
  "sql-misfit": { exit: "failed", meaning: "a value can't stand in SQL" },
  "not-an-error": { exit: "failed", meaning: "a step threw something that isn't an error" },
  "step-timed-out": { exit: "failed", meaning: "a step took longer than its timeout" },
  "step-crashed": { exit: "failed", meaning: "a step ended the process, left a rejection, or could never end" },
  "run-crashed": { exit: "failed", meaning: "a run's process was ended by a fault, or from outside" },
  "table-drifted": { exit: "failed", meaning: "a table isn't as its dataset declares it" },
  "table-missing": { exit: "failed", meaning: "there is no such table, and nothing says how it could be made" },
  "snapshot-expired": { exit: "failed", meaning: "the snapshot that a step read first isn't in its table any more" },
  "commits-differ": { exit: "failed", meaning: "a step's attempts made other commits, or made them in another order" },
  "step-over": { exit: "failed", meaning: "a step wrote to a table, or first read one, when its attempt was over" },
  "output-too-large": { exit: "failed", meaning: "a step returned more than an output may be" },
  "database-unreachable": { exit: "out-of-reach", meaning: "the database can't be reached, or was gone for too long" },
  "database-unfit": { exit: "usage", meaning: "the database isn't one that runs can be recorded in" },
  "logs-unreachable": { exit: "out-of-reach", meaning: "the log of an attempt can't be read from where it is" },
  "unknown-snapshot": { exit: "usage", meaning: "no run on record has read or made such a snapshot" },
  "not-a-program": { exit: "usage", meaning: "a file isn't the program of a pipeline, or can't be run" },
  "unknown-pipeline": { exit: "usage", meaning: "no pipeline of that name is registered" },
  "login-needed": { exit: "refused", meaning: "the UI lets only users who are logged in act" },
  "unknown-dataset": { exit: "usage", meaning: "no registered pipeline has such a dataset, and no run has written it" },
  "unknown-page": { exit: "usage", meaning: "the UI has no such page" },
  "unknown-step": {
    exit: "usage",
    meaning: "a run has no such step of a partition, no such attempt, or its log isn't there",
  },
  "unknown-backfill": { exit: "usage", meaning: "there is no such backfill" },
  "unknown-rebuild": { exit: "usage", meaning: "there is no such rebuild" },
  "unknown-run": { exit: "usage", meaning: "there is no such run" },
  "invalid-user": { exit: "usage", meaning: "a user's name or password breaks a rule" },
  "unknown-user": { exit: "usage", meaning: "there is no such user" },
  "user-exists": { exit: "usage", meaning: "there is a user of that name already" },
  "run-owned": { exit: "refused", meaning: "another process has the run" },
  "other-code": { exit: "refused", meaning: "the run is of other code" },
  "run-lost": { exit: "ownership-lost", meaning: "another process took the run over while it went on" },
  "package-missing": { exit: "failed", meaning: "a package that a built file needs isn't where the file runs" },
  cancelled: { exit: "cancelled", meaning: "the run, or the build, was cancelled before it had ended" },
} as const satisfies Record<string, { readonly exit: Exit; readonly meaning: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** How a command that meets an error of `@orcajs/dista` exits. */
export const DISTA_EXITS: Readonly<Record<DistaErrorCode, Exit>> = {
  "not-storable": "failed",
  "not-encoded": "failed",
  "invalid-task": "usage",
};

/** An error of Orca's. Its message is a sentence for a person that says what to do; programs match on its code. */
export class OrcaError extends Error {
  override readonly name = "OrcaError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
