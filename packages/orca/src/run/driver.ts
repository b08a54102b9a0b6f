/** Runs a pipeline's steps over partitions in this process, from the first that may start to the last that ends. */
import { decode } from "@orcajs/dista";
import { OrcaError } from "../core/errors.ts";
import type { AttemptId, Before, Outcome } from "../core/journal.ts";
import type { PipelineDefinition } from "../core/pipeline-definition.ts";
import { GATHERED, Ready, type StepEnd, type Unit } from "../core/ready.ts";
import type { StepDefinition } from "../core/step-definition.ts";
import { Attempt } from "./attempt.ts";
import { StepContext } from "./context.ts";
import type { RunEnd, RunOptions } from "./run-options.ts";
import { inputOf } from "./step-input.ts";
import { watchForCrashes, type CrashTarget } from "./crash.ts";

/**
 * Runs a pipeline to its end: what steps do is in the end's status. Rejects by what the journal or the observer throws, once the steps
 * that are running then have been cancelled and have ended; no other is started.
 *
 * @throws Error if the process is to be the run's own, and another run has it.
 */
export async function runPipeline(pipeline: PipelineDefinition, options: RunOptions): Promise<RunEnd> {
  const driver = new Driver(pipeline, options);
  using _watch = options.ownsProcess ? watchForCrashes(driver) : undefined;
  return await driver.run();
}

class Driver implements CrashTarget {
  readonly running = new Set<Attempt>();
  readonly #pipeline: PipelineDefinition;
  readonly #options: RunOptions;
  readonly #ready: Ready;
  /** Attempts that have settled, and what waits for them. */
  #settled: Attempt[] = [];
  readonly #awaiting = new Map<Attempt, (outcome: Outcome) => void>();
  /** How often each step that is to be tried again has failed. */
  readonly #failures = new Map<Unit, number>();
  /** Steps that are running, or wait to be tried again. */
  #working = 0;
  #resolve: () => void = () => {};
  #stray: OrcaError | undefined;
  /** Steps that are suspected of a crash and haven't ended: one partition is worked on at a time until it is known which one did it. */
  #suspects: number;
  /** Aborted when the run is cancelled, or can't be recorded. */
  readonly #stop = new AbortController();
  #fault: { readonly error: unknown } | undefined;

  constructor(pipeline: PipelineDefinition, options: RunOptions) {
    this.#pipeline = pipeline;
    this.#options = options;
    this.#suspects = options.journal.suspects;
    const concurrency = this.#suspects > 0 ? 1 : options.concurrency;
    const ended = (unit: Unit) => this.#before(unit)?.end;
    this.#ready = new Ready(pipeline.steps, options.keys.length, concurrency, ended);
  }

  async run(): Promise<RunEnd> {
    const { signal } = this.#options;
    const onAbort = () => this.#cancel(cancelled());
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    await new Promise<void>((resolve) => {
      this.#resolve = resolve;
      this.#fill();
    });
    signal.removeEventListener("abort", onAbort);
    if (this.#fault !== undefined) throw this.#fault.error;
    return this.#end();
  }

  #cancel(error: OrcaError): void {
    this.#stop.abort(error);
    for (const attempt of this.running) attempt.cancel(error);
  }

  stray(error: OrcaError): void {
    this.#stray ??= error;
    this.#options.observer.stray(error);
  }

  /** Starts all that may start, and ends the run when nothing is left to do. */
  #fill(): void {
    while (!this.#stop.signal.aborted) {
      const unit = this.#ready.take();
      if (unit === undefined) break;
      this.#working++;
      void this.#drive(() => this.#work(unit));
    }
    const skipped = this.#ready.drainSkipped();
    if (skipped.length > 0) {
      this.#working++;
      void this.#drive(() => this.#skip(skipped));
    }
    if (this.#working === 0) this.#resolve();
  }

