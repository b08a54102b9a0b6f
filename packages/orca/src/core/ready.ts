/** Which steps of a run may start: pure bookkeeping, with no clock and no I/O. */
import type { StepDefinition } from "./step-definition.ts";

/** How far a step of a partition is. Those of a cancelled run that were never reached stay `waiting`. */
export type StepStatus = "waiting" | "running" | "succeeded" | "failed" | "skipped" | "cancelled";
/** How a step of a partition that was started ends. */
export type StepEnd = Exclude<StepStatus, "waiting" | "running">;

/** How a step can have ended before, so that it isn't run again. */
export type RecordedEnd = "succeeded" | "failed";

/** What is run at once: a mapped step of one partition, or a gather step of the run. */
export interface Unit {
  /** Index among the pipeline's steps. */
  readonly step: number;
  /** Index among the run's partitions, or `GATHERED`. */
  readonly partition: number;
}
/** The partition of a gather step's unit. */
export const GATHERED = -1;

const STATUSES: readonly StepStatus[] = [
  "waiting",
  "running",
  "succeeded",
  "failed",
  "skipped",
  "cancelled",
  "waiting",
];
/** Of those that wait: those that may start and haven't been taken yet, rather than those that wait for others. */
const QUEUED = 6;

/**
 * Follows a run: gives out the units that may start, and is told how each ended.
 *
 * A partition is worked on from its first step to its last, `concurrency` partitions at once, in order, save while all that it has left
 * waits to be tried again; steps of one partition that don't follow each other run at the same time. A gather step may start once everything
 * that it follows has succeeded. What follows a step that failed is skipped. One byte is kept for each step of each partition, however many are done.
 */
export class Ready {
  readonly #steps: readonly StepShape[];
  readonly #statuses: readonly Uint8Array[];
  readonly #counts: readonly Record<StepStatus, number>[];
  readonly #partitionCount: number;
  /** How many partitions are worked on at once. */
  concurrency: number;
  readonly #mappedCount: number;
  /** Of each partition that was begun: its mapped steps that haven't ended, and those of them that are queued or running. */
  readonly #open = new Map<number, { left: number; busy: number }>();
  /** How many of them have some that are queued or running. */
  #busyPartitions = 0;
  /** Units that a gather step waits for. */
  readonly #awaited: number[];
  readonly #queue: Unit[] = [];
  /** Units that wait to be tried again, and those that may be once their partition can be worked on. */
  readonly #postponed = new Set<Unit>();
  readonly #returning: Unit[] = [];
  #nextPartition = 0;
  readonly #recorded: (unit: Unit) => RecordedEnd | undefined;
  /** Units that are skipped for one that failed before. */
  #skipped: Unit[] = [];

