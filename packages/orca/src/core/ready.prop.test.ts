import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GATHERED, Ready, type RecordedEnd, type StepStatus, type Unit } from "./ready.ts";
import { defineStep, type StepDefinition } from "./step-definition.ts";

/** Steps in run order, each following some of those before it; a mapped step follows no gather step. */
const steps = fc
  .array(fc.record({ isGather: fc.boolean(), follows: fc.array(fc.nat({ max: 9 }), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 7,
  })
  .map((shapes) => {
    const made: StepDefinition[] = [];
    for (const [i, { isGather, follows }] of shapes.entries()) {
      const before = made.filter((s) => isGather || s.kind === "mapped");
      const after = [...new Set(follows.map((n) => before[n % Math.max(1, before.length)]))].filter(
        (s) => s !== undefined,
      );
      const options = after.length === 0 ? {} : { after };
      made.push(defineStep(isGather ? "gather" : "mapped", `s${i}`, [options, () => 1]));
    }
    return made;
  });

const runs = fc.record({
  steps,
  partitionCount: fc.integer({ min: 1, max: 5 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  // which of the units that are running or wait to be tried again moves next, and how
  moves: fc.infiniteStream(fc.record({ which: fc.nat(), how: fc.constantFrom("succeeded", "failed", "postponed") })),
  // after how many moves another process goes on with the run
  interruptions: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }),
});
type Move = { readonly which: number; readonly how: "succeeded" | "failed" | "postponed" };

/** A run of steps that end as they are told, and what was seen of it. */
class Simulation {
  readonly ready: Ready;
  readonly ended = new Map<string, StepStatus>();
  readonly running: Unit[] = [];
  readonly postponed: Unit[] = [];
  readonly steps: readonly StepDefinition[];
  readonly partitionCount: number;
  readonly concurrency: number;
  readonly #started = new Set<string>();

  /** @param before what an earlier process was told of the run. */
  constructor(
    steps: readonly StepDefinition[],
    partitionCount: number,
    concurrency: number,
    before: ReadonlyMap<string, StepStatus> = new Map(),
  ) {
    this.steps = steps;
    this.partitionCount = partitionCount;
    this.concurrency = concurrency;
    for (const [name, status] of before)
      if (status === "succeeded" || status === "failed") this.ended.set(name, status);
    const recorded = new Map(this.ended);
    this.ready = new Ready(steps, partitionCount, concurrency, (unit) => recorded.get(nameOf(unit)) as RecordedEnd);
    for (const name of recorded.keys()) this.#started.add(name);
  }

  /** Makes a move, if there is one to make. */
  move({ which, how }: Move): boolean {
    const movable = [...this.running, ...this.postponed];
    if (movable.length === 0) return false;
    const unit = movable[which % movable.length]!;
    const from = this.running.includes(unit) ? this.running : this.postponed;
    from.splice(from.indexOf(unit), 1);
    if (from === this.postponed) this.ready.resume(unit);
    else if (how === "postponed") {
      this.ready.postpone(unit);
      this.postponed.push(unit);
    } else this.end(unit, how);
    return true;
  }

  /** Takes all that may start: each once, or again after it was postponed, and only after all that it follows. */
  start(): void {
    for (let unit = this.ready.take(); unit !== undefined; unit = this.ready.take()) {
      expect(this.running).not.toContainEqual(unit);
      expect(this.ended.has(nameOf(unit))).toBe(false);
      expect(this.followed(unit).every((status) => status === "succeeded")).toBe(true);
      this.#started.add(nameOf(unit));
      this.running.push(unit);
    }
    this.#skip(this.ready.drainSkipped());
    const busy = partitionsOf(this.running).size;
    expect(busy).toBeLessThanOrEqual(this.concurrency);
    // nobody waits who could be worked on
    const begun = partitionsOf(this.all.filter((unit) => this.#started.has(nameOf(unit))));
    const hasMapped = this.steps.some((s) => s.kind === "mapped");
    if (hasMapped && busy < this.concurrency) expect(begun.size).toBe(this.partitionCount);
  }

  end(unit: Unit, status: "succeeded" | "failed"): void {
    this.ended.set(nameOf(unit), status);
    this.#skip(this.ready.end(unit, status));
  }

  #skip(units: readonly Unit[]): void {
    for (const skipped of units) {
      expect(this.ended.has(nameOf(skipped))).toBe(false);
      expect(this.followed(skipped).some((s) => s === "failed" || s === "skipped")).toBe(true);
      this.ended.set(nameOf(skipped), "skipped");
    }
  }

  get all(): readonly Unit[] {
    return this.steps.flatMap((_, step) => this.#unitsOf(step).map((partition) => ({ step, partition })));
  }

  followed({ step, partition }: Unit): readonly (StepStatus | undefined)[] {
    return this.steps[step]!.follows.flatMap((f) => {
      const index = this.steps.indexOf(f);
      const partitions = partition === GATHERED ? this.#unitsOf(index) : [partition];
      return partitions.map((p) => this.ended.get(`${index}/${p}`));
    });
  }

  #unitsOf(step: number): readonly number[] {
    return this.steps[step]!.kind === "gather" ? [GATHERED] : Array.from({ length: this.partitionCount }, (_, i) => i);
  }
}

const nameOf = ({ step, partition }: Unit) => `${step}/${partition}`;
const partitionsOf = (units: readonly Unit[]) =>
  new Set(units.filter((u) => u.partition !== GATHERED).map((u) => u.partition));

describe("which steps are ready", () => {
  it("runs each step after all that it follows, skips what can't run, and works on as many partitions as it may, and no more", () => {
    fc.assert(
      fc.property(runs, ({ steps, partitionCount, concurrency, moves, interruptions }) => {
        let run = new Simulation(steps, partitionCount, concurrency);
        const left = [...interruptions];
        let made = 0;
        for (const move of moves) {
          run.start();
          if (!run.move(move)) break;
          if (left.length === 0 || ++made <= left[0]!) continue;
          run = new Simulation(steps, partitionCount, concurrency, run.ended);
          [made] = [0, left.shift()];
        }
        expect(run.ended.size).toBe(run.all.length);
        for (const unit of run.all) expect(run.ready.status(unit)).toBe(run.ended.get(nameOf(unit)));
        for (const [i] of steps.entries()) expect(run.ready.counts(i).waiting + run.ready.counts(i).running).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });
});