  async #drive(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fault ??= { error };
      this.#cancel(new OrcaError("cancelled", "the run can't be recorded"));
    }
    this.#working--;
    this.#fill();
  }

  /** Tries a step of a partition once; if it is to be tried again, waits until it may be taken again. */
  async #work(unit: Unit): Promise<void> {
    const { journal, observer } = this.#options;
    const { signal } = this.#stop;
    const step = this.#pipeline.steps[unit.step]!;
    const partition = this.#partitionOf(unit);
    const before = this.#before(unit);
    const failures = this.#failures.get(unit) ?? 0;
    const attempt = (before?.attempts ?? 0) + failures + 1;
    const failed = (before?.failures ?? 0) + failures + 1;
    const id = { step: step.name, partition, attempt };
    const input = await journal.attemptStarts(id, await inputOf(step, partition, this.#options));
    observer.attemptStarted(id);
    const outcome = await this.#attempt(step, id, input);
    const mayRetry = isFailure(outcome) && failed <= step.retries;
    const retryMs = mayRetry && !signal.aborted ? this.#options.retryWaitMs(failed) : undefined;
    const stepEnd = retryMs !== undefined ? undefined : mayRetry ? "cancelled" : stepEndOf(outcome);
    const recorded = journal.attemptEnded(id, outcome, stepEnd);
    if (stepEnd !== undefined) {
      const skipped = this.#close(unit, stepEnd);
      this.#fill(); // what starts now is recorded with this end
      await recorded;
      observer.attemptEnded(id, outcome, undefined);
      return await this.#skip(skipped);
    }
    await recorded;
    observer.attemptEnded(id, outcome, retryMs);
    this.#failures.set(unit, failures + 1);
    this.#ready.postpone(unit);
    this.#fill(); // others are worked on meanwhile
    await waited(retryMs!, signal);
    if (signal.aborted) this.#close(unit, "cancelled");
    else this.#ready.resume(unit);
  }

  #attempt(step: StepDefinition, id: AttemptId, input: string): Promise<Outcome> {
    const { graceMs, watchdog } = this.#options;
    const attempt = new Attempt(id, step, graceMs, () => this.#settle(attempt));
    this.running.add(attempt);
    if (step.timeoutMs !== undefined) watchdog?.expect(id, step.timeoutMs + graceMs);
    return new Promise((resolve) => {
      this.#awaiting.set(attempt, resolve);
      attempt.start(new StepContext(step, attempt, this.#options), decode(input));
      if (this.#stop.signal.aborted) attempt.cancel(this.#stop.signal.reason as OrcaError);
    });
  }

  /**
   * Outcomes are read in the next turn of the event loop: by then Node has told of a rejection that the function left unhandled, which
   * makes its success a crash. All that settled meanwhile is read at once.
   */
  #settle(attempt: Attempt): void {
    if (this.#settled.push(attempt) > 1) return;
    setImmediate(() => {
      const settled = this.#settled;
      this.#settled = [];
      for (const a of settled) {
        this.running.delete(a);
        if (a.hasTimeout) this.#options.watchdog?.ended(a.id);
        this.#awaiting.get(a)!(a.outcome!);
        this.#awaiting.delete(a);
      }
    });
  }

  /** Returns the units that never start because of it. */
  #close(unit: Unit, end: StepEnd): readonly Unit[] {
    this.#failures.delete(unit);
    this.#clear(unit);
    this.#options.release(this.#pipeline.steps[unit.step]!, this.#partitionOf(unit));
    return this.#ready.end(unit, end);
  }

  /** A step that has ended isn't suspected any more. */
  #clear(unit: Unit): void {
    if (this.#suspects > 0 && this.#before(unit)?.isSuspect && --this.#suspects === 0)
      this.#ready.concurrency = this.#options.concurrency;
  }

  async #skip(units: readonly Unit[]): Promise<void> {
    if (units.length === 0) return;
    const { journal, observer } = this.#options;
    const named = units.map((unit) => {
      this.#clear(unit);
      return { unit, step: this.#pipeline.steps[unit.step]!.name, partition: this.#partitionOf(unit) };
    });
    await Promise.all(named.map(async ({ step, partition }) => await journal.skipped(step, partition)));
    for (const { unit, step, partition } of named) observer.skipped(step, partition, this.#blockerOf(unit));
  }

  /** The first step that a skipped one follows and that didn't succeed. */
  #blockerOf({ step, partition }: Unit): string {
    const { steps } = this.#pipeline;
    const hasSucceeded = (followed: StepDefinition) => {
      const index = steps.indexOf(followed);
      if (partition !== GATHERED) return this.#ready.status({ step: index, partition }) === "succeeded";
      const { succeeded, failed, skipped } = this.#ready.counts(index);
      return succeeded > 0 && failed === 0 && skipped === 0;
    };
    return steps[step]!.follows.find((followed) => !hasSucceeded(followed))!.name;
  }

  #partitionOf(unit: Unit): string | undefined {
    return unit.partition === GATHERED ? undefined : this.#options.keys[unit.partition]!;
  }

  #before(unit: Unit): Before | undefined {
    return this.#options.journal.before(this.#pipeline.steps[unit.step]!.name, this.#partitionOf(unit));
  }

  #end(): RunEnd {
    const steps = this.#pipeline.steps.map((s, i) => ({ name: s.name, counts: { ...this.#ready.counts(i) } }));
    const isWhole = steps.every((s) => s.counts.waiting === 0 && s.counts.cancelled === 0);
    const isSound = this.#stray === undefined && steps.every((s) => s.counts.failed === 0 && s.counts.skipped === 0);
    if (this.#stop.signal.aborted && !isWhole) return { status: "cancelled", stray: this.#stray, steps };
    return { status: isSound ? "succeeded" : "failed", stray: this.#stray, steps };
  }
}

function cancelled(): OrcaError {
  return new OrcaError("cancelled", "the run was cancelled");
}

function isFailure(outcome: Outcome): boolean {
  return outcome.status !== "succeeded" && outcome.status !== "cancelled";
}

function stepEndOf(outcome: Outcome): StepEnd {
  return outcome.status === "succeeded" || outcome.status === "cancelled" ? outcome.status : "failed";
}

/** Settles after that many milliseconds, or as soon as the signal is aborted. */
function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ms <= 0 || signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