  /** @param recorded how a unit ended before, if it did: it isn't given out. */
  constructor(
    steps: readonly StepDefinition[],
    partitionCount: number,
    concurrency: number,
    recorded: (unit: Unit) => RecordedEnd | undefined = () => undefined,
  ) {
    this.#recorded = recorded;
    this.#steps = steps.map((s) => shapeOf(s, steps));
    this.#partitionCount = partitionCount;
    this.concurrency = concurrency;
    this.#mappedCount = steps.filter((s) => s.kind === "mapped").length;
    const unitCounts = steps.map((s) => (s.kind === "mapped" ? partitionCount : 1));
    this.#statuses = unitCounts.map((n) => new Uint8Array(n));
    this.#counts = unitCounts.map((n) => ({
      waiting: n,
      running: 0,
      succeeded: 0,
      failed: 0,
      skipped: 0,
      cancelled: 0,
    }));
    this.#awaited = this.#steps.map((s) => s.follows.reduce((sum, f) => sum + unitCounts[f]!, 0));
    this.#steps.forEach((s, step) => {
      if (!s.isMapped && s.follows.length === 0) this.#enqueue({ step, partition: GATHERED }, this.#skipped);
    });
  }

  /** A unit that may start now, or undefined if there is none until another ends; it counts as running. */
  take(): Unit | undefined {
    while (this.#queue.length === 0 && this.#busyPartitions < this.concurrency && this.#beginPartition());
    const unit = this.#queue.shift();
    if (unit === undefined) return undefined;
    this.#set(unit, "running");
    return unit;
  }

  /** The units that never start since one that they follow failed before: each once, after a `take`. */
  drainSkipped(): readonly Unit[] {
    const skipped = this.#skipped;
    this.#skipped = [];
    return skipped;
  }

  /** Says that a unit that was taken is to be tried again later: others are worked on meanwhile. */
  postpone(unit: Unit): void {
    this.#leave(unit);
    this.#set(unit, "waiting");
    this.#postponed.add(unit);
  }

  /** Says that a unit that was postponed may be taken again. */
  resume(unit: Unit): void {
    this.#postponed.delete(unit);
    if (unit.partition === GATHERED || this.#open.get(unit.partition)!.busy > 0) this.#enqueue(unit, this.#skipped);
    else this.#returning.push(unit);
  }

  /** Says how a unit that was taken has ended, or that one that was postponed is cancelled. Returns those that never start because of it. */
  end(unit: Unit, status: StepEnd): readonly Unit[] {
    const skipped: Unit[] = [];
    if (!this.#postponed.delete(unit)) this.#leave(unit);
    this.#close(unit, status, skipped);
    return skipped;
  }

  status(unit: Unit): StepStatus {
    return STATUSES[this.#statuses[unit.step]![Math.max(0, unit.partition)]!]!;
  }

  /** How many units of a step have each status. */
  counts(step: number): Readonly<Record<StepStatus, number>> {
    return this.#counts[step]!;
  }

  /** Goes on with a partition whose step is to be tried again, or starts the next; returns whether there was one. */
  #beginPartition(): boolean {
    const returning = this.#returning.shift();
    if (returning !== undefined) {
      this.#enqueue(returning, this.#skipped);
      return true;
    }
    if (this.#mappedCount === 0 || this.#nextPartition === this.#partitionCount) return false;
    const partition = this.#nextPartition++;
    this.#open.set(partition, { left: this.#mappedCount, busy: 0 });
    this.#steps.forEach((s, step) => {
      if (s.isMapped && s.follows.length === 0) this.#enqueue({ step, partition }, this.#skipped);
    });
    return true;
  }

  #enqueue(unit: Unit, skipped: Unit[]): void {
    const end = this.#recorded(unit);
    if (end !== undefined) return this.#close(unit, end, skipped);
    this.#statuses[unit.step]![Math.max(0, unit.partition)] = QUEUED;
    this.#queue.push(unit);
    if (unit.partition === GATHERED) return;
    if (this.#open.get(unit.partition)!.busy++ === 0) this.#busyPartitions++;
  }

  /** A unit that was taken isn't running any more. */
  #leave(unit: Unit): void {
    if (unit.partition === GATHERED) return;
    if (--this.#open.get(unit.partition)!.busy === 0) this.#busyPartitions--;
  }

  #close(unit: Unit, status: StepEnd, skipped: Unit[]): void {
    this.#set(unit, status);
    if (status === "skipped") skipped.push(unit);
    if (unit.partition !== GATHERED && --this.#open.get(unit.partition)!.left === 0) this.#open.delete(unit.partition);
    // what follows a cancelled step was neither reached nor refused
    if (status === "cancelled") return;
    for (const follower of this.#steps[unit.step]!.followers)
      if (this.#steps[follower]!.isMapped) this.#reach({ step: follower, partition: unit.partition }, skipped);
      else if (--this.#awaited[follower]! === 0) this.#reach({ step: follower, partition: GATHERED }, skipped);
  }

  /** A unit may start, is skipped, or still waits for another that it follows. */
  #reach(unit: Unit, skipped: Unit[]): void {
    // it was reached by way of another step that both follow
    if (this.#statuses[unit.step]![Math.max(0, unit.partition)] !== 0) return;
    const followed = this.#steps[unit.step]!.follows;
    const isMapped = unit.partition !== GATHERED;
    if (isMapped && followed.some((step) => !this.#hasEnded({ step, partition: unit.partition }))) return;
    const succeeded = isMapped
      ? followed.every((step) => this.status({ step, partition: unit.partition }) === "succeeded")
      : followed.every((step) => this.#counts[step]!.succeeded === this.#statuses[step]!.length);
    if (succeeded) this.#enqueue(unit, skipped);
    else this.#close(unit, "skipped", skipped);
  }

  #hasEnded(unit: Unit): boolean {
    const status = this.status(unit);
    return status !== "waiting" && status !== "running";
  }

  #set(unit: Unit, status: StepStatus): void {
    const counts = this.#counts[unit.step]!;
    counts[this.status(unit)]--;
    counts[status]++;
    this.#statuses[unit.step]![Math.max(0, unit.partition)] = STATUSES.indexOf(status);
  }
}

interface StepShape {
  readonly isMapped: boolean;
  /** Indexes of the steps that it follows, and of those that follow it. */
  readonly follows: readonly number[];
  readonly followers: readonly number[];
}

function shapeOf(step: StepDefinition, steps: readonly StepDefinition[]): StepShape {
  const followers = steps.flatMap((s, i) => (s.follows.includes(step) ? [i] : []));
  return { isMapped: step.kind === "mapped", follows: step.follows.map((f) => steps.indexOf(f)), followers };
}
