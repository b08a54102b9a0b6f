/** A run's journal in Postgres. */
import { OrcaError } from "../core/errors.ts";
import type { AttemptId, Before, Journal, Outcome } from "../core/journal.ts";
import { placeOf } from "../core/journal.ts";
import type { StepEnd } from "../core/ready.ts";
import { Batches } from "./batches.ts";
import type { Database } from "./database.ts";
import { Outputs } from "./outputs.ts";
import type { RunBefore } from "./run-before.ts";
import { RECORD, recordValues, type Change, type Recorded } from "./record.ts";
import { StepNews } from "./step-news.ts";

/** One batch at a time, so that nothing is recorded before what was told before it. */
const RECORDING = { lanes: 1, size: 256 };
/** Longer inputs aren't recorded: they are made of outputs that are. Bytes of UTF-8. */
const INPUT_MAX = 4_194_304;
const ERROR_MAX = 16_384;

/** What a journal records in. */
export interface JournalOf {
  readonly run: number;
  /** The process that has the run. */
  readonly owner: string;
  /** The run's partitions. */
  readonly keys: readonly string[];
  /** What code a step is. */
  readonly hashOf: (step: string) => string;
  /** An error as a sentence. */
  readonly sentenceOf: (error: Error) => string;
  /** Where an attempt's log is, if it is kept. */
  readonly logOf: (id: AttemptId) => string | undefined;
}

/**
 * Records a run in Postgres. Changes that wait at the same moment share a transaction.
 *
 * What it returns rejects with OrcaError `run-lost` once another process has the run, with `run-cancelled` if an attempt would start after
 * the run's cancellation was asked for, and with `database-unreachable` when the database's patience is over.
 */
export class PostgresJournal implements Journal {
  readonly #database: Database;
  readonly #of: JournalOf;
  readonly #before: RunBefore;
  readonly #outputs: Outputs;
  readonly #changes: Batches<Change, Recorded>;
  readonly #news: StepNews;
  /** Settled once all that it was told is recorded. */
  #latest: Promise<unknown> = Promise.resolve();

  constructor(database: Database, of: JournalOf, before: RunBefore) {
    this.#database = database;
    this.#of = of;
    this.#before = before;
    this.#outputs = new Outputs(database, of.run, () => this.#latest);
    this.#changes = new Batches(RECORDING, (changes) => this.#send(changes));
    this.#news = new StepNews(() => database.query(RECORD, recordValues(of.run, of.owner, [], true)));
  }

  get suspects(): number {
    return this.#before.suspects;
  }

  before(step: string, partition: string | undefined): Before | undefined {
    return this.#before.of(step, partition ?? "");
  }

  async attemptStarts(id: AttemptId, input: string): Promise<string> {
    const { step, partition, attempt } = id;
    const recorded = await this.#record({
      kind: "start",
      step,
      partition: partition ?? "",
      attempt,
      hash: this.#of.hashOf(step),
      input: Buffer.byteLength(input) <= INPUT_MAX ? input : null,
      log: this.#of.logOf(id) ?? null,
    });
    return recorded.input ?? input;
  }

  async attemptEnded(
    { step, partition, attempt }: AttemptId,
    outcome: Outcome,
    stepEnd: StepEnd | undefined,
  ): Promise<void> {
    const output = outcome.status === "succeeded" ? outcome.output : null;
    if (output !== null) this.#outputs.keep(step, partition ?? "", output); // what starts before it is recorded may take it
    await this.#record({
      kind: "end",
      step,
      partition: partition ?? "",
      attempt,
      status: outcome.status,
      stepStatus: stepEnd === undefined || stepEnd === "skipped" ? "waiting" : stepEnd,
      output,
      error: outcome.status === "succeeded" ? null : storable(this.#of.sentenceOf(outcome.error)),
    });
  }

  async skipped(step: string, partition: string | undefined): Promise<void> {
    await this.#record({ kind: "skip", step, partition: partition ?? "", hash: this.#of.hashOf(step) });
  }

  output(step: string, partition: string | undefined): string | Promise<string> {
    return this.#outputs.one(step, partition ?? "");
  }

  outputs(step: string): Promise<readonly string[]> {
    return this.#outputs.all(step, this.#of.keys);
  }

  /** What is refused is sent again: it may wait for itself, sent before over a connection that was lost, and then not see what that did. */
  async #record(change: Change): Promise<Recorded> {
    const recorded = await this.#add(change);
    if (recorded.ok) return recorded;
    const again = await this.#add(change);
    if (!again.ok) throw await this.#refusal(change);
    return again;
  }

  #add(change: Change): Promise<Recorded> {
    const adding = this.#changes.add(change);
    this.#latest = adding;
    return adding;
  }

  async #send(changes: readonly Change[]): Promise<readonly Recorded[]> {
    const { run, owner } = this.#of;
    const isTold = this.#news.isDue();
    const rows = await this.#database.query<Recorded>(RECORD, recordValues(run, owner, changes, isTold));
    if (!isTold) this.#news.tellLater();
    const byPlace = new Map(rows.map((row) => [`${row.kind} ${row.n}`, row]));
    const counts = { start: 0, end: 0, skip: 0 };
    return changes.map(({ kind }) => byPlace.get(`${kind} ${++counts[kind]}`)!);
  }

  /** Why a change wasn't recorded. */
  async #refusal(change: Change): Promise<Error> {
    const { run, owner } = this.#of;
    const [found] = await this.#database.query<{ owner: string | null; cancelled: boolean }>(OWNER, [run]);
    if (found?.owner !== owner)
      return new OrcaError("run-lost", `another process took run ${run} over: what this one did since isn't recorded`);
    if (found.cancelled) return new OrcaError("cancelled", "the run was cancelled");
    return new Error(`run ${run} took no ${change.kind} of ${placeOf(change.step, change.partition)}`);
  }
}

const OWNER = {
  name: "owner",
  text: "select owner, cancel_asked_at is not null as cancelled from orca.runs where id = $1",
};

/** A sentence as Postgres takes it: without NUL, and not endless. */
function storable(sentence: string): string {
  return sentence.slice(0, ERROR_MAX).replaceAll("\0", "�");
}
